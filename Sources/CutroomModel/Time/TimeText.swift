/// Reads times as people write them: `"1/3"`, `"1.5s"`, `"00:01:02.5"`, `"36f"`, `"01:00:00;12"`.
///
/// The forms are those of the composition file; the command line uses the same. Everything is
/// read exactly: no floating-point number is involved.
public enum TimeText {
  /// The longest text that is looked at, in bytes.
  static let lengthLimit = 64

  /// Reads any of the text forms, and a bare number as seconds.
  ///
  /// Throws a ``TimeTextError`` whose sentence quotes the text and says what to write instead.
  public static func parse(_ text: String) throws(TimeTextError) -> TimeExpression {
    guard text.utf8.count <= lengthLimit else {
      throw .syntax(text, "is too long for a time; write at most \(lengthLimit) characters")
    }
    // Beyond ASCII a mark may join the character before it, so that text and bytes split apart.
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw malformed(text) }
    let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
    if colons == 3 || text.utf8.contains(UInt8(ascii: ";")) { return try timecode(text) }
    if colons > 0 { return .seconds(try clock(text)) }
    if text.utf8.contains(UInt8(ascii: "@")) { return try rated(text) }
    if text.utf8.contains(UInt8(ascii: "/")) { return .seconds(try fraction(text)) }
    return try suffixed(text)
  }

  /// Reads the decimal spelling of a number as seconds: `0.1` is one tenth.
  ///
  /// Throws a ``TimeTextError`` when it is not a number, or does not fit 64-bit integers.
  public static func parseNumber(_ text: String) throws(TimeTextError) -> TimeExpression {
    .seconds(try decimal(text[...], of: text))
  }

  /// Reads `{"value": 60060, "timescale": 30000}`, given the spelling of both numbers.
  ///
  /// Throws a ``TimeTextError`` unless the value fits 64 bits and the timescale is 1...2147483647.
  public static func parse(value: String, timescale: String) throws(TimeTextError) -> TimeExpression
  {
    let text = "\(value)/\(timescale)"
    let numerator = try integer(value[...], of: text, "the value")
    let denominator = try integer(timescale[...], of: text, "the timescale")
    guard denominator > 0, denominator <= Int64(Int32.max) else {
      throw .init(
        denominator > 0 ? .timeOverflow : .timeSyntax,
        "the timescale \(denominator) is outside 1...\(Int32.max); "
          + "write the number of units in a second")
    }
    return .seconds(Rational(numerator, denominator))
  }

  // MARK: One form each

  /// `1.5s`, `250ms`, `36f`, or a bare number of seconds.
  private static func suffixed(_ text: String) throws(TimeTextError) -> TimeExpression {
    if text.hasSuffix("ms") {
      let value = try decimal(text.dropLast(2), of: text) / 1000
      guard value.fitsInt64 else { throw .overflow(text) }
      return .seconds(value)
    }
    if text.hasSuffix("s") { return .seconds(try decimal(text.dropLast(), of: text)) }
    if text.hasSuffix("f") {
      return .frames(try integer(text.dropLast(), of: text, "the number of frames"), rate: nil)
    }
    return .seconds(try decimal(text[...], of: text))
  }

  /// `36f@24` or `44100@48000`.
  private static func rated(_ text: String) throws(TimeTextError) -> TimeExpression {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let (count, rate) = (parts[0], parts[1])
    if count.hasSuffix("f") {
      let frames = try integer(count.dropLast(), of: text, "the number of frames")
      let rate = try FrameRate.parse(String(rate))
      guard rate.time(ofFrame: frames).fitsInt64 else { throw .overflow(text) }
      return .frames(frames, rate: rate)
    }
    let samples = try integer(count, of: text, "the number of samples")
    let perSecond = try integer(rate, of: text, "the sample rate")
    guard perSecond > 0, perSecond <= Int64(Int32.max) else {
      throw .syntax(
        text, "has the sample rate \(perSecond), which is outside 1...\(Int32.max) per second")
    }
    return .seconds(Rational(samples, perSecond))
  }

  /// `90090/30000`.
  private static func fraction(_ text: String) throws(TimeTextError) -> Rational {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw .syntax(text, "is not a time; a fraction is written value/timescale, such as \"1/3\"")
    }
    let value = try integer(parts[0], of: text, "the value before the slash")
    let timescale = try integer(parts[1], of: text, "the timescale after the slash")
    guard timescale > 0 else {
      throw .syntax(
        text, "has the timescale \(timescale), but units per second must be 1 or more")
    }
    let result = Rational(value, timescale)
    guard result.fitsInt64 else { throw .overflow(text) }
    return result
  }

  /// `1:02` or `00:01:02.5`.
  private static func clock(_ text: String) throws(TimeTextError) -> Rational {
    let isNegative = text.hasPrefix("-")
    let body = isNegative ? text.dropFirst() : text[...]
    let fields = body.split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count <= 3 else {
      throw .syntax(text, "has too many colons; write h:m:s such as \"00:01:02.5\"")
    }
    let seconds = try decimal(fields[fields.count - 1], of: text, allowsSign: false)
    let minutes = try field(fields[fields.count - 2], of: text, "the minutes")
    let hours = fields.count == 3 ? try field(fields[0], of: text, "the hours") : 0
    guard seconds < 60 else {
      throw .syntax(text, "has \(fields[fields.count - 1]) seconds, but a minute has only 60")
    }
    guard fields.count < 3 || minutes < 60 else {
      throw .syntax(text, "has \(minutes) minutes, but an hour has only 60")
    }
    let whole = (Rational(hours) * 60 + Rational(minutes)) * 60 + seconds
    guard whole.fitsInt64 else { throw .overflow(text) }
    return isNegative ? -whole : whole
  }

  /// `01:00:00:12` or `01:00:00;12`.
  private static func timecode(_ text: String) throws(TimeTextError) -> TimeExpression {
    let fields = text.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";")
    }.map { String(Substring($0)) }
    let semicolons = text.utf8.count { $0 == UInt8(ascii: ";") }
    let isDropFrame =
      semicolons == 1
      && text.utf8.dropLast(fields.last?.utf8.count ?? 0).last
        == UInt8(ascii: ";")
    guard fields.count == 4, semicolons == 0 || isDropFrame else {
      throw .syntax(
        text,
        "is not a timecode; write four fields, \"01:00:00:12\", or \"01:00:00;12\" for "
          + "drop-frame")
    }
    var numbers: [Int] = []
    for (digits, name) in zip(fields, ["the hours", "the minutes", "the seconds", "the frames"]) {
      let number = try field(digits[...], of: text, name)
      guard number < (name == "the hours" || name == "the frames" ? 1_000_000 : 60) else {
        throw .syntax(text, "is not a timecode, for \(number) is too many for \(name) of it")
      }
      numbers.append(Int(number))
    }
    return .timecode(
      Timecode(
        hours: numbers[0], minutes: numbers[1], seconds: numbers[2], frames: numbers[3],
        isDropFrame: isDropFrame))
  }

  // MARK: Numbers

  private static func decimal(
    _ number: Substring, of text: String, allowsSign: Bool = true
  ) throws(TimeTextError) -> Rational {
    let isSigned = number.utf8.first == UInt8(ascii: "-") || number.utf8.first == UInt8(ascii: "+")
    guard allowsSign || !isSigned else { throw malformed(text) }
    switch DecimalText.parse(number) {
    case .value(let value): return value
    case .malformed: throw malformed(text)
    case .overflow: throw .overflow(text)
    }
  }

  /// A whole number with an optional minus sign.
  private static func integer(
    _ number: Substring, of text: String, _ what: String
  ) throws(TimeTextError) -> Int64 {
    let digits = number.utf8.first == UInt8(ascii: "-") ? number.dropFirst() : number
    guard isDigits(digits) else {
      throw .syntax(text, "is not a time: \(what) must be a whole number")
    }
    guard let value = Int64(number) else { throw .overflow(text) }
    return value
  }

  /// Digits without a sign.
  private static func field(
    _ number: Substring, of text: String, _ what: String
  ) throws(TimeTextError) -> Int64 {
    guard isDigits(number) else {
      throw .syntax(text, "is not a time: \(what) must be digits")
    }
    guard let value = Int64(number) else { throw .overflow(text) }
    return value
  }

  private static func isDigits(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Says what is meant where a frequent slip is seen, else lists the forms.
  private static func malformed(_ text: String) -> TimeTextError {
    if text.isEmpty { return .syntax(text, "is empty; write a time such as \"1.5s\"") }
    if text.utf8.contains(UInt8(ascii: " ")) {
      return .syntax(text, "is not a time; write it without spaces, such as \"1.5s\"")
    }
    if text.utf8.contains(UInt8(ascii: ",")) {
      return .syntax(text, "is not a time; write a point for the decimals, such as \"1.5s\"")
    }
    let units: [(String, String)] = [
      ("min", "\"1:30\" for minutes and seconds"), ("m", "\"1:30\" for minutes and seconds"),
      ("h", "\"01:00:00\" for hours"), ("sec", "\"1.5s\" for seconds"),
      ("us", "\"1/1000000\" for microseconds"), ("frames", "\"36f\" for frames"),
    ]
    if let unit = units.first(where: { text.hasSuffix($0.0) }),
      text.utf8.first.map({ $0 < UInt8(ascii: ":") }) == true
    {
      return .syntax(text, "has the unit '\(unit.0)', which times do not have; write \(unit.1)")
    }
    return .syntax(
      text,
      "is not a time; write seconds (1.5, \"1.5s\", \"250ms\"), a fraction (\"1/3\"), "
        + "a clock (\"00:01:02.5\"), frames (\"36f\", \"36f@24\"), samples (\"44100@48000\") "
        + "or a timecode (\"01:00:00:12\")")
  }
}

/// Why a text is not a time or a rate.
public struct TimeTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable code: `time.syntax`, `time.overflow` or `time.rate`.
  public var code: DiagnosticCode
  /// One sentence that quotes the text and says what to write.
  public var message: String

  init(_ code: DiagnosticCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The sentence.
  public var description: String { message }

  static func syntax(_ text: String, _ complaint: String) -> TimeTextError {
    TimeTextError(.timeSyntax, "'\(Excerpt.of(text))' \(complaint)")
  }

  static func overflow(_ text: String) -> TimeTextError {
    TimeTextError(
      .timeOverflow,
      "'\(Excerpt.of(text))' has no exact fraction of 64-bit integers; write fewer digits, at most "
        + "\(Int64.max) above and below the fraction bar")
  }
}

/// A text as messages quote it.
package enum Excerpt {
  /// The text on one line, cut to `limit` characters, without control characters.
  package static func of(_ text: String, limit: Int = 60) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else { return String(result) + "…" }
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      result.append(isControl ? "\u{FFFD}" : scalar)
      count += 1
    }
    return String(result)
  }
}
