extension Color {
  /// Reads `#RGB`, `#RRGGBB` or `#RRGGBBAA`; `nil` for anything else.
  public init?(hexadecimal text: String) {
    guard text.utf8.first == UInt8(ascii: "#") else { return nil }
    var digits: [UInt8] = []
    for byte in text.utf8.dropFirst() {
      guard byte < 0x80, digits.count < 8,
        let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { return nil }
      digits.append(UInt8(digit))
    }
    switch digits.count {
    case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
    case 6, 8:
      self.init(
        red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3],
        blue: digits[4] << 4 | digits[5],
        alpha: digits.count == 8 ? digits[6] << 4 | digits[7] : 255)
    default: return nil
    }
  }

  /// The spelling of a colour that was given by a usual name, or without its `#`.
  static func meant(by text: String) -> String? {
    if let color = Color(hexadecimal: "#" + text) { return color.hexadecimal }
    return [
      "black": "#000000", "white": "#FFFFFF", "red": "#FF0000", "green": "#008000",
      "blue": "#0000FF", "yellow": "#FFFF00", "gray": "#808080", "grey": "#808080",
      "transparent": "#00000000",
    ][text.lowercased()]
  }

  /// `#RRGGBB`, or `#RRGGBBAA` where it is not opaque.
  public var hexadecimal: String {
    let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
    return parts.reduce("#") { text, part in
      let digits = String(part, radix: 16, uppercase: true)
      return text + (digits.count == 1 ? "0" : "") + digits
    }
  }
}

extension Gain {
  /// Reads decibels such as `-6dB`, from -1000 to 100, or a factor given as a fraction.
  init?(text: String) {
    guard text.utf8.count <= TimeText.lengthLimit else { return nil }
    if text.hasSuffix("dB") {
      guard let value = Rational(text: text.dropLast(2)), value >= -1000, value <= 100 else {
        return nil
      }
      self = .decibels(value)
    } else {
      guard text.utf8.contains(UInt8(ascii: "/")), let value = Rational(text: text[...]),
        value >= .zero, value <= 100_000
      else { return nil }
      self = .factor(value)
    }
  }

  /// The text or number that stands for it in a file.
  var json: JSONValue {
    switch self {
    case .factor(let value): .exact(value)
    case .decibels(let value): .string(value.decimalText + "dB")
    }
  }
}

extension Rational {
  /// Reads a decimal, or a fraction of 64-bit whole numbers such as `-1/3`.
  init?(text: Substring) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 1, case .value(let value) = DecimalText.parse(text) {
      self = value
    } else if parts.count == 2, let above = Int64(parts[0]), let below = Int64(parts[1]), below > 0
    {
      self.init(above, below)
    } else {
      return nil
    }
  }

  /// The decimal spelling where it has one of at most nine places, else `numerator/denominator`.
  var decimalText: String { finiteDecimal ?? description }

  /// The decimal spelling, if the denominator divides 1,000,000,000.
  var finiteDecimal: String? {
    let billion: Int128 = 1_000_000_000
    guard isValid, billion % denominator == 0 else { return nil }
    let (whole, rest) = numerator.magnitude.quotientAndRemainder(dividingBy: denominator.magnitude)
    var text = (numerator < 0 ? "-" : "") + String(whole)
    guard rest != 0 else { return text }
    var places = String(rest * (billion.magnitude / denominator.magnitude))
    places = String(repeating: "0", count: 9 - places.count) + places
    while places.hasSuffix("0") { places.removeLast() }
    text += "." + places
    return text
  }
}

extension TimeExpression {
  /// Whether it lies before 0, at whatever rate.
  var isNegative: Bool {
    switch self {
    case .seconds(let value): value < .zero
    case .frames(let count, _): count < 0
    case .timecode: false
    }
  }
}

extension JSONValue {
  /// An exact number: in decimals where nine places hold it, else as a fraction.
  static func exact(_ value: Rational) -> JSONValue {
    if let whole = Int64(exactly: value.numerator), value.isInteger { return .integer(whole) }
    return value.finiteDecimal.map { .number($0) } ?? .string(value.description)
  }
}

extension TimeExpression {
  /// The number or text by which a file gives this time.
  var json: JSONValue {
    switch self {
    case .seconds(let value): .exact(value)
    default: .string(text)
    }
  }

  /// The text by which ``TimeText/parse(_:)`` reads the same time.
  public var text: String {
    switch self {
    case .seconds(let value): value.decimalText
    case .frames(let count, nil): "\(count)f"
    case .frames(let count, let rate?): "\(count)f@\(rate.text)"
    case .timecode(let timecode): timecode.text
    }
  }
}

extension Timecode {
  /// `01:00:00:12`, with `;` before the frames of a drop-frame timecode.
  public var text: String {
    func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    return "\(padded(hours)):\(padded(minutes)):\(padded(seconds))"
      + "\(isDropFrame ? ";" : ":")\(padded(frames))"
  }
}
