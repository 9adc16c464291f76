import CutroomMedia
import CutroomModel

extension Planner {
  /// Says what of the sources and of the composition the result will not have.
  mutating func noteWhatIsLeftOut(
    _ container: Container, _ audio: AudioPlan?, _ further: [FurtherStream], saysTimecode: Bool
  ) {
    noteTracks(further, saysTimecode)
    noteInnerSubtitles()
    if !timeline.chapters.isEmpty, !container.keepsChapters {
      warn(
        .capabilityContainer, "the chapters are left out: '\(container.name)' has none",
        at: "/chapters")
    }
    noteChannels(audio)
  }

  /// Tracks of sources that no clip uses.
  private mutating func noteTracks(_ further: [FurtherStream], _ saysTimecode: Bool) {
    var used: [String: Set<Int>] = [:]
    for case .subtitle(let subtitles) in further.map(\.content) {
      used.merge(subtitles.streams) { $0.union($1) }
    }
    for case .data(let data) in further.map(\.content) {
      for case .copy(let range) in data.chunks.map(\.action) {
        used[range.path, default: []].insert(range.streamIndex)
      }
    }
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
          asset.subtitles != nil || track.kind == .subtitle
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
          && !isKeptOtherwise(track, of: asset, saysTimecode)
      }
      guard !left.isEmpty else { continue }
      let kinds = left.map(\.kind.rawValue).uniqued().map { kind in
        let named = left.filter { $0.kind.rawValue == kind }
        let labels = named.map(\.name).filter { !$0.isEmpty }.joined(separator: ", ")
        return "\(named.count) \(kind)" + (labels.isEmpty ? "" : " (\(labels))")
      }
      let message =
        "further tracks of '\(path)' are not taken along: " + kinds.joined(separator: ", ")
      // Sound and pictures can be had by name; data cannot.
      if settings.tracks == .keep, left.contains(where: { $0.kind == .data }) {
        warn(.mediaTracksLeftOut, message, at: pointer)
      } else {
        note(.mediaTracksLeftOut, message, at: pointer)
      }
    }
  }

  /// Tracks of subtitles within compositions that are shown as pictures.
  private mutating func noteInnerSubtitles() {
    var named: Set<Int> = []
    for track in timeline.tracks where track.kind == .video {
      for segment in track.segments {
        guard let source = segment.source,
          let inner = timeline.sources[source].timeline, named.insert(source).inserted,
          inner.tracks.contains(where: { $0.kind == .subtitle && $0.shows })
        else { continue }
        warn(
          .mediaTracksLeftOut,
          "the subtitles of '\(timeline.sources[source].id)' are not shown with its picture; put "
            + "it on a track of the kind \"subtitle\" too", at: segment.pointer)
      }
    }
  }

  /// Whether what a track tells is in the result in another form, or was found missing there:
  /// timecodes, titles of chapters.
  private func isKeptOtherwise(
    _ track: AssetTrack, of asset: AssetInfo, _ saysTimecode: Bool
  ) -> Bool {
    guard track.kind == .data else { return false }
    return switch track.stream?.codecTag {
    case "tmcd": saysTimecode
    case "text": !asset.chapters.isEmpty
    default: false
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
    hasChapters || ["mp3", "flac", "ogg", "opus", "wav", "aiff"].contains(name)
  }

  /// Whether a file can have several tracks of sound.
  var holdsManySounds: Bool {
    audioCodecs.count > 0 && !["mp3", "flac", "wav", "aiff", "caf", "ogg", "opus"].contains(name)
  }

  /// Whether a file can say that its picture is turned.
  var keepsRotation: Bool { hasEditLists }

  /// Whether a timecode can be stored.
  var keepsTimecode: Bool { ["mp4", "mov", "mkv", "mxf"].contains(name) }
}
