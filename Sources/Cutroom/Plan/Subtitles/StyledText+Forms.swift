extension StyledText {
  /// As SubRip stores a line.
  var subRip: String {
    runs.map { run in
      let style = run.style
      return Self.tagged(
        run.text,
        [
          style.isBold ? ("b", "") : nil, style.isItalic ? ("i", "") : nil,
          style.isUnderlined ? ("u", "") : nil, style.isStruck ? ("s", "") : nil,
          style.color.map { ("font", " color=\"\(Self.hexadecimal($0))\"") },
        ])
    }.joined()
  }

  /// A text within tags, of which the first is the outermost.
  private static func tagged(_ text: String, _ tags: [(name: String, rest: String)?]) -> String {
    tags.compactMap(\.self).reversed().reduce(text) {
      "<\($1.name)\($1.rest)>\($0)</\($1.name)>"
    }
  }

  private static func hexadecimal(_ color: UInt32) -> String {
    let digits = String(color, radix: 16)
    return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  /// As a cue of WebVTT.
  var webVTT: String {
    let text = runs.map { run in
      let style = run.style
      let escaped = run.text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;")
      return Self.tagged(
        escaped,
        [
          style.isBold ? ("b", "") : nil, style.isItalic ? ("i", "") : nil,
          style.isUnderlined ? ("u", "") : nil,
          style.color.flatMap { Self.colorNames[$0] }.map { ("c", "." + $0) },
        ])
    }.joined()
    // An empty line would end the cue.
    return text.split(whereSeparator: \.isNewline).joined(separator: "\n")
  }

  /// The classes that players of WebVTT know.
  private static let colorNames: [UInt32: String] = [
    0xFFFFFF: "white", 0x00FF00: "lime", 0x00FFFF: "cyan", 0xFF0000: "red", 0xFFFF00: "yellow",
    0xFF00FF: "magenta", 0x0000FF: "blue", 0x000000: "black",
  ]

  /// As a sample of 3GPP timed text: the letters, then a box of styles where there are any.
  ///
  /// `nil` where the letters are more than a sample holds.
  func timedText() -> [UInt8]? {
    let letters = Array(plain.utf8)
    guard letters.count <= Int(UInt16.max) else { return nil }
    var records: [UInt8] = []
    var count: UInt16 = 0
    var position = 0
    for run in runs {
      let end = position + run.text.unicodeScalars.count
      if run.style != Style(), count < .max {
        records += Self.bytes(UInt16(clamping: position)) + Self.bytes(UInt16(clamping: end))
        records += Self.record(run.style)
        count += 1
      }
      position = end
    }
    let sample = Self.bytes(UInt16(clamping: letters.count)) + letters
    guard count > 0 else { return sample }
    return sample + Self.bytes(UInt32(clamping: records.count + 10)) + Array("styl".utf8)
      + Self.bytes(count) + records
  }

  /// How timed text is shown where its samples say nothing else: at the bottom, in the middle.
  static func timedTextSettings(width: Int, height: Int, isForced: Bool) -> [UInt8] {
    let name = Array("Arial".utf8)
    var settings = bytes(isForced ? UInt32(0xC000_0000) : 0)
    // Centred, at the bottom, on nothing.
    settings += [1, 0xFF, 0, 0, 0, 0]
    for edge in [0, 0, height, width] { settings += bytes(UInt16(clamping: edge)) }
    settings += bytes(UInt16(0)) + bytes(UInt16(0))
    settings += record(Style())
    settings += bytes(UInt32(clamping: 13 + name.count)) + Array("ftab".utf8)
    settings += bytes(UInt16(1)) + bytes(UInt16(1)) + [UInt8(name.count)] + name
    return settings
  }

  /// Font 1, face, the size that players take for the usual one, and colour.
  private static func record(_ style: Style) -> [UInt8] {
    let face: UInt8 =
      (style.isBold ? 1 : 0) | (style.isItalic ? 2 : 0) | (style.isUnderlined ? 4 : 0)
    let color = style.color ?? 0xFFFFFF
    return bytes(UInt16(1)) + [face, 16] + bytes(color << 8 | 0xFF)
  }

  private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// What is lost of it in a form.
  func losses(in codec: String) -> Set<Loss> {
    var lost = losses
    for style in runs.map(\.style) {
      if style.isStruck, codec != "subrip" { lost.insert(.struck) }
      if let color = style.color, codec == "webvtt", Self.colorNames[color] == nil {
        lost.insert(.colors)
      }
    }
    return lost
  }
}
