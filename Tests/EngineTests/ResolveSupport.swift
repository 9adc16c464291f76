import Cutroom
import CutroomModel

/// Files that are not there: descriptions by the path they are asked for.
struct FakeFiles: Sendable {
  var assets: [String: AssetInfo] = [:]

  /// The files that most tests use.
  static let usual = FakeFiles(assets: [
    "a.mp4": clip("a.mp4", picture: 10, sound: 10),
    "b.mp4": clip("b.mp4", picture: 10, sound: 10),
    "short.mp4": clip("short.mp4", picture: 2, sound: Rational(9, 5)),
    "long-sound.mp4": clip("long-sound.mp4", picture: 2, sound: 3),
    "silent.mp4": clip("silent.mp4", picture: 10, sound: nil),
    "song.mp3": clip("song.mp3", picture: nil, sound: 30),
    "mono.wav": clip("mono.wav", picture: nil, sound: 30, sampleRate: 22050, layout: "mono"),
    "ntsc.mp4": clip(
      "ntsc.mp4", picture: 10, sound: 10, rate: Rational(30000, 1001),
      size: PixelSize(width: 640, height: 480)),
    "hlg.mov": clip("hlg.mov", picture: 10, sound: nil, transfer: "arib-std-b67"),
    "pq.mov": clip("pq.mov", picture: 10, sound: nil, transfer: "smpte2084"),
    "late.mp4": clip("late.mp4", picture: 10, sound: 10, pictureStart: 1),
    "vfr.mp4": variable(clip("vfr.mp4", picture: 10, sound: 10)),
    "logo.png": still("logo.png"),
    "odd.mp4": clip("odd.mp4", picture: 10, sound: 10, size: PixelSize(width: 321, height: 181)),
    "surround.mp4": clip("surround.mp4", picture: 10, sound: 10, layout: "5.1"),
    "fast-rate.wav": clip("fast-rate.wav", picture: nil, sound: 10, sampleRate: 192_000),
    "strange.mov": strange(clip("strange.mov", picture: 10, sound: 10)),
  ])

  static func clip(
    _ path: String, picture: Rational?, sound: Rational?, pictureStart: Rational = 0,
    rate: Rational = 25, size: PixelSize = PixelSize(width: 320, height: 180),
    transfer: String? = nil, sampleRate: Int = 48000, layout: String = "stereo"
  ) -> AssetInfo {
    var tracks: [AssetTrack] = []
    if let picture {
      var properties = AssetTrack.Picture(size: size)
      properties.frameRate = rate
      properties.nominalFrameRate = FrameRate(rate)
      properties.colorTransfer = transfer
      properties.colorMatrix = "bt709"
      tracks.append(
        AssetTrack(
          kind: .video, streamIndex: 0, codec: "h264", timeBase: Rational(1, 90000),
          start: pictureStart, end: picture, picture: properties))
    }
    if let sound {
      tracks.append(
        AssetTrack(
          kind: .audio, streamIndex: tracks.count, codec: "aac",
          timeBase: Rational(1, sampleRate), start: 0, end: sound,
          sound: AssetTrack.Sound(
            sampleRate: sampleRate, channelCount: ["mono": 1, "5.1": 6][layout] ?? 2,
            channelLayout: layout)))
    }
    return AssetInfo(path: path, container: "mp4", tracks: tracks)
  }

  private static func still(_ path: String) -> AssetInfo {
    let picture = AssetTrack.Picture(size: PixelSize(width: 100, height: 60))
    let track = AssetTrack(
      kind: .video, streamIndex: 0, codec: "png", timeBase: Rational(1, 25), start: 0, end: 0,
      picture: picture)
    return AssetInfo(path: path, container: "image", isStill: true, tracks: [track])
  }

  /// A file whose picture and sound nothing here decodes.
  private static func strange(_ asset: AssetInfo) -> AssetInfo {
    var asset = asset
    asset.tracks[0].codec = "none"
    asset.tracks[1].codec = "dolby_e_of_tomorrow"
    return asset
  }

  private static func variable(_ asset: AssetInfo) -> AssetInfo {
    var asset = asset
    asset.tracks[0].picture?.isVariableFrameRate = true
    asset.tracks[0].picture?.frameRate = Rational(2988, 100)
    asset.tracks[0].picture?.nominalFrameRate = FrameRate(Rational(30000, 1001))
    return asset
  }

  /// Checks a composition of these tracks, with `extra` members at its top.
  func check(
    tracks: String, _ extra: String = "", baseDirectory: String = ""
  ) -> CheckedComposition {
    let assets = assets
    let json = "{\"format\": \"cutroom/1\",\n\(extra)\n\"tracks\": [\(tracks)]}"
    return Engine.check(text: SourceText(file: "t.json", text: json), baseDirectory: baseDirectory)
    {
      path throws(AssetError) in
      guard let asset = assets[path] else {
        throw AssetError(path: path, reason: .missing, message: "there is no file '\(path)'")
      }
      return asset
    }
  }

  /// Checks a composition of one `av` track with these clips.
  func check(clips: String, _ extra: String = "") -> CheckedComposition {
    check(tracks: "{\"id\": \"main\", \"clips\": [\(clips)]}", extra)
  }
}

extension CheckedComposition {
  /// The findings of a severity as `code pointer`.
  func findings(_ severity: Diagnostic.Severity) -> [String] {
    diagnostics.filter { $0.severity == severity }.map { "\($0.code) \($0.pointer)" }
  }

  /// The segments of the track `id` as `source[start+duration]@place`, or `-[duration]`.
  func segments(_ id: String) -> [String] {
    guard let timeline, let track = timeline.tracks.first(where: { $0.id == id }) else {
      return ["no track"]
    }
    return track.segments.map { segment in
      guard let source = segment.source else {
        return "-[\(segment.duration)]@\(segment.start)"
      }
      let name = timeline.sources[source].id
      return "\(name)[\(segment.sourceStart)+\(segment.sourceDuration)]@\(segment.start)"
    }
  }

  /// The segments of the track `id` as `source[start+duration]@place+length` with what is unusual.
  func played(_ id: String) -> [String] {
    guard let timeline, let track = timeline.tracks.first(where: { $0.id == id }) else {
      return ["no track"] + diagnostics.map { "\($0.code) \($0.pointer): \($0.message)" }
    }
    func text(_ time: Rational) -> String {
      time.isInteger ? "\(time.numerator)" : time.description
    }
    return track.segments.map { segment in
      let place = "@\(text(segment.start))+\(text(segment.duration))"
      guard let source = segment.source else { return "-" + place }
      let way =
        switch segment.playback {
        case .forward: ""
        case .reversed: "<"
        case .frozen: "="
        }
      return timeline.sources[source].id + way
        + "[\(text(segment.sourceStart))+\(text(segment.sourceDuration))]" + place
    }
  }

  /// The transitions of the track `id` as `from>to start+duration`.
  func transitions(_ id: String) -> [String] {
    let track = timeline?.tracks.first { $0.id == id }
    return (track?.transitions ?? []).map { "\($0.from)>\($0.to) \($0.start)+\($0.duration)" }
  }
}
