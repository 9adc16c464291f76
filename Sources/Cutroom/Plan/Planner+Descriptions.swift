import CutroomMedia
import CutroomModel

/// What a file says of its pictures beside their coding.
private struct PictureDescription {
  /// FFmpeg's name of the side data.
  var name: String
  var words: String
  /// The containers into which libavformat writes it.
  var containers: Set<String>

  static let all = [
    PictureDescription(
      name: "Spherical Mapping", words: "spherical projection",
      containers: ["mp4", "mkv", "webm"]),
    PictureDescription(
      name: "Stereo 3D", words: "stereoscopic layout", containers: ["mp4", "mkv", "webm"]),
    PictureDescription(
      name: "DOVI configuration record", words: "Dolby Vision configuration",
      containers: ["mp4", "mkv"]),
  ]
}

extension Planner {
  /// Says that rendered pictures have no metadata of Dolby Vision.
  mutating func noteRenderedDolbyVision() {
    note(
      .copyDolbyVision,
      "the result is not marked as Dolby Vision, because the rendered pictures have none of it; "
        + "players show its HDR base", at: "/export")
  }

  /// Says what copied pictures do not say of themselves any more, and what rendered ones never do.
  mutating func noteDescriptions(_ container: Container, _ video: VideoPlan?) {
    guard let video else { return }
    // Players that know Dolby Vision need it in every picture: joining says so itself.
    let isJoined = video.join != nil
    let isWhole = video.isCopied || isJoined && video.chunks.allSatisfy(\.isCopied)
    var seen: Set<String> = []
    for segment in timeline.tracks.filter({ $0.kind == .video }).flatMap(\.segments) {
      guard let source = segment.source, clipped(segment) != nil,
        case .file(let path, let choice, _) = timeline.sources[source].content,
        let types = assets[path]?.track(.video, choice)?.stream?.sideDataTypes,
        seen.insert(path).inserted
      else { continue }
      for description in PictureDescription.all where types.contains(description.name) {
        let isKept =
          (video.isCopied || isJoined) && description.containers.contains(container.name)
        let isDolby = description.words.hasPrefix("Dolby")
        guard !isKept else { continue }
        guard !isDolby || isWhole else {
          if !isJoined { noteRenderedDolbyVision() }
          continue
        }
        let reason =
          video.isCopied || isJoined
          ? "'\(container.name)' cannot hold it" : "rendered pictures do not have it"
        warn(
          .capabilityContainer,
          "the \(description.words) of '\(path)' is left out: \(reason)", at: segment.pointer)
      }
    }
  }
}
