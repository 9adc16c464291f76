import CutroomMedia
public import CutroomModel

extension ExportPlan {
  /// The plan as `cutroom plan --json` prints it.
  public var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("ok", true), .init("container", .string(container.name)),
      .init("duration", .time(duration)), .init("streams", .array(streams(written: nil))),
      .init("summary", summary),
    ]
    if start != .zero { members.insert(.init("timelineStart", .time(start)), at: 3) }
    return .object(members)
  }

  /// The streams; with what was measured where they were written.
  func streams(written: [PacketWriter.Written]?) -> [JSONValue] {
    var streams: [JSONValue] = []
    var index = 0
    func measured() -> [JSONValue.Member] {
      guard let written, index < written.count else { return [] }
      defer { index += 1 }
      let stream = written[index]
      return [
        .init("packets", .integer(stream.packets)), .init("keyframes", .integer(stream.keyframes)),
        .init("bytes", .integer(stream.bytes)), .init("end", .time(stream.end)),
      ]
    }
    if let video {
      var members: [JSONValue.Member] = [
        .init("kind", "video"), .init("codec", .string(video.codec)),
        .init("frames", .integer(video.frameCount)),
        .init(
          "size",
          [.integer(Int64(video.encoding.size.width)), .integer(Int64(video.encoding.size.height))]),
        .init("frameRate", .string(video.encoding.frameRate.description)),
        .init("timescale", .integer(video.ticksPerSecond)),
      ]
      if video.encoding.encoder != "copy" { members.append(.init("encoder", encoder(video))) }
      members += measured()
      members.append(.init("chunks", .array(video.chunks.map { json($0, count: "frames") })))
      streams.append(.object(members))
    }
    if let audio {
      streams.append(.object(members(audio, measured())))
    }
    for (stream, audio) in furtherSounds {
      let plan = playing(stream)
      let label = plan.label(.audio)
      var members = plan.members(audio, measured())
      if let language = label.language { members.append(.init("language", .string(language))) }
      if let title = label.title { members.append(.init("title", .string(title))) }
      members.append(
        .init("dispositions", .array(label.dispositions.names.map { .string($0) })))
      streams.append(.object(members))
    }
    for subtitles in furtherSubtitles {
      streams.append(.object(members(subtitles, measured())))
    }
    for data in furtherData {
      var members: [JSONValue.Member] = [
        .init("kind", "data"), .init("codec", .string(data.codec)), .init("tag", .string(data.tag)),
      ]
      members += measured()
      members.append(.init("chunks", .array(data.chunks.map { json($0, count: "samples") })))
      streams.append(.object(members))
    }
    return streams
  }

  private func members(
    _ audio: AudioPlan, _ measured: [JSONValue.Member]
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("kind", "audio"), .init("codec", .string(audio.codec)),
      .init("samples", .integer(audio.sampleCount)),
      .init("sampleRate", .integer(Int64(audio.encoding.sampleRate))),
      .init("channelLayout", .string(audio.encoding.channelLayout)),
    ]
    if audio.encoding.encoder != "copy" {
      members.append(.init("encoder", .string(audio.encoding.encoder)))
    }
    members += measured
    members.append(.init("chunks", .array(audio.chunks.map { json($0, count: "samples") })))
    return members
  }

  private func members(
    _ subtitles: SubtitlePlan, _ measured: [JSONValue.Member]
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("kind", "subtitle"), .init("codec", .string(subtitles.codec)),
      .init("lines", .integer(Int64(subtitles.lineCount))),
      .init("action", subtitles.isCopied ? "copy" : "convert"),
    ]
    let label = subtitles.label
    if let language = label.language { members.append(.init("language", .string(language))) }
    if let title = label.title { members.append(.init("title", .string(title))) }
    members.append(.init("dispositions", .array(label.dispositions.names.map { .string($0) })))
    members += measured
    let shown = subtitles.cues.filter { !$0.isGap }
    let ticks = subtitles.ticksPerSecond
    if let first = shown.first {
      members.append(.init("start", .time(Rational(first.start, ticks))))
    }
    if let last = shown.map(\.end).max() {
      members.append(.init("end", .time(Rational(last, ticks))))
    }
    return members
  }

  private func encoder(_ video: VideoPlan) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(video.encoding.encoder)),
      .init("pixelFormat", .string(video.encoding.pixelFormat)),
      .init("keyframeInterval", .integer(Int64(video.encoding.keyframeInterval))),
      .init("threads", .integer(Int64(video.encoding.threads))),
    ]
    if let bitrate = video.encoding.bitrate {
      members.append(.init("bitrate", .integer(Int64(bitrate))))
    }
    let options = video.encoding.options.map { JSONValue.Member($0.name, .string($0.value)) }
    members.append(.init("options", .object(options)))
    return .object(members)
  }

  private func json(_ chunk: Chunk, count: String) -> JSONValue {
    var members: [JSONValue.Member] = []
    switch chunk.action {
    case .copy: members.append(.init("action", "copy"))
    case .render: members.append(.init("action", "render"))
    }
    members += [
      .init("start", .time(chunk.start)), .init("duration", .time(chunk.duration)),
      .init(count, .integer(chunk.count)),
    ]
    switch chunk.action {
    case .copy(let range):
      members += [
        .init("source", .string(timeline.sources[range.source].id)),
        .init("sourceStart", .time(range.sourceStart)),
      ]
    case .render(let reasons):
      members.append(.init("reasons", .array(reasons.map { .string($0) })))
    }
    return .object(members)
  }

  private var counts: (copied: Int64, rendered: Int64) {
    var (copied, rendered): (Int64, Int64) = (0, 0)
    for chunk in video?.chunks ?? [] {
      if case .copy = chunk.action { copied += chunk.count } else { rendered += chunk.count }
    }
    return (copied, rendered)
  }

  private var summary: JSONValue {
    var members: [JSONValue.Member] = [
      .init("copiedFrames", .integer(counts.copied)),
      .init("renderedFrames", .integer(counts.rendered)),
    ]
    if let audio {
      let isCopied = if case .copy? = audio.chunks.first?.action { true } else { false }
      members += [
        .init("copiedSamples", .integer(isCopied ? audio.sampleCount : 0)),
        .init("renderedSamples", .integer(isCopied ? 0 : audio.sampleCount)),
      ]
    }
    members.append(.init("totals", totals.jsonValue))
    return .object(members)
  }

  /// The plan as a table for people.
  public var text: String {
    var lines = ["\(output): \(container.name), \(duration.secondsText)"]
    if let video {
      lines.append(
        "  picture  \(video.codec)  \(video.encoding.size.width)×\(video.encoding.size.height)  "
          + "\(video.encoding.frameRate) fps  \(video.frameCount) frames")
      lines += rows(video.chunks, "frames")
    }
    if let audio { lines += self.lines(audio, "sound   ") }
    for (stream, audio) in furtherSounds {
      let plan = playing(stream)
      lines += plan.lines(audio, "further ", plan.label(.audio).text)
    }
    for subtitles in furtherSubtitles {
      let label = subtitles.label.text
      lines.append(
        "  subtitle \(subtitles.codec)  \(subtitles.lineCount) lines, "
          + (subtitles.isCopied ? "as in the sources" : "converted")
          + (label.isEmpty ? "" : "  \(label)"))
    }
    for data in furtherData {
      lines.append("  data      \(data.tag)  \(data.label.handler ?? "")")
      lines += rows(data.chunks, "samples")
    }
    let totals = totals
    let unit = video == nil ? "samples" : "frames"
    let share = JSONValue.decimal(totals.copiedPercent, digits: 1).encoded()
    lines.append(
      "  \(totals.copied) \(unit) copied (\(share) %), \(totals.rendered) rendered; "
        + totals.sizeText)
    return lines.joined(separator: "\n")
  }

  private func lines(_ audio: AudioPlan, _ heading: String, _ label: String = "") -> [String] {
    let line =
      "  \(heading) \(audio.codec)  \(audio.encoding.sampleRate) Hz  "
      + "\(audio.encoding.channelLayout)  \(audio.sampleCount) samples"
    return [line + (label.isEmpty ? "" : "  \(label)")] + rows(audio.chunks, "samples")
  }

  /// A row for each run of chunks that are made alike.
  private func rows(_ chunks: [Chunk], _ unit: String) -> [String] {
    var rows: [String] = []
    var index = 0
    while index < chunks.count {
      let first = chunks[index]
      var count: Int64 = 0
      var end = first.start
      var number = 0
      while index < chunks.count, isAlike(chunks[index], first, number) {
        count += chunks[index].count
        end = chunks[index].start + chunks[index].duration
        number += 1
        index += 1
      }
      let span = "\(first.start.secondsText) – \(end.secondsText)"
      switch first.action {
      case .copy(let range):
        rows.append(
          "    copy    \(span)  \(count) \(unit)  from \(timeline.sources[range.source].id) at "
            + range.sourceStart.secondsText)
      case .render(let reasons):
        let chunks = number > 1 ? " in \(number) chunks" : ""
        rows.append(
          "    render  \(span)  \(count) \(unit)\(chunks)  because "
            + reasons.joined(separator: ", "))
      }
    }
    return rows
  }

  private func isAlike(_ chunk: Chunk, _ first: Chunk, _ number: Int) -> Bool {
    if case .render = first.action { return chunk.action == first.action }
    return number == 0
  }
}
