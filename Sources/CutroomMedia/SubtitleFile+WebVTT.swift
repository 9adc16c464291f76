extension SubtitleFile {
  /// Reads WebVTT by the rules of its standard: blocks between empty lines.
  mutating func readWebVTT(_ reader: inout SubtitleLineReader) throws(SubtitleProblem) {
    guard let first = reader.next(), Self.isSignature(first) else { throw .noTimes }
    var shared: [UInt8] = []
    var regions: Set<String> = []
    while let line = reader.next(), !line.isEmpty {
      if Self.hasArrow(line) {
        report(
          .syntax, reader.number,
          "stands in the head of the file, as there is no empty line before it, and is left out")
      } else if line.starts(with: "X-TIMESTAMP-MAP".utf8) {
        report(
          .syntax, reader.number,
          "says '\(line.excerpt)', which has no effect: times count from the file's start")
      }
    }
    while let block = Self.block(&reader) {
      let head = block.lines[0].trimmed
      if let times = block.lines.prefix(2).firstIndex(where: Self.hasArrow) {
        try addWebVTT(block, times, regions)
      } else if head.elementsEqual("NOTE".utf8) || head.starts(with: "NOTE ".utf8)
        || head.starts(with: "NOTE\t".utf8)
      {
        continue
      } else if cues.isEmpty, head.elementsEqual("STYLE".utf8) || head.elementsEqual("REGION".utf8)
      {
        let name = Self.region(block.lines.dropFirst())
        regions.formUnion([name].compactMap(\.self))
        let kind = String(decoding: head, as: UTF8.self)
        blocks.append(
          SubtitleBlock(
            name: kind == "STYLE" ? kind : "REGION '\(name ?? "")'", line: block.number))
        shared += Array("\n\n".utf8) + block.lines.joined(separator: [0x0A])
      } else {
        report(
          .syntax, block.number,
          "begins a block that is neither a cue nor anything else before the first cue "
            + "('\(block.lines[0].excerpt)'), and is left out")
      }
    }
    if !shared.isEmpty { header = Array("WEBVTT".utf8) + shared + [0x0A] }
    checkOrder(allowsOverlap: true)
  }

  private static func isSignature(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.starts(with: "WEBVTT".utf8) else { return false }
    let next = line.dropFirst(6).first
    return next == nil || next == 0x20 || next == 0x09
  }

  private static func hasArrow(_ line: ArraySlice<UInt8>) -> Bool {
    line.firstRange(of: Array("-->".utf8)) != nil
  }

  /// Lines up to an empty one, or to the times of another cue.
  private static func block(
    _ reader: inout SubtitleLineReader
  ) -> (lines: [ArraySlice<UInt8>], number: Int)? {
    var lines: [ArraySlice<UInt8>] = []
    var number = 0
    var hasTimes = false
    while let line = reader.peek() {
      let isTimes = hasArrow(line)
      if isTimes, hasTimes || lines.count > 1 { break }
      _ = reader.next()
      if line.isEmpty {
        if lines.isEmpty { continue }
        break
      }
      if lines.isEmpty { number = reader.number }
      hasTimes = hasTimes || isTimes
      lines.append(line)
    }
    return lines.isEmpty ? nil : (lines, number)
  }

  /// The name in a block of a region's settings.
  private static func region(_ lines: ArraySlice<ArraySlice<UInt8>>) -> String? {
    for line in lines {
      for setting in line.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 })
      where setting.starts(with: "id:".utf8) || setting.starts(with: "id=".utf8) {
        return String(decoding: setting.dropFirst(3), as: UTF8.self)
      }
    }
    return nil
  }

  private mutating func addWebVTT(
    _ block: (lines: [ArraySlice<UInt8>], number: Int), _ times: Int, _ regions: Set<String>
  ) throws(SubtitleProblem) {
    let line = block.number + times
    let stated = block.lines[times]
    var scanner = SubtitleLineScanner(stated)
    scanner.skipBlanks()
    let start = Self.webVTTTime(&scanner)
    scanner.skipBlanks()
    let hasArrow = scanner.take(word: "-->")
    scanner.skipBlanks()
    guard let start, hasArrow, let end = Self.webVTTTime(&scanner),
      scanner.skipBlanks() > 0 || scanner.rest.isEmpty
    else {
      return report(
        .syntax, line,
        "has no times of the form 00:01.000 --> 00:02.500 ('\(stated.excerpt)'); the cue is left "
          + "out")
    }
    checkSettings(scanner.rest, line, regions)
    let text = block.lines.dropFirst(times + 1)
    guard !text.allSatisfy(\.isBlank) else { return }
    let cue =
      start > end
      ? nil
      : Cue(
        line: line, time: start..<end, payload: Array(text.joined(separator: [0x0A])),
        identifier: times > 0 ? Array(block.lines[0]) : [], placement: Array(scanner.rest.trimmed))
    try add(cue, endsAt: end, line)
  }

  private static func webVTTTime(_ scanner: inout SubtitleLineScanner) -> Int64? {
    guard let first = scanner.number(), scanner.take(":"), let second = scanner.number(),
      second.digits == 2
    else { return nil }
    var (hours, minutes, seconds) = (Int64(0), first, second)
    if scanner.take(":") {
      guard let third = scanner.number(), third.digits == 2 else { return nil }
      (hours, minutes, seconds) = (first.value, second, third)
    }
    guard minutes.digits == 2, minutes.value < 60, seconds.value < 60, scanner.take("."),
      let parts = scanner.number(), parts.digits == 3
    else { return nil }
    return ((hours * 60 + minutes.value) * 60 + seconds.value) * 1000 + parts.value
  }

  private mutating func checkSettings(
    _ settings: ArraySlice<UInt8>, _ line: Int, _ regions: Set<String>
  ) {
    for setting in settings.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }) {
      let name = String(decoding: setting.prefix { $0 != 0x3A }, as: UTF8.self)
      let value = String(decoding: setting.dropFirst(name.utf8.count + 1), as: UTF8.self)
      guard CueSetting(rawValue: name) != nil, !value.isEmpty else {
        report(.syntax, line, "says '\(setting.excerpt)', which is no setting of a cue")
        continue
      }
      if name == CueSetting.region.rawValue, !regions.contains(value) {
        report(.style, line, "names the region '\(value)', which the file does not have")
      }
    }
  }
}

/// What a cue of WebVTT can say of its place.
enum CueSetting: String, CaseIterable {
  case vertical, line, position, size, align, region
}
