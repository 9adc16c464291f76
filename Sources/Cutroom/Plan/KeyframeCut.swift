import CutroomMedia
import CutroomModel

/// Moves the ends of clips to where packets can be cut: the in-point back to a keyframe, the
/// out-point on to the next place where nothing before needs anything after.
///
/// What follows on a track moves along. Possible where one track shows pictures, and all sound
/// belongs to its clips.
struct KeyframeCut {
  /// A timeline with moved ends, or what stands against it.
  enum Outcome {
    case moved(Timeline, notes: [Diagnostic])
    case refused(Diagnostic)
  }

  /// What a clip grows by at both ends.
  private struct Growth {
    var lead: Rational = 0
    var tail: Rational = 0
  }

  private let assets: [String: AssetInfo]
  private let files = OpenFiles()
  private var timeline: Timeline
  private var notes: [Diagnostic] = []

  init(_ timeline: Timeline, assets: [String: AssetInfo]) {
    (self.timeline, self.assets) = (timeline, assets)
  }

  /// - Throws: ``CutroomError`` with code `media` when a file does not read.
  mutating func moved() throws(CutroomError) -> Outcome {
    let videos = timeline.tracks.indices.filter { index in
      timeline.tracks[index].kind == .video
        && timeline.tracks[index].segments.contains { !$0.isEmpty }
    }
    guard videos.count <= 1 else { return refused("several tracks have pictures") }
    guard let video = videos.first else { return .moved(timeline, notes: []) }
    let track = timeline.tracks[video]
    guard track.transitions.isEmpty else { return refused("clips have transitions") }
    for other in timeline.tracks where other.kind == .audio {
      guard other.segments.allSatisfy({ belongs($0, to: track) }) else {
        return refused("there is sound that belongs to no picture")
      }
    }
    var growths: [Growth] = []
    for segment in track.segments { growths.append(try growth(segment)) }
    shift(track, growths)
    return .moved(timeline, notes: notes)
  }

  private func refused(_ reason: String) -> Outcome {
    .refused(
      Diagnostic(
        .error, DiagnosticCode.passthroughCut.rawValue,
        "cuts cannot be moved to keyframes: \(reason)", at: "/export/cut",
        fix: "use \"cut\": \"exact\""))
  }

  /// Whether a piece of sound lies under the picture that it comes with.
  private func belongs(_ sound: TimelineSegment, to track: TimelineTrack) -> Bool {
    sound.isEmpty
      || track.segments.contains { picture in
        picture.start == sound.start && picture.duration == sound.duration
          && picture.source == sound.source && picture.sourceStart == sound.sourceStart
      }
  }

  // MARK: Finding the ends

  private mutating func growth(_ segment: TimelineSegment) throws(CutroomError) -> Growth {
    guard let source = segment.source, segment.isPlain,
      case .file(let path, let choice, _) = timeline.sources[source].content,
      let asset = assets[path], !asset.isStill, let track = asset.track(.video, choice)
    else { return Growth() }
    var growth = Growth()
    do {
      let demuxer = try files.take(path).demuxer
      demuxer.select([track.streamIndex])
      let ends = CutEnds(demuxer: demuxer, asset: asset, track: track)
      if let start = try ends.keyframe(atOrBefore: segment.sourceStart) {
        growth.lead = max(.zero, segment.sourceStart - start)
      }
      let end = try ends.boundary(atOrAfter: segment.sourceEnd)
      growth.tail = max(.zero, (end ?? track.end) - segment.sourceEnd)
      files.give(demuxer)
    } catch {
      throw CutroomError(reading: path, error)
    }
    guard growth.lead > .zero || growth.tail > .zero else { return growth }
    let (start, end) = (segment.sourceStart - growth.lead, segment.sourceEnd + growth.tail)
    notes.append(
      Diagnostic(
        .note, DiagnosticCode.cutMoved.rawValue,
        "the range \(segment.sourceStart.secondsText) to \(segment.sourceEnd.secondsText) becomes "
          + "\(start.secondsText) to \(end.secondsText), where packets can be cut",
        at: segment.pointer))
    return growth
  }

  // MARK: Moving

  private mutating func shift(_ video: TimelineTrack, _ growths: [Growth]) {
    /// Where a time of the old timeline lies; at a cut, what comes after it.
    func moved(_ time: Rational) -> Rational {
      var offset = Rational.zero
      for (segment, growth) in zip(video.segments, growths) {
        if time <= segment.start { break }
        offset += growth.lead
        if time >= segment.end { offset += growth.tail }
      }
      return time + offset
    }
    for index in timeline.tracks.indices {
      for place in timeline.tracks[index].segments.indices {
        var segment = timeline.tracks[index].segments[place]
        let match = video.segments.firstIndex { $0.end == segment.end && !segment.isEmpty }
        let end = moved(segment.end)
        segment.start = place == 0 ? .zero : timeline.tracks[index].segments[place - 1].end
        segment.duration = end - segment.start
        if let match {
          segment.sourceStart -= growths[match].lead
          segment.sourceDuration += growths[match].lead + growths[match].tail
        }
        timeline.tracks[index].segments[place] = segment
      }
    }
    for index in timeline.chapters.indices {
      timeline.chapters[index].start = moved(timeline.chapters[index].start)
    }
    timeline.duration = timeline.tracks.map(\.duration).max() ?? .zero
  }
}

/// Finds places at which the packets of a track can be cut.
private struct CutEnds {
  let demuxer: Demuxer
  let asset: AssetInfo
  let track: AssetTrack

  /// The source time of the last keyframe at or before `time` that needs nothing before it.
  func keyframe(atOrBefore time: Rational) throws(LibAVError) -> Rational? {
    var limit = track.tick(at: time, origin: asset.origin)
    let second = max(1, Int64(clamping: (Rational.one / track.timeBase).ceiling))
    for step in 0..<64 {
      var found: Int64?
      try PacketSeek.seek(demuxer, track, to: limit)
      while let packet = try demuxer.read() {
        if let dts = packet.dts, dts > limit { break }
        guard let pts = packet.pts, pts <= limit, packet.isKeyframe, !packet.isDiscard else {
          continue
        }
        if BitstreamCheck.isRandomAccess(packet, demuxer, track) { found = max(found ?? pts, pts) }
      }
      if let found { return track.start(ofTick: found, origin: asset.origin) }
      let (earlier, overflow) = limit.subtractingReportingOverflow(second << min(step, 20))
      guard !overflow, track.time(ofTick: limit, origin: asset.origin) > track.start else { break }
      limit = earlier
    }
    return nil
  }

  /// The source time at or after `time` before which nothing needs anything after it; `nil` for
  /// the end.
  func boundary(atOrAfter time: Rational) throws(LibAVError) -> Rational? {
    guard time < track.end else { return nil }
    let end = Int64(clamping: ((time + asset.origin) / track.timeBase).ceiling)
    try PacketSeek.seek(demuxer, track, to: end - 1)
    var packets: [(pts: Int64, time: Rational)] = []
    var keyframes = 0
    while let packet = try demuxer.read(), keyframes < 2 {
      guard let pts = packet.pts, !packets.isEmpty || packet.isKeyframe else { continue }
      let start = track.start(ofTick: pts, origin: asset.origin)
      packets.append((pts, start))
      if packet.isKeyframe, start >= time { keyframes += 1 }
    }
    var latest = Int64.min
    var later = [Int64](repeating: .max, count: packets.count + 1)
    for index in packets.indices.reversed() {
      later[index] = min(later[index + 1], packets[index].pts)
    }
    for index in packets.indices {
      if index > 0, latest < later[index] {
        let start = track.start(ofTick: later[index], origin: asset.origin)
        if start >= time { return start }
      }
      latest = max(latest, packets[index].pts)
    }
    return nil
  }
}
