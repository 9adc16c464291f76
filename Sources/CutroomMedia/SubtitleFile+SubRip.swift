/// The line of SubRip with the times of what follows: `00:00:01,000 --> 00:00:02,500`.
struct SubRipTiming {
  var start: Int64
  var end: Int64
  /// Left, right, top and bottom where it ends with `X1:10 X2:20 Y1:30 Y2:40`.
  var rectangle: [Int32] = []
  /// What else stands after the times.
  var rest: ArraySlice<UInt8> = []
  /// Whether fractions have three digits, and minutes and seconds are below 60.
  var isProper = true

  init?(_ line: ArraySlice<UInt8>) {
    var scanner = SubtitleLineScanner(line)
    scanner.skipBlanks()
    guard let start = Self.time(&scanner) else { return nil }
    scanner.skipBlanks()
    guard scanner.take(word: "-->") else { return nil }
    scanner.skipBlanks()
    guard let end = Self.time(&scanner) else { return nil }
    (self.start, self.end) = (start.value, end.value)
    isProper = start.isProper && end.isProper
    if scanner.skipBlanks() > 0 {
      let after = scanner
      var values: [Int32] = []
      for key in ["X1:", "X2:", "Y1:", "Y2:"] {
        guard scanner.take(word: key), let value = scanner.number() else { break }
        values.append(Int32(clamping: value.value))
        scanner.skipBlanks()
      }
      if values.count == 4 { rectangle = values } else { scanner = after }
    }
    rest = scanner.rest.trimmed
  }

  private static func time(
    _ scanner: inout SubtitleLineScanner
  ) -> (value: Int64, isProper: Bool)? {
    guard let hours = scanner.number(), scanner.take(":"), let minutes = scanner.number(),
      scanner.take(":"), let seconds = scanner.number(), scanner.take(",."),
      let parts = scanner.number()
    else { return nil }
    let whole = (hours.value * 60 + minutes.value) * 60 + seconds.value
    return (
      whole * 1000 + parts.value, parts.digits == 3 && minutes.value < 60 && seconds.value < 60
    )
  }
}

extension SubtitleFile {
  /// Reads SubRip as libavformat does: text belongs to the times above it, up to the next times,
  /// but for a number right before those.
  mutating func readSubRip(_ reader: inout SubtitleLineReader) throws(SubtitleProblem) {
    var current: (timing: SubRipTiming, line: Int)?
    var text: [ArraySlice<UInt8>] = []
    var isAfterBadTimes = false
    var isBegun = false
    while let line = reader.next() {
      let timing = SubRipTiming(line)
      guard timing != nil || Self.looksLikeTimes(line) else {
        if current != nil {
          text.append(line)
        } else if !isAfterBadTimes, !line.isBlank, !Self.isNumber(line) {
          report(.syntax, reader.number, "stands before all times, and is not shown")
        }
        continue
      }
      isBegun = true
      if let current { try addSubRip(current.timing, current.line, text, isLast: false) }
      text = []
      current = timing.map { ($0, reader.number) }
      isAfterBadTimes = timing == nil
      if timing == nil {
        report(
          .syntax, reader.number,
          "has no times of the form 00:00:01,000 --> 00:00:02,500 ('\(line.excerpt)'); it and the "
            + "text below it are left out")
      }
    }
    if let current { try addSubRip(current.timing, current.line, text, isLast: true) }
    guard isBegun else { throw .noTimes }
    checkOrder(allowsOverlap: false)
  }

  private static func isNumber(_ line: ArraySlice<UInt8>) -> Bool {
    let line = line.trimmed
    return !line.isEmpty && line.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Whether a line without times was meant to have some.
  private static func looksLikeTimes(_ line: ArraySlice<UInt8>) -> Bool {
    guard let arrow = line.firstRange(of: Array("-->".utf8)) else { return false }
    let before = line[..<arrow.lowerBound].trimmed
    return before.contains(0x3A)
      && before.allSatisfy { (0x30...0x3A).contains($0) || [0x2C, 0x2E, 0x20].contains($0) }
  }

  private mutating func addSubRip(
    _ timing: SubRipTiming, _ line: Int, _ text: [ArraySlice<UInt8>], isLast: Bool
  ) throws(SubtitleProblem) {
    var text = text
    while text.last?.isBlank == true { text.removeLast() }
    // The number of the next line, unless it is all the text there is.
    if !isLast, let last = text.last, Self.isNumber(last), text.count > 1 || last.count < 5 {
      text.removeLast()
    }
    while text.last?.isEmpty == true { text.removeLast() }
    if !timing.isProper {
      report(
        .syntax, line,
        "has times that are not of the form 00:00:01,000 --> 00:00:02,500; it is shown from "
          + "\(timing.start) to \(timing.end) ms")
    }
    if !timing.rest.isEmpty {
      report(.syntax, line, "says '\(timing.rest.excerpt)' after its times, which has no effect")
    }
    guard !text.allSatisfy(\.isBlank) else { return }
    let cue =
      timing.start > timing.end
      ? nil
      : Cue(
        line: line, time: timing.start..<timing.end, payload: Array(text.joined(separator: [0x0A])),
        rectangle: timing.rectangle)
    try add(cue, endsAt: timing.end, line)
  }

  /// Looks for cues that begin before the one above them.
  mutating func checkOrder(allowsOverlap: Bool) {
    var before: Cue?
    for cue in cues {
      if let before, cue.time.lowerBound < before.time.lowerBound {
        report(.order, cue.line, "begins before the one in line \(before.line) above it")
      } else if let before, !allowsOverlap, cue.time.lowerBound < before.time.upperBound {
        report(
          .overlap, cue.line,
          "begins before the one in line \(before.line) ends; both are shown at once")
      }
      before = cue
    }
  }
}
