import CutroomMedia
import CutroomModel

/// Writes one file per picture into a folder that gets its name when it is whole.
///
/// Files are called by the number of their picture, from 0, in at least five digits. Every way out
/// but ``commit(overwrite:)`` removes the folder under its temporary name.
struct PictureFolder: ~Copyable {
  private let target: String
  private let temporary: String
  private let ending: String
  private let digits: Int
  private var isCommitted = false
  private(set) var written = PacketWriter.Written()

  init(plan: ExportPlan) throws(CutroomError) {
    var name = plan.output
    while name.count > 1, name.hasSuffix("/") { name.removeLast() }
    target = name
    let file = OutputFile(target: name)
    temporary = file.temporary
    ending = plan.container.fileExtensions.first ?? "png"
    digits = max(5, String(max(0, (plan.video?.frameCount ?? 1) - 1)).count)
    do { try FileSystem.createFolder(temporary) } catch {
      throw CutroomError(writing: target, error)
    }
  }

  deinit {
    if !isCommitted { Self.remove(temporary) }
  }

  /// Removes a folder of pictures; what cannot be removed stays under its temporary name.
  private static func remove(_ folder: String) {
    do { try FileSystem.removeFolder(folder) } catch {}
  }

  /// The file of picture `number` in `folder`.
  private func path(of number: Int64, in folder: String) -> String {
    let text = String(number)
    return folder + "/" + String(repeating: "0", count: max(0, digits - text.count)) + text + "."
      + ending
  }

  /// Writes all pictures of a stream.
  mutating func write(
    _ video: VideoPlan, _ stream: any PacketStream, target plan: String
  ) throws(CutroomError) {
    written.ticksPerSecond = video.ticksPerSecond
    var number: Int64 = 0
    while let packet = try stream.next() {
      let name = path(of: number, in: temporary)
      do {
        let sink = try ByteSink(path: name)
        try sink.append(packet)
        try sink.close()
        try FileSystem.sync(name)
      } catch let error as LibAVError {
        throw CutroomError(writing: plan, error)
      } catch let error as FileError {
        throw CutroomError(writing: plan, error)
      } catch {
        throw CutroomError(.internal, "internal", "\(error)")
      }
      number += 1
      written.packets += 1
      written.keyframes += 1
      written.bytes += Int64(packet.size)
      written.endTick = max(written.endTick, (packet.pts ?? 0) + packet.duration)
    }
    guard number == video.frameCount else {
      throw failure("\(number) pictures were written instead of \(video.frameCount)")
    }
  }

  private func failure(_ reason: String) -> CutroomError {
    CutroomError(.internal, "output.verification", "\(reason); the pictures were removed")
  }

  /// Decodes the first and the last picture again and compares their sizes with the plan.
  func verify(_ video: VideoPlan) throws(CutroomError) {
    for number in Set([0, video.frameCount - 1]).sorted() {
      var size: PixelSize?
      do throws(AssetError) {
        size = try AssetInfo.open(path(of: number, in: temporary)).track(.video)?.picture?.size
      } catch {
        throw failure("picture \(number) does not read back: \(error.message)")
      }
      guard size == video.encoding.size else {
        throw failure("picture \(number) does not have the planned size")
      }
    }
  }

  /// Gives the folder its name; with `overwrite` in exchange for an existing folder of pictures.
  ///
  /// - Throws: ``CutroomError`` with code `output.exists` where anything else would be lost.
  mutating func commit(overwrite: Bool) throws(CutroomError) {
    let directory = OutputFile.directory(of: target)
    do {
      try FileSystem.sync(temporary)
      if overwrite, FileStatus(path: target) != nil {
        try requirePictures()
        try FileSystem.exchange(temporary, target)
        Self.remove(temporary)
      } else {
        try FileSystem.renameFolder(temporary, to: target)
      }
      try FileSystem.sync(directory.isEmpty ? "." : directory)
    } catch let error as CutroomError {
      throw error
    } catch let error as FileError {
      if error.isExisting { throw .exists(target) }
      throw CutroomError(writing: target, error)
    } catch {
      throw CutroomError(.internal, "internal", "\(error)")
    }
    isCommitted = true
  }

  /// A folder is only replaced where it holds nothing but numbered pictures.
  private func requirePictures() throws {
    for name in try FileSystem.names(in: target) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      let isPicture =
        parts.count == 2 && parts[1] == ending && !parts[0].isEmpty
        && parts[0].allSatisfy(\.isNumber)
      guard isPicture else {
        throw CutroomError(
          .input, "output.exists",
          "'\(target)' holds '\(name)', which is no picture of an export; choose another folder",
          diagnostics: [
            Diagnostic(
              .error, "output.exists",
              "'\(target)' holds '\(name)', which is no picture of an export", at: "")
          ])
      }
    }
  }
}
