import CutroomMedia
import CutroomModel

extension Planner {
  /// Says what of the sources and of the composition the result will not have.
  mutating func noteWhatIsLeftOut(
    _ container: Container, _ video: VideoPlan?, _ audio: AudioPlan?, _ further: [FurtherStream]
  ) {
    noteTracks(further)
    if !timeline.chapters.isEmpty, !container.keepsChapters {
      warn(
        .capabilityContainer, "the chapters are left out: '\(container.name)' has none",
        at: "/chapters")
    }
    if timeline.startTimecode != nil, !container.keepsTimecode || video == nil {
      warn(
        .capabilityContainer,
        "the start timecode is left out: '\(container.name)' has none without a picture or at all",
        at: "/timeline/startTimecode")
    }
    noteChannels(audio)
    checkTimescale(container, video)
  }

  /// Tracks of sources that no clip uses.
  private mutating func noteTracks(_ further: [FurtherStream]) {
    var used: [String: Set<Int>] = [:]
    var places: [String: String] = [:]
    let timelines = [timeline] + further.map(\.timeline)
    for (timeline, track) in timelines.flatMap({ timeline in timeline.tracks.map { (timeline, $0) }
    }) {
      for segment in track.segments {
        guard let source = segment.source,
          case .file(let path, let video, let audio) = timeline.sources[source].content,
          let asset = assets[path], !asset.isStill
        else { continue }
        let choice =
          asset.subtitles != nil
          ? asset.track(.subtitle)
          : track.kind == .video ? asset.track(.video, video) : asset.track(.audio, audio)
        if let choice { used[path, default: []].insert(choice.streamIndex) }
        if places[path] == nil { places[path] = segment.pointer }
      }
    }
    for (path, pointer) in places.sorted(by: { $0.key < $1.key }) {
      guard let asset = assets[path] else { continue }
      // A file that is used for its sound alone has a picture on purpose.
      let left = asset.tracks.filter { track in
        !used[path, default: []].contains(track.streamIndex)
          && (track.indexOfKind > 0 || track.kind == .subtitle || track.kind == .data)
      }
      guard !left.isEmpty else { continue }
      let kinds = left.map(\.kind.rawValue).uniqued().map { kind in
        let named = left.filter { $0.kind.rawValue == kind }
        let labels = named.map(\.label.text).filter { !$0.isEmpty }.joined(separator: ", ")
        return "\(named.count) \(kind)" + (labels.isEmpty ? "" : " (\(labels))")
      }
      note(
        .mediaTracksLeftOut,
        "further tracks of '\(path)' are not taken along: " + kinds.joined(separator: ", "),
        at: pointer)
    }
  }

  /// Sources with more channels than a layout that the first clip gave the timeline.
  private mutating func noteChannels(_ audio: AudioPlan?) {
    guard let audio, !audio.isCopied, document.timeline.channelLayout == nil else { return }
    let channels = ChannelLayout.channels(of: timeline.channelLayout)
    let more = soundSources.filter { ($0.sound?.channelCount ?? 0) > channels }
    guard let widest = more.compactMap({ $0.sound?.channelLayout }).first else { return }
    note(
      .capabilitySound,
      "the sound is \(timeline.channelLayout), as the first clip's; \(widest) sources are mixed "
        + "down to it", at: "/timeline")
  }
}

extension Container {
  /// Whether chapters can be stored, while muxing or afterwards.
  var keepsChapters: Bool {
    hasChapters || ["mp3", "flac", "ogg", "opus"].contains(name)
  }

  /// Whether a file can have several tracks of sound.
  var holdsManySounds: Bool {
    audioCodecs.count > 0 && !["mp3", "flac", "wav", "aiff", "caf", "ogg", "opus"].contains(name)
  }

  /// Whether a timecode can be stored.
  var keepsTimecode: Bool { ["mp4", "mov", "mkv"].contains(name) }
}
