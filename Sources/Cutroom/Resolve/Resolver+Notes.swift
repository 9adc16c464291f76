import CutroomMedia
import CutroomModel

extension Resolver {
  /// Says that a clip's place leaves a hole so short that it is likely a slip.
  mutating func noteSmallGap(
    before start: Rational, _ kind: DocumentTrack.Kind, _ clip: Clip, _ pointer: String,
    _ cursor: TrackCursor
  ) {
    let hole = start - cursor.time
    guard clip.at != nil, cursor.previous == .clip, cursor.isKnown, !isRateGuessed,
      hole > .zero, hole * rate.framesPerSecond <= 2
    else { return }
    let shows = kind == .audio ? "there is silence" : "what lies below is shown"
    findings.add(
      .time, .note, .trackGap,
      "the clip begins \(hole.inSeconds) after the one before it ends, and in between \(shows)",
      at: pointer + "/at", fix: "leave out \"at\" to let it follow at once")
  }

  /// Checks that what a clip shows and sounds can be decoded here, unless it is only copied.
  mutating func checkDecoders(_ placed: PlacedClip, _ source: ResolvedSource) {
    guard document.export.mode != .passthrough else { return }
    var streams: [(codec: String?, word: String, setting: String?)] = []
    if placed.showsPicture {
      streams.append((source.pictureCodec, "picture", document.export.video.codec))
    }
    if placed.sounds {
      streams.append((source.soundCodec, "sound", document.export.audio.codec))
    }
    for (codec, word, setting) in streams {
      guard let codec, setting != "copy", !Decoder.isAvailable(for: codec) else { continue }
      findings.add(
        .media, .error, .mediaUnsupportedCodec,
        "the \(word) of '\(source.id)' is coded as '\(codec)', which cannot be decoded here",
        at: placed.pointer + "/source")
    }
  }
}

extension StreamExport<VideoExport> {
  fileprivate var codec: String? {
    if case .settings(let settings) = self { settings.codec } else { nil }
  }
}

extension StreamExport<AudioExport> {
  fileprivate var codec: String? {
    if case .settings(let settings) = self { settings.codec } else { nil }
  }
}
