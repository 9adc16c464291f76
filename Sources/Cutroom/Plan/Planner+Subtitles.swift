import CutroomMedia
import CutroomModel

extension Planner {
  /// The tracks of subtitles of the composition, and those of the first `av` track's files.
  mutating func planSubtitles(
    _ container: Container, _ video: VideoPlan?, _ audio: AudioPlan?
  ) -> [FurtherStream] {
    var gatherer = SubtitleGatherer(assets: assets)
    var plans: [SubtitlePlan] = []
    for track in timeline.tracks where track.kind == .subtitle && track.shows {
      guard !container.subtitleCodecs.isEmpty else {
        error(
          .capabilityContainer, "'\(container.name)' holds no subtitles",
          at: track.pointer + "/kind",
          fix: "export to mp4, mov, mkv or webm, or draw them into the picture: set \"kind\" to "
            + "\"video\"")
        continue
      }
      let (timeline, assets) = (timeline, assets)
      let plan = planSubtitles(container, track, label(of: track), &gatherer) { source in
        SubtitleStream(of: source, in: timeline, assets)
      }
      if let plan { plans.append(plan) }
    }
    if settings.tracks == .keep, !container.subtitleCodecs.isEmpty, video != nil || audio != nil,
      let track = firstSharedTrack(.video)
    {
      let taken = plans.map(\.streams)
      for lane in subtitleLanes(of: track, taken) {
        guard let plan = plan(lane, of: track, container, &gatherer), plan.lineCount > 0 else {
          continue
        }
        plans.append(plan)
      }
    }
    return plans.map { FurtherStream(content: .subtitle($0), timeline: timeline) }
  }

  private func label(of track: TimelineTrack) -> StreamLabel {
    var label = StreamLabel(language: track.language, title: track.name)
    if track.isDefault { label.dispositions.insert(.isDefault) }
    if track.isForced { label.dispositions.insert(.isForced) }
    return label
  }

  /// The subtitles as text that files have, but for those that a track of subtitles shows.
  private func subtitleLanes(
    of track: TimelineTrack, _ taken: [[String: Set<Int>]]
  ) -> [TrackLane] {
    lanes(of: track) { source in
      guard case .file(let path, _, _) = timeline.sources[source].content,
        let asset = assets[path], asset.subtitles == nil
      else { return [] }
      return asset.tracks.filter { candidate in
        candidate.kind == .subtitle && SubtitleScript.codecs.contains(candidate.codec)
          && !taken.contains { $0[path]?.contains(candidate.streamIndex) ?? false }
      }
    }
  }

  private mutating func plan(
    _ lane: TrackLane, of track: TimelineTrack, _ container: Container,
    _ gatherer: inout SubtitleGatherer
  ) -> SubtitlePlan? {
    let findings = diagnostics.count
    let (timeline, assets) = (timeline, assets)
    let plan = planSubtitles(container, track, lane.first.label, &gatherer) { source in
      guard let index = lane.choices[source],
        case .file(let path, _, _) = timeline.sources[source].content,
        let track = assets[path]?.track(.subtitle, .index(index))
      else { return nil }
      return SubtitleStream(path: path, index: track.streamIndex)
    }
    // What travels along does not stand in the way.
    let label = lane.first.name
    let name = label.isEmpty ? "number \(lane.first.indexOfKind + 1)" : label
    for index in findings..<diagnostics.count where diagnostics[index].severity == .error {
      diagnostics[index].severity = .warning
      diagnostics[index].message =
        "the subtitles \(name) are left out: " + diagnostics[index].message
    }
    return plan
  }

  // MARK: One track

  private mutating func planSubtitles(
    _ container: Container, _ track: TimelineTrack, _ label: StreamLabel,
    _ gatherer: inout SubtitleGatherer, choose: (Int) -> SubtitleStream?
  ) -> SubtitlePlan? {
    var cues: [MappedCue]
    do {
      cues = try gatherer.cues(
        of: track, in: timeline, from: start, to: start + duration, choose: choose)
    } catch {
      diagnostics.append(Diagnostic(.error, error.code, error.message, at: track.pointer))
      return nil
    }
    for index in cues.indices {
      cues[index].start -= start
      cues[index].end -= start
    }
    let streams = Set(
      cues.compactMap { cue in
        if case .line(let stream, _) = cue.content { stream } else { nil }
      })
    let hasText = cues.contains { if case .text = $0.content { true } else { false } }
    let label = label.completed(by: streams.compactMap(self.label))
    guard
      var form = SubtitleForm(
        codecs: container.subtitleCodecs, streams: streams, hasText: hasText,
        lines: gatherer.lines, canvas: timeline.size,
        isForced: label.dispositions.contains(.isForced))
    else { return nil }
    let ticks = subtitleTicks(container)
    guard let packets = form.packets(cues, ticksPerSecond: ticks, duration: duration) else {
      error(
        .capabilitySubtitles,
        "the lines that are shown at once are more than '\(container.name)' "
          + "holds", at: track.pointer)
      return nil
    }
    noteLosses(form, streams, gatherer, container, track)
    var plan = SubtitlePlan(
      codec: form.codec, settings: form.settings, cues: packets, ticksPerSecond: ticks,
      label: label, isCopied: form.isCopied,
      streams: Dictionary(grouping: streams, by: \.path).mapValues { Set($0.map(\.index)) },
      canvas: timeline.size)
    if form.codec == "ass", form.isCopied {
      let order = streams.sorted { ($0.path, $0.index) < ($1.path, $1.index) }
      plan.fonts = order.flatMap { gatherer.lines[$0]?.script.fonts ?? [] }.uniqued()
    }
    return plan
  }

  private func label(of stream: SubtitleStream) -> StreamLabel? {
    assets[stream.path]?.tracks.first { $0.streamIndex == stream.index }?.label
  }

  /// Milliseconds in Matroska; elsewhere ticks in which frames of all usual rates begin, as many as
  /// other streams have.
  private func subtitleTicks(_ container: Container) -> Int64 {
    guard container.hasEditLists else { return 1000 }
    return timeline.sampleRate > 90_000 ? 360_000 : 90_000
  }

  private mutating func noteLosses(
    _ form: SubtitleForm, _ streams: Set<SubtitleStream>, _ gatherer: SubtitleGatherer,
    _ container: Container, _ track: TimelineTrack
  ) {
    let lost = StyledText.Loss.allCases.filter(form.losses.contains).map(\.rawValue)
    if !lost.isEmpty {
      note(
        .capabilitySubtitles,
        "the subtitles become '\(form.codec)' in '\(container.name)', without their "
          + lost.joined(separator: ", "), at: track.pointer)
    }
    for stream in streams.sorted(by: { ($0.path, $0.index) < ($1.path, $1.index) }) {
      guard let script = gatherer.lines[stream]?.script else { continue }
      let keepsBlocks =
        form.codec == "webvtt" && !form.settings.isEmpty && container.name != "webm"
      if !script.blocks.isEmpty, !keepsBlocks {
        warn(
          .capabilitySubtitles,
          "\(script.blockNames) of '\(stream.path)' are left out: "
            + (form.codec == "webvtt" && form.isCopied && container.name != "webm"
              ? "the track has lines of other files, which they do not speak of"
              : "'\(container.name)' does not hold them"),
          at: track.pointer)
      }
      let count = script.emptyCount
      guard count > 0 else { continue }
      warn(
        .shapeNoEffect,
        "\(count) of the lines of '\(stream.path)' are never shown, as they end before they begin",
        at: track.pointer)
    }
  }
}

extension StreamLabel {
  /// The label with the language and the title that the sources agree on, where it has none.
  fileprivate func completed(by labels: [StreamLabel]) -> StreamLabel {
    var result = self
    let (languages, titles) = (Set(labels.map(\.language)), Set(labels.map(\.title)))
    if language == nil, languages.count == 1 { result.language = languages.first ?? nil }
    if title == nil, titles.count == 1 { result.title = titles.first ?? nil }
    return result
  }
}
