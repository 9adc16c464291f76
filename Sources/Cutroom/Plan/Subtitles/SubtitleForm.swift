import CutroomMedia
import CutroomModel

/// The form in which a container stores a track's lines, and the lines in that form.
struct SubtitleForm {
  /// FFmpeg's name of the codec.
  let codec: String
  /// What decoders are told.
  let settings: [UInt8]
  /// Whether lines stand as in their sources.
  let isCopied: Bool
  /// What the lines lose, once they were written.
  private(set) var losses: Set<StyledText.Loss> = []

  private let lines: [SubtitleStream: SubtitleLines]
  private var lineNumber = 0
  private var known: [MappedCue.Content: StyledText] = [:]
  /// What all samples of timed text may hold.
  private static let byteLimit = 64 << 20

  /// Chooses the form for cues of `streams` in a container with the `codecs`.
  ///
  /// Lines stand as they are where all streams agree on a form that the container holds.
  init?(
    codecs: [String], streams: Set<SubtitleStream>, hasText: Bool,
    lines: [SubtitleStream: SubtitleLines], canvas: PixelSize, isForced: Bool
  ) {
    guard let standard = codecs.first else { return nil }
    let scripts = streams.compactMap { lines[$0]?.script }
    let native = Set(scripts.map { $0.codec == "ssa" ? "ass" : $0.codec })
    let common = native.count == 1 && !hasText ? native.first : nil
    var isAgreed = common.map(codecs.contains) ?? false
    if common == "ass" || common == "mov_text" {
      isAgreed = isAgreed && Set(scripts.map(\.codecSettings)).count == 1
    }
    codec = isAgreed ? common ?? standard : standard
    isCopied = isAgreed
    self.lines = lines
    switch codec {
    case "mov_text":
      let own = isAgreed ? scripts.first?.codecSettings ?? [] : []
      settings =
        own.count >= 30
        ? own
        : StyledText.timedTextSettings(
          width: canvas.width, height: canvas.height, isForced: isForced)
    case "ass": settings = scripts.first?.codecSettings ?? []
    case "webvtt": settings = isAgreed ? Self.common(scripts.map(\.codecSettings)) : []
    default: settings = []
    }
  }

  private static func common(_ settings: [[UInt8]]) -> [UInt8] {
    Set(settings).count == 1 ? settings.first ?? [] : []
  }

  // MARK: Lines

  /// The lines as packets, in ticks; what is shown at once lies side by side or in one sample.
  mutating func packets(
    _ cues: [MappedCue], ticksPerSecond: Int64, duration: Rational
  ) -> [SubtitlePlan.Cue]? {
    let scale = Rational(ticksPerSecond)
    func tick(_ time: Rational) -> Int64 { Int64(clamping: (time * scale).rounded) }
    let placed = cues.map { cue in
      let start = tick(cue.start)
      return (start: start, end: max(start + 1, tick(cue.end)), content: cue.content)
    }
    guard codec == "mov_text" else {
      return placed.map { packet($0.content, $0.start, $0.end) }
    }
    return samples(placed, until: tick(duration))
  }

  private mutating func packet(
    _ content: MappedCue.Content, _ start: Int64, _ end: Int64
  ) -> SubtitlePlan.Cue {
    var packet = SubtitlePlan.Cue(start: start, end: end, payload: [])
    if isCopied, let line = line(content) {
      packet.payload = line.payload
      (packet.identifier, packet.placement) = (line.identifier, line.placement)
      if codec == "ass" {
        packet.payload = Array("\(lineNumber),\(line.settings),\(line.text)".utf8)
        lineNumber += 1
      }
      return packet
    }
    let text = styled(content)
    losses.formUnion(text.losses(in: codec))
    if line(content)?.placement.isEmpty == false { losses.insert(.places) }
    packet.payload = Array((codec == "webvtt" ? text.webVTT : text.subRip).utf8)
    return packet
  }

  /// Samples without gap or overlap, as files of the MP4 family have them.
  private mutating func samples(
    _ cues: [(start: Int64, end: Int64, content: MappedCue.Content)], until end: Int64
  ) -> [SubtitlePlan.Cue]? {
    var edges = Set([0, end])
    for cue in cues {
      edges.insert(min(cue.start, end))
      edges.insert(min(cue.end, end))
    }
    let times = edges.sorted()
    var samples: [SubtitlePlan.Cue] = []
    var bytes = 0
    var next = 0
    var shown: [(end: Int64, content: MappedCue.Content)] = []
    for (start, end) in zip(times, times.dropFirst()) {
      while next < cues.count, cues[next].start <= start {
        shown.append((cues[next].end, cues[next].content))
        next += 1
      }
      shown.removeAll { $0.end <= start }
      guard let payload = sample(shown.map(\.content)) else { return nil }
      bytes += payload.count
      guard bytes <= Self.byteLimit else { return nil }
      samples.append(
        SubtitlePlan.Cue(start: start, end: end, payload: payload, isGap: payload == Self.gap))
    }
    return samples
  }

  private mutating func sample(_ contents: [MappedCue.Content]) -> [UInt8]? {
    if contents.isEmpty { return Self.gap }
    if isCopied, contents.count == 1, let line = line(contents[0]) { return line.payload }
    var texts: [StyledText] = []
    for content in contents { texts.append(styled(content)) }
    let text = StyledText.joined(texts)
    losses.formUnion(text.losses(in: codec))
    if contents.contains(where: { line($0)?.placement.isEmpty == false }) { losses.insert(.places) }
    // Readers find no line where there are no letters.
    return text.plain.allSatisfy(\.isWhitespace) ? Self.gap : text.timedText()
  }

  /// A sample that shows nothing.
  private static let gap: [UInt8] = [0, 0]

  private func line(_ content: MappedCue.Content) -> SubtitleScript.Line? {
    guard case .line(let stream, let index) = content else { return nil }
    return lines[stream]?.script.lines[index]
  }

  private mutating func styled(_ content: MappedCue.Content) -> StyledText {
    if let text = known[content] { return text }
    let text =
      switch content {
      case .text(let text): StyledText(text)
      case .line(let stream, let index):
        lines[stream].map { StyledText($0.script.lines[index], $0.styles) } ?? StyledText("")
      }
    // Lines that are shown at once come again at each other's edges.
    if known.count >= 1000 { known = [:] }
    known[content] = text
    return text
  }
}
