import CutroomMedia
import CutroomModel

/// Tracks of the sources that make one stream of the result: at most one of each source.
struct TrackLane {
  /// The track of its first source.
  var first: AssetTrack
  /// The language that tracks are matched by.
  var language: String?
  /// For each source that has such a track, its index among the tracks of its kind.
  var choices: [Int: Int] = [:]

  /// What messages call it.
  var name: String {
    let label = first.label.text
    return label.isEmpty ? "the further audio track" : "the further audio track \(label)"
  }
}

extension Planner {
  /// A hostile file does not make more encoders than this.
  static let laneLimit = 32

  /// The tracks of sources that travel along: further sound, subtitles and data of the first `av`
  /// track's clips; and the composition's own tracks of subtitles.
  mutating func planFurther(
    _ container: Container, _ video: VideoPlan?, _ audio: AudioPlan?
  ) -> [FurtherStream] {
    let subtitles = planSubtitles(container, video, audio)
    guard settings.tracks == .keep else { return subtitles }
    var streams: [FurtherStream] = []
    if audio != nil { streams += planFurtherSound(container) }
    streams += subtitles
    if video != nil, let track = firstSharedTrack(.video) {
      streams += planData(container, of: track)
    }
    return streams
  }

  private mutating func planFurtherSound(_ container: Container) -> [FurtherStream] {
    guard container.holdsManySounds, let track = firstSharedTrack(.audio) else { return [] }
    var streams: [FurtherStream] = []
    for lane in lanes(of: track, furtherTracks) {
      guard let (audio, timeline) = plan(lane, of: track, container) else { continue }
      noteMissing(lane, of: track)
      streams.append(FurtherStream(content: .audio(audio), timeline: timeline))
    }
    return streams
  }

  /// The half of the first track that has picture and sound.
  func firstSharedTrack(_ kind: TimelineTrack.Kind) -> TimelineTrack? {
    let shared = document.tracks.indices.first { index in
      document.tracks[index].kind == .av && document.tracks[index].isEnabled
    }
    guard let shared else { return nil }
    return timeline.tracks.first { $0.kind == kind && $0.pointer == "/tracks/\(shared)" }
  }

  // MARK: Which tracks belong together

  /// Matches the tracks that sources have to offer: by language, then by order.
  func lanes(of track: TimelineTrack, _ offers: (Int) -> [AssetTrack]) -> [TrackLane] {
    var lanes: [TrackLane] = []
    for source in sources(of: track) {
      var rest = offers(source)
      for isByLanguage in [true, false] {
        rest = rest.filter { candidate in
          let match = lanes.indices.first { index in
            guard lanes[index].choices[source] == nil else { return false }
            if lanes[index].language == candidate.language { return true }
            return !isByLanguage && (lanes[index].language == nil || candidate.language == nil)
          }
          guard let match else { return true }
          lanes[match].choices[source] = candidate.indexOfKind
          lanes[match].language = lanes[match].language ?? candidate.language
          return false
        }
      }
      for candidate in rest where lanes.count < Self.laneLimit {
        lanes.append(
          TrackLane(
            first: candidate, language: candidate.language,
            choices: [source: candidate.indexOfKind]))
      }
    }
    return lanes
  }

  /// The sources of a track's clips in the export's range, in the order of their first use.
  func sources(of track: TimelineTrack) -> [Int] {
    track.segments.filter { clipped($0) != nil }.compactMap(\.source).uniqued()
  }

  /// The audio tracks that a source has beside the one that is used.
  ///
  /// A source whose track was chosen has none.
  private func furtherTracks(of source: Int) -> [AssetTrack] {
    guard case .file(let path, _, nil) = timeline.sources[source].content,
      let asset = assets[path], let main = asset.track(.audio)
    else { return [] }
    return asset.tracks.filter { $0.kind == .audio && $0.streamIndex != main.streamIndex }
  }

  // MARK: Plans

  private mutating func plan(
    _ lane: TrackLane, of track: TimelineTrack, _ container: Container
  ) -> (AudioPlan, Timeline)? {
    let own = lane.first.sound?.channelLayout ?? timeline.channelLayout
    var findings: [Diagnostic] = []
    // A layout that the codec does not have is no reason to lose the track.
    for layout in [own, "stereo"].uniqued() {
      let timeline = timeline(of: lane, track, layout: layout)
      var planner = Planner(
        timeline: timeline, document: laneDocument, assets: assets, baseDirectory: baseDirectory,
        compositionPath: compositionPath, output: output)
      (planner.start, planner.duration, planner.preset) = (start, duration, preset)
      let audio = planner.planAudio(container)
      findings = planner.diagnostics
      if let audio, !planner.hasErrors {
        report(findings, of: lane)
        return (audio, timeline)
      }
      // Nothing of it lies in the export's range.
      if !planner.hasErrors { return nil }
    }
    report(findings, of: lane)
    return nil
  }

  private mutating func report(_ findings: [Diagnostic], of lane: TrackLane) {
    diagnostics += findings.map { finding in
      var named = finding
      named.message = lane.name + ": " + finding.message
      if finding.severity == .error {
        named.fix = "leave further tracks out with \"tracks\": \"main\""
      }
      return named
    }
  }

  /// What the composition says of the rate and layout of its sound is about the main track.
  private var laneDocument: CompositionDocument {
    var document = document
    (document.timeline.sampleRate, document.timeline.channelLayout) = (nil, nil)
    document.export.like = nil
    return document
  }

  /// The timeline with one track, whose sources play the lane's tracks or are silent.
  private func timeline(
    of lane: TrackLane, _ track: TimelineTrack, layout: String
  ) -> Timeline {
    var result = timeline
    var track = track
    track.language = nil
    for index in track.segments.indices where !track.segments[index].sound.channels.isEmpty {
      // A mapping names the main track's channels.
      let source = track.segments[index].source ?? 0
      if channels(of: source, lane) != channels(of: source, nil) {
        track.segments[index].sound.channels = []
      }
    }
    // Filters were tried with the timeline's own rate and layout.
    let isFiltered = track.segments.contains { !$0.sound.filters.isEmpty }
    if !isFiltered {
      result.sampleRate = lane.first.sound?.sampleRate ?? result.sampleRate
      result.channelLayout = layout
    }
    result.tracks = [track]
    for source in result.sources.indices {
      guard case .file(let path, let video, _) = result.sources[source].content,
        let choice = lane.choices[source]
      else {
        result.sources[source] = TimelineSource(
          id: result.sources[source].id, content: .color(timeline.background))
        continue
      }
      result.sources[source].content = .file(path: path, video: video, audio: .index(choice))
    }
    return result
  }

  /// The channels of a source's track in the lane, or of its main track.
  private func channels(of source: Int, _ lane: TrackLane?) -> String? {
    guard case .file(let path, _, let choice) = timeline.sources[source].content else {
      return nil
    }
    let wanted = lane.map { $0.choices[source].map { StreamChoice.index($0) } } ?? choice
    return assets[path]?.track(.audio, wanted)?.sound?.channelLayout
  }

  private mutating func noteMissing(_ lane: TrackLane, of track: TimelineTrack) {
    let missing = sources(of: track).filter { lane.choices[$0] == nil && hasSound($0) }
    guard let first = missing.first else { return }
    let names = missing.map { "'\(timeline.sources[$0].id)'" }.joined(separator: ", ")
    let pointer = track.segments.first { $0.source == first }?.pointer ?? track.pointer
    note(
      .mediaTrackMissing, "\(lane.name) is silent where \(names) plays, which has none such",
      at: pointer)
  }
}
