import CutroomMedia
import Foundation

extension AssetInfo {
  /// How long opening a file may take before it is refused.
  private static let patience = Duration.seconds(4)

  /// Examines the file at `path`: its index, or its packets where it has none.
  ///
  /// With `countsAll`, packets are also read where only the counts of frames or keyframes need
  /// them.
  package static func open(
    _ path: String, countsAll: Bool = false
  ) throws(AssetError) -> AssetInfo {
    if let status = FileStatus(path: path), status.kind == .regular, status.size == 0 {
      throw AssetError(path: path, reason: .empty, message: "'\(path)' is empty")
    }
    if let file = try subtitleFile(path) { return file }
    let deadline = ContinuousClock.now + patience
    let isLate: @Sendable () -> Bool = { ContinuousClock.now > deadline }
    let demuxer: Demuxer
    do throws(LibAVError) {
      demuxer = try Demuxer(path: path, isCancelled: isLate)
    } catch {
      throw refusal(path, error)
    }
    try refuseEncryption(path, demuxer)
    var probe = AssetProbe(demuxer, path: path)
    probe.measure(countsAll: countsAll)
    var info = probe.info
    if info.tracks.contains(where: \.kind.isMedia) { return info }
    guard info.track(.subtitle) != nil else {
      throw AssetError(
        path: path, reason: .empty, message: "'\(path)' holds neither pictures nor sound")
    }
    try info.readSubtitles(demuxer)
    return info
  }

  private static func refuseEncryption(_ path: String, _ demuxer: Demuxer) throws(AssetError) {
    let isEncrypted = demuxer.streams.contains { stream in
      ["encv", "enca"].contains(stream.codecTag)
        || stream.sideDataTypes.contains { $0.hasPrefix("Encryption") }
    }
    if isEncrypted { throw encrypted(path) }
  }

  private static func encrypted(_ path: String) -> AssetError {
    AssetError(
      path: path, reason: .encrypted,
      message: "'\(path)' is encrypted (Common Encryption), and cannot be decoded without its keys")
  }

  private static func refusal(_ path: String, _ error: LibAVError) -> AssetError {
    func refused(_ reason: AssetError.Reason, _ message: String) -> AssetError {
      AssetError(path: path, reason: reason, message: message)
    }
    let manager = FileManager.default
    if error.isCancelled {
      return refused(.unreadable, "'\(path)' could not be examined within \(patience)")
    }
    if path.isEmpty { return refused(.missing, "the path is empty") }
    if manager.fileExists(atPath: path + "/.") {
      return refused(.directory, "'\(path)' is a folder, not a file")
    }
    guard manager.fileExists(atPath: path) else {
      let reason = error.systemErrorNumber == EACCES ? AssetError.Reason.permission : .missing
      return refused(
        reason,
        reason == .missing
          ? "there is no file '\(path)'" : "the folder of '\(path)' may not be read")
    }
    guard manager.isReadableFile(atPath: path), error.systemErrorNumber != EACCES else {
      return refused(.permission, "'\(path)' may not be read: permission denied")
    }
    if MovieHeader(path: path)?.isEncrypted == true { return encrypted(path) }
    let detail = error.log.last.map { " (\($0))" } ?? ""
    return refused(
      .unreadable, "'\(path)' cannot be read as media: \(error.reason)\(detail)")
  }
}
