import CutroomMedia
import CutroomModel

/// A line of subtitles in the time of a timeline.
struct MappedCue {
  /// What is shown.
  enum Content: Hashable {
    /// A line of a stream, by its place in the script.
    case line(SubtitleStream, Int)
    /// The text of a source of lettering.
    case text(String)
  }

  var start: Rational
  var end: Rational
  var content: Content
}

/// Takes lines of subtitles to the timeline, by the mapping that pictures go by.
///
/// A line is shown for as long as the clip plays the source times at which the source shows it: cut
/// at the clip's edges, faster or slower with it, mirrored in time where it plays backwards, and for
/// the whole of a clip that holds a picture at which it is shown.
struct SubtitleGatherer {
  private let assets: [String: AssetInfo]
  private(set) var lines: [SubtitleStream: SubtitleLines] = [:]

  init(assets: [String: AssetInfo]) { self.assets = assets }

  /// The lines of a track from `start` to `end`, in order.
  ///
  /// `choose` gives the subtitles of a source that is a file.
  mutating func cues(
    of track: TimelineTrack, in timeline: Timeline, from start: Rational, to end: Rational,
    choose: (Int) -> SubtitleStream?
  ) throws(AssetError) -> [MappedCue] {
    var result: [MappedCue] = []
    /// For each content, the last cue that shows it.
    var last: [MappedCue.Content: Int] = [:]
    for segment in track.segments {
      let (from, to) = (max(segment.start, start), min(segment.end, end))
      guard let source = segment.source, from < to else { continue }
      for cue in try cues(source, segment, from, to, timeline, choose(source)) {
        if let earlier = last[cue.content], result[earlier].end == cue.start {
          result[earlier].end = cue.end
        } else {
          last[cue.content] = result.count
          result.append(cue)
        }
      }
    }
    let order = result.indices.sorted { (result[$0].start, $0) < (result[$1].start, $1) }
    return order.map { result[$0] }
  }

  private mutating func cues(
    _ source: Int, _ segment: TimelineSegment, _ from: Rational, _ to: Rational,
    _ timeline: Timeline, _ stream: SubtitleStream?
  ) throws(AssetError) -> [MappedCue] {
    let times = [segment.sourceTime(at: from), segment.sourceTime(at: to)]
    let (begin, end) = (min(times[0], times[1]), max(times[0], times[1]))
    var found: [MappedCue] = []
    switch timeline.sources[source].content {
    case .text(let text):
      return [MappedCue(start: from, end: to, content: .text(text.text))]
    case .composition:
      guard let inner = timeline.sources[source].timeline else { return [] }
      // Just a moment where a picture is held.
      let until = begin < end ? end : inner.duration
      let assets = assets
      for track in inner.tracks where track.kind == .subtitle {
        found += try cues(of: track, in: inner, from: begin, to: until) { source in
          SubtitleStream(of: source, in: inner, assets)
        }
      }
    default:
      guard let stream, let lines = try read(stream) else { return [] }
      let entries = begin < end ? lines.entries(from: begin, to: end) : lines.entries(at: begin)
      found = entries.map {
        MappedCue(start: $0.start, end: $0.end, content: .line(stream, $0.line))
      }
    }
    return found.compactMap { Self.mapped($0, segment, from, to) }
  }

  /// The cue, whose times are the source's, as the segment shows it from `from` to `to`.
  private static func mapped(
    _ cue: MappedCue, _ segment: TimelineSegment, _ from: Rational, _ to: Rational
  ) -> MappedCue? {
    var mapped = cue
    switch segment.playback {
    case .forward:
      mapped.start = segment.start + (cue.start - segment.sourceStart) / segment.speed
      mapped.end = segment.start + (cue.end - segment.sourceStart) / segment.speed
    case .reversed:
      mapped.start = segment.start + (segment.sourceEnd - cue.end) / segment.speed
      mapped.end = segment.start + (segment.sourceEnd - cue.start) / segment.speed
    case .frozen:
      guard cue.start <= segment.sourceStart, segment.sourceStart < cue.end else { return nil }
      (mapped.start, mapped.end) = (from, to)
    }
    (mapped.start, mapped.end) = (max(mapped.start, from), min(mapped.end, to))
    return mapped.start < mapped.end ? mapped : nil
  }

  private mutating func read(_ stream: SubtitleStream) throws(AssetError) -> SubtitleLines? {
    if let known = lines[stream] { return known }
    guard let asset = assets[stream.path] else { return nil }
    let read = SubtitleLines(try asset.script(ofStream: stream.index), origin: asset.origin)
    lines[stream] = read
    return read
  }
}

extension SubtitleStream {
  /// The subtitles that a source has by its own choice; `nil` where it is no file with any.
  init?(of source: Int, in timeline: Timeline, _ assets: [String: AssetInfo]) {
    guard case .file(let path, _, _) = timeline.sources[source].content,
      let track = assets[path]?.track(.subtitle)
    else { return nil }
    self.init(path: path, index: track.streamIndex)
  }
}
