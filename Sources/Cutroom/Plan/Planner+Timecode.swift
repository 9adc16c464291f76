import CutroomMedia
import CutroomModel

extension Planner {
  /// The timecode of the result's first picture as text; `nil` where there is none.
  ///
  /// The composition's own, advanced by the start of the export's range; else that of the source
  /// whose picture comes first, advanced by its in-point.
  mutating func startTimecode(_ container: Container, _ video: VideoPlan?) -> String? {
    let keeps = container.keepsTimecode && video != nil
    if let own = timeline.startTimecode {
      guard keeps else {
        warn(
          .capabilityContainer,
          "the start timecode is left out: '\(container.name)' has none without a picture or at all",
          at: "/timeline/startTimecode")
        return nil
      }
      return advanced(own, by: start)
    }
    guard settings.tracks == .keep, video != nil, let first = firstPicture,
      let timecode = timecode(of: first.asset, first.track, at: first.segment.pointer)
    else { return nil }
    let reason: String? =
      if !keeps {
        "'\(container.name)' has none"
      } else if !first.segment.isPlain {
        "the clip does not play as its source"
      } else if first.track.picture?.nominalFrameRate != timeline.frameRate {
        "the result has another rate"
      } else {
        nil
      }
    if reason == nil,
      let text = advanced(timecode, by: first.segment.sourceTime(at: start) - first.track.start)
    {
      return text
    }
    note(
      .mediaTracksLeftOut,
      "the timecode of '\(first.asset.path)' is left out: "
        + (reason ?? "its rate does not have it"), at: first.segment.pointer)
    return nil
  }

  /// The lowest picture of a file that the result begins with.
  private var firstPicture: (segment: TimelineSegment, asset: AssetInfo, track: AssetTrack)? {
    for track in timeline.tracks where track.kind == .video {
      guard let index = track.segmentIndex(at: start), let source = track.segments[index].source,
        case .file(let path, let choice, _) = timeline.sources[source].content,
        let asset = assets[path], !asset.isStill, let picture = asset.track(.video, choice)
      else { continue }
      return (track.segments[index], asset, picture)
    }
    return nil
  }

  private mutating func timecode(
    of asset: AssetInfo, _ track: AssetTrack, at pointer: String
  ) -> Timecode? {
    let own = track.stream?.metadata.first { $0.key.lowercased() == "timecode" }?.value
    let whole = asset.formatTags.first { $0.key.lowercased() == "timecode" }?.value
    guard let text = own ?? whole else { return nil }
    do {
      if case .timecode(let timecode) = try TimeText.parse(text) { return timecode }
    } catch {
      note(
        .mediaTracksLeftOut, "the timecode of '\(asset.path)' is left out: \(error)", at: pointer)
    }
    return nil
  }

  /// The timecode of a later frame; numbers begin again after a day.
  private func advanced(_ timecode: Timecode, by time: Rational) -> String? {
    let rate = timeline.frameRate
    let day = Timecode(
      hours: 24, minutes: 0, seconds: 0, frames: 0, isDropFrame: timecode.isDropFrame)
    guard let first = timecode.frame(at: rate), let length = day.frame(at: rate) else { return nil }
    let number = first + rate.frame(at: time)
    return Timecode(
      frame: number % max(1, length), at: rate, isDropFrame: timecode.isDropFrame)?.text
  }
}
