import CutroomMedia
import CutroomModel

extension Planner {
  /// The track of the file that the result is to be like; `nil` where none is named, or it has none.
  func likeTrack(_ kind: AssetTrack.Kind) -> AssetTrack? {
    guard let like = settings.like,
      let source = timeline.sources.first(where: { $0.id == like }),
      case .file(let path, let video, let audio) = source.content
    else { return nil }
    return assets[path]?.track(kind, kind == .video ? video : audio)
  }

  /// What a wanted likeness has against copying.
  func likenessObstacles(_ pieces: [CopyPiece]) -> [CopyObstacle] {
    guard let kind = pieces.first?.track.kind, let like = likeTrack(kind) else { return [] }
    return pieces.filter { $0.track.signature != like.signature }.map { piece in
      CopyObstacle(
        .passthroughParameters, "like.differs",
        "'\(piece.path)' is coded differently from '\(settings.like ?? "")': "
          + Signature.differences(like.signature, piece.track.signature),
        at: piece.pointer)
    }
  }

  /// Fills what the author leaves open with what the file has.
  func likened(_ wanted: VideoExport, _ container: Container) -> VideoExport {
    guard let like = likeTrack(.video), let stream = like.stream, wanted.codec == nil,
      container.videoCodecs.contains(like.codec), let codec = Codec.named(like.codec)
    else { return wanted }
    var wanted = wanted
    wanted.codec = codec.name
    if wanted.pixelFormat == nil, let format = like.picture?.pixelFormat,
      Encoder.info(encoder: wanted.encoder ?? codec.encoder)?.pixelFormats
        .contains(where: { $0.name == format }) ?? false
    {
      wanted.pixelFormat = format
    }
    if let profile = Self.profiles[stream.profileName],
      ["h264", "hevc", "prores"].contains(codec.name),
      !wanted.options.contains(where: { $0.name == "profile" })
    {
      wanted.options.append(CodecOption(name: "profile", value: profile))
    }
    return wanted
  }

  /// Fills what the author leaves open with what the file has.
  func likened(_ wanted: AudioExport, _ container: Container) -> AudioExport {
    guard let like = likeTrack(.audio), wanted.codec == nil,
      container.audioCodecs.contains(like.codec), Codec.named(like.codec) != nil
    else { return wanted }
    var wanted = wanted
    wanted.codec = like.codec
    return wanted
  }

  /// Encoders' names of profiles, by FFmpeg's.
  private static let profiles = [
    "Baseline": "baseline", "Constrained Baseline": "baseline", "Main": "main", "High": "high",
    "High 10": "high10", "High 4:2:2": "high422", "Main 10": "main10", "Proxy": "proxy",
    "LT": "lt", "Standard": "standard", "HQ": "hq", "4444": "4444",
  ]

  /// The ticks per second of the file, where frames of the timeline last whole ones.
  func likeTicks() -> Int64? {
    guard let like = likeTrack(.video) else { return nil }
    let ticks = like.timeBase.denominator / max(1, like.timeBase.numerator)
    guard ticks >= 1000, ticks <= Int128(Int32.max),
      (timeline.frameRate.frameDuration * Rational(Int64(ticks))).isInteger
    else { return nil }
    return Int64(ticks)
  }

  /// Says whose coding a joined picture has, where sources are coded differently.
  mutating func noteChoice(_ plan: VideoPlan) {
    guard plan.join != nil,
      let path = plan.chunks.lazy.compactMap({ chunk -> String? in
        if case .copy(let range) = chunk.action { range.path } else { nil }
      }).first
    else { return }
    let tracks = pictureFiles
    guard let chosen = tracks.first(where: { $0.path == path })?.track else { return }
    let others = tracks.filter { $0.track.signature != chosen.signature }
    guard let first = others.first else { return }
    let names = others.map { other in
      "'\(other.path)' (" + Signature.differences(chosen.signature, other.track.signature) + ")"
    }
    let reason = settings.like == nil ? "the largest part that is coded alike" : "as asked for"
    note(
      .copyChoice,
      "the picture is coded as '\(path)', \(reason); rendered to it: "
        + names.joined(separator: ", ")
        + (settings.like == nil ? "; \"like\" in \"export\", or --like FILE, chooses another" : ""),
      at: first.pointer)
  }

  /// The files whose pictures are shown, in the order of their first use.
  private var pictureFiles: [(path: String, track: AssetTrack, pointer: String)] {
    var files: [(path: String, track: AssetTrack, pointer: String)] = []
    for segment in timeline.tracks.filter({ $0.kind == .video }).flatMap(\.segments) {
      guard let source = segment.source, clipped(segment) != nil,
        case .file(let path, let choice, _) = timeline.sources[source].content,
        let asset = assets[path], !asset.isStill, let track = asset.track(.video, choice),
        !files.contains(where: { $0.path == path })
      else { continue }
      files.append((path, track, segment.pointer))
    }
    return files
  }
}
