import CutroomMedia
import CutroomModel

extension AssetInfo {
  /// Reads the lines of the default subtitle stream of a file that has no pictures and no sound.
  mutating func readSubtitles(_ demuxer: Demuxer) throws(AssetError) {
    guard let track = track(.subtitle) else { return }
    let script = try script(of: track, demuxer)
    let end = Rational(script.end) * track.timeBase
    guard let first = script.lines.map(\.start).min(), end > .zero else {
      throw AssetError(
        path: path, reason: .empty, message: "'\(path)' holds no line of subtitles")
    }
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
      throw refusal(.damaged(error))
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
      throw refusal(error)
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

  private func refusal(_ problem: SubtitleProblem) -> AssetError {
    switch problem {
    case .encoding:
      AssetError(
        path: path, reason: .unreadable,
        message: "the subtitles of '\(path)' are not in UTF-8; convert them, as with "
          + "iconv -f WINDOWS-1252 -t UTF-8 for Western European ones")
    case .tooLarge(let what):
      AssetError(
        path: path, reason: .unsupported,
        message: "the subtitles of '\(path)' are too large: there are \(what)")
    case .damaged(let error):
      AssetError(
        path: path, reason: .unreadable,
        message: "the subtitles of '\(path)' cannot be read: \(error.description)")
    }
  }
}
