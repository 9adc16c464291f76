import CutroomMedia
import CutroomModel
import Foundation

extension AssetInfo {
  /// Reads a text file of subtitles; `nil` where the file at `path` is none.
  ///
  /// - Throws: Where it breaks the rules of its form as a whole, or is too large.
  static func subtitleFile(_ path: String) throws(AssetError) -> AssetInfo? {
    guard let status = FileStatus(path: path), status.kind == .regular,
      FileManager.default.isReadableFile(atPath: path)
    else { return nil }
    let isLarge = status.size > SubtitleFile.byteLimit
    let head = FilePart.read(path, count: 65_536)
    guard let form = SubtitleFile.form(path: path, head: head) else {
      // libavformat reads files of other forms at once, too.
      guard isLarge, Demuxer.isSubtitleText(head, path: path) else { return nil }
      throw refusal(path, .tooLarge("more than \(SubtitleFile.byteLimit >> 20) MB of text"))
    }
    let bytes = isLarge ? [] : FilePart.read(path, count: SubtitleFile.byteLimit + 1)
    var info = AssetInfo(
      path: path, formatName: form.rawValue, container: form.rawValue, tracks: [])
    do throws(SubtitleProblem) {
      guard !isLarge else {
        throw .tooLarge("more than \(SubtitleFile.byteLimit >> 20) MB of text")
      }
      let script = try SubtitleScript(SubtitleFile(bytes, form: form))
      info.tracks = [
        AssetTrack(
          kind: .subtitle, streamIndex: 0, codec: form.codec,
          timeBase: Rational(1, Int64(form.ticksPerSecond)), start: .zero, end: .zero)
      ]
      try info.take(script, of: info.tracks[0])
    } catch {
      throw refusal(path, error)
    }
    return info
  }

  /// Reads the lines of the default subtitle stream of a file that has no pictures and no sound.
  mutating func readSubtitles(_ demuxer: Demuxer) throws(AssetError) {
    guard let track = track(.subtitle) else { return }
    let script = try script(of: track, demuxer)
    do throws(SubtitleProblem) { try take(script, of: track) } catch {
      throw Self.refusal(path, error)
    }
  }

  /// Makes the lines of a track all that the file shows.
  private mutating func take(
    _ script: SubtitleScript, of track: AssetTrack
  ) throws(SubtitleProblem) {
    let end = Rational(script.end) * track.timeBase
    guard let first = script.lines.map(\.start).min(), end > .zero else { throw .noLine }
    for index in tracks.indices where tracks[index].streamIndex == track.streamIndex {
      tracks[index].start = Rational(first) * track.timeBase
      tracks[index].end = end
      tracks[index].frameCount = Int64(script.lines.count)
    }
    (subtitles, duration) = (script, end)
  }

  /// Reads the lines of a stream of subtitles; of a file with others beside it, perhaps all of it.
  func script(ofStream index: Int) throws(AssetError) -> SubtitleScript {
    guard let track = tracks.first(where: { $0.streamIndex == index }) else {
      throw AssetError(path: path, reason: .empty, message: "'\(path)' has no stream \(index)")
    }
    if let subtitles, self.track(.subtitle)?.streamIndex == index { return subtitles }
    let demuxer: Demuxer
    do throws(LibAVError) { demuxer = try Demuxer(path: path, trustsHeader: true) } catch {
      throw Self.refusal(path, .damaged(error))
    }
    return try script(of: track, demuxer)
  }

  private func script(
    of track: AssetTrack, _ demuxer: Demuxer
  ) throws(AssetError) -> SubtitleScript {
    guard SubtitleScript.codecs.contains(track.codec) else { throw refusal(of: track.codec) }
    do throws(SubtitleProblem) {
      return try SubtitleScript.read(demuxer, stream: track.streamIndex)
    } catch {
      throw Self.refusal(path, error)
    }
  }

  private func refusal(of codec: String) -> AssetError {
    let what =
      SubtitleScript.isPictures(codec)
      ? "subtitles as pictures" : "subtitles of a kind that is not read"
    return AssetError(
      path: path, reason: .unsupported,
      message:
        "'\(path)' holds \(what) ('\(codec)'); turn them into a file of SubRip, ASS or WebVTT")
  }

  private static func refusal(_ path: String, _ problem: SubtitleProblem) -> AssetError {
    func refused(_ reason: AssetError.Reason, _ message: String) -> AssetError {
      AssetError(path: path, reason: reason, message: message)
    }
    switch problem {
    case .encoding(let line):
      let place = line.map { "line \($0) of '\(path)' is" } ?? "the subtitles of '\(path)' are"
      return refused(
        .unreadable,
        "\(place) not in UTF-8, nor in UTF-16 with a byte-order mark; convert the file, as with "
          + "iconv -f WINDOWS-1252 -t UTF-8 for Western European ones")
    case .noTimes:
      return refused(
        .unreadable, "'\(path)' cannot be read as subtitles: it has no line with its times")
    case .noLine: return refused(.empty, "'\(path)' holds no line of subtitles")
    case .tooLarge(let what):
      return refused(
        .unsupported, "the subtitles of '\(path)' are too large: there are \(what)")
    case .damaged(let error):
      return refused(
        .unreadable, "the subtitles of '\(path)' cannot be read: \(error.description)")
    }
  }
}
