import CutroomMedia
import CutroomModel

/// Data of the sources that makes one stream of the result: at most one track of each.
private struct DataLane {
  var first: AssetTrack
  /// For each source that has such a track, the track.
  var tracks: [Int: AssetTrack] = [:]
}

extension Planner {
  /// The data tracks of the clips' files that the container can carry.
  mutating func planData(_ container: Container, of track: TimelineTrack) -> [FurtherStream] {
    var lanes: [DataLane] = []
    for source in sources(of: track) {
      guard case .file(let path, _, _) = timeline.sources[source].content, let asset = assets[path]
      else { continue }
      for candidate in asset.tracks where container.carries(candidate) {
        let tag = candidate.stream?.codecTag
        let match = lanes.indices.first { index in
          lanes[index].tracks[source] == nil && lanes[index].first.stream?.codecTag == tag
        }
        if let match {
          lanes[match].tracks[source] = candidate
        } else if lanes.count < Self.laneLimit {
          lanes.append(DataLane(first: candidate, tracks: [source: candidate]))
        }
      }
    }
    return lanes.compactMap { lane in
      plan(lane, of: track).map { FurtherStream(content: .data($0), timeline: timeline) }
    }
  }

  private mutating func plan(_ lane: DataLane, of track: TimelineTrack) -> DataPlan? {
    var chunks: [Chunk] = []
    var indices: [String: [Int64]] = [:]
    for segment in track.segments {
      guard let source = segment.source, let data = lane.tracks[source],
        case .file(let path, _, _) = timeline.sources[source].content, let asset = assets[path],
        let (from, to) = clipped(segment)
      else { continue }
      guard segment.playback == .forward else {
        note(
          .mediaTrackMissing,
          "the data track \(data.name) is left out where the clip does not play forwards",
          at: segment.pointer)
        continue
      }
      if indices[path] == nil { indices[path] = timestamps(path, data) }
      let begin = segment.sourceTime(at: from)
      let first = Int64(clamping: ((begin + asset.origin) / data.timeBase).floor)
      let end = Int64(
        clamping: ((segment.sourceTime(at: to) + asset.origin) / data.timeBase).ceiling)
      let count =
        indices[path, default: []].count { $0 < end }
        - max(0, indices[path, default: []].count { $0 <= first } - 1)
      guard count > 0 else { continue }
      var range = CopiedRange(
        source: source, path: path, streamIndex: data.streamIndex, sourceStart: begin,
        firstPTS: first, endPTS: end, tickOffset: 0, tickFactor: 1)
      range.speed = segment.speed
      chunks.append(
        Chunk(
          action: .copy(range), start: from - start, duration: to - from, count: Int64(count)))
    }
    guard !chunks.isEmpty else { return nil }
    var label = lane.first.label
    label.handler = lane.first.handler
    return DataPlan(
      codec: lane.first.codec, tag: lane.first.stream?.codecTag ?? "", chunks: chunks,
      ticksPerSecond: ticksPerSecond(lane), label: label)
  }

  /// The finest of the tracks' ticks.
  private func ticksPerSecond(_ lane: DataLane) -> Int64 {
    let scales = lane.tracks.values.map { Int64(clamping: (1 / $0.timeBase).ceiling) }
    return max(1, min(scales.max() ?? 1000, 10_000_000))
  }

  /// When the track's packets begin, in its ticks, by the file's own table.
  private mutating func timestamps(_ path: String, _ track: AssetTrack) -> [Int64] {
    do {
      let demuxer = try Demuxer(path: path, trustsHeader: true)
      return demuxer.index(of: track.streamIndex).map(\.timestamp)
    } catch {
      warn(
        .mediaTracksLeftOut,
        "the data track \(track.name) of '\(path)' is left out: \(error.reason)", at: "")
      return []
    }
  }
}

extension AssetTrack {
  /// What wrote a track of a movie file, where it says so.
  var handler: String? {
    stream?.metadata.first { $0.key.lowercased() == "handler_name" }
      .map { String($0.value.unicodeScalars.filter { $0.value >= 32 }) }
  }

  /// What messages call it among the tracks of its kind.
  var name: String {
    guard kind == .data else { return label.text }
    let tag = stream?.codecTag ?? ""
    let handler = handler.map { "\"\($0)\"" }
    return [tag.isEmpty ? codec : tag, handler].compactMap(\.self).joined(separator: " ")
  }
}

extension Container {
  /// Whether a data track can be stored as it is: what libavformat's muxer writes whole.
  ///
  /// It writes other tracks of QuickTime files with made-up descriptions, and of other containers
  /// not at all.
  func carries(_ track: AssetTrack) -> Bool {
    track.kind == .data && ["mp4", "mov"].contains(name) && track.stream?.codecTag == "gpmd"
  }
}
