package import CutroomMedia
package import CutroomModel

/// A stream of the result beside its picture and its sound: a track that travels along.
///
/// It plays a timeline of its own, which has the segments of the composition's track with another
/// stream of their sources; sources without such a stream are silent there.
package struct FurtherStream: Sendable {
  /// What it carries, and how it is made.
  package enum Content: Sendable {
    case audio(AudioPlan)
    case data(DataPlan)
    case subtitle(SubtitlePlan)
  }

  /// What it carries, and how it is made.
  package var content: Content
  /// What the stream plays: one track.
  package var timeline: Timeline
}

/// What a container says of a stream for people and players.
package struct StreamLabel: Hashable, Sendable {
  /// An ISO 639-2 language.
  package var language: String?
  /// What people call it.
  package var title: String?
  /// What it is for.
  package var dispositions: StreamDisposition = []
  /// What wrote it, as movie files tell; only of data.
  package var handler: String?

  /// The label in words: `nob "Commentary"`; empty where there is nothing to say.
  package var text: String {
    [language, title.map { "\"\($0)\"" }].compactMap(\.self).joined(separator: " ")
  }
}

extension AssetTrack {
  /// What its file says of it.
  package var label: StreamLabel {
    let title = stream?.metadata.first { $0.key.lowercased() == "title" }?.value
    return StreamLabel(
      language: language, title: title.flatMap { $0.isEmpty ? nil : $0 },
      dispositions: stream?.dispositions ?? [])
  }
}

extension ExportPlan {
  /// The plan as one of its further streams sees it: with the timeline of that stream.
  package func playing(_ stream: FurtherStream) -> ExportPlan {
    var plan = self
    plan.timeline = stream.timeline
    return plan
  }

  /// The further streams of sound, in order.
  package var furtherSounds: [(stream: FurtherStream, audio: AudioPlan)] {
    further.compactMap { stream in
      switch stream.content {
      case .audio(let audio): (stream, audio)
      case .data, .subtitle: nil
      }
    }
  }

  /// The streams of data, in order.
  package var furtherData: [DataPlan] {
    further.compactMap { if case .data(let data) = $0.content { data } else { nil } }
  }

  /// The tracks of subtitles, in order.
  package var furtherSubtitles: [SubtitlePlan] {
    further.compactMap { if case .subtitle(let plan) = $0.content { plan } else { nil } }
  }

  /// All sound of the result: the main one first.
  package var sounds: [AudioPlan] { [audio].compactMap(\.self) + furtherSounds.map(\.audio) }

  /// What the sources say of their streams of a kind, as far as they agree.
  package func label(_ kind: TimelineTrack.Kind) -> StreamLabel {
    let wanted: AssetTrack.Kind = kind == .video ? .video : .audio
    var labels: [StreamLabel] = []
    for track in timeline.tracks where track.kind == kind {
      for segment in track.segments where segment.start < start + duration && segment.end > start {
        guard let source = segment.source,
          case .file(let path, let video, let audio) = timeline.sources[source].content,
          let asset = assets[path], !asset.isStill,
          let found = asset.track(wanted, kind == .video ? video : audio)
        else { continue }
        labels.append(found.label)
      }
    }
    guard var label = labels.first else { return StreamLabel() }
    for other in labels.dropFirst() {
      if other.language != label.language { label.language = nil }
      if other.title != label.title { label.title = nil }
      label.dispositions.formIntersection(other.dispositions)
    }
    return label
  }
}
