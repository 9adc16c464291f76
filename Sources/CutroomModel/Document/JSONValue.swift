/// A JSON value to be written: objects keep the order of their keys.
public indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number in its decimal spelling, such as `0.25`.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A key with its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  /// Creates an object whose keys stand in the literal's order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }

  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// Creates a truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue {
  /// A time or another exact fraction as `"value/timescale"`.
  public static func time(_ value: Rational) -> JSONValue { .string(value.description) }

  /// A decimal number with at most `digits` places, without trailing zeros; `null` if not finite.
  public static func decimal(_ value: Double, digits: Int = 3) -> JSONValue {
    guard value.isFinite, abs(value) < 1e15, (0...15).contains(digits) else { return .null }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 9e18 else { return .integer(Int64(value)) }
    let (whole, fraction) = Int64(scaled).quotientAndRemainder(dividingBy: Int64(scale))
    var places = String(fraction)
    places = String(repeating: "0", count: digits - min(digits, places.count)) + places
    while places.hasSuffix("0") { places.removeLast() }
    let sign = value < 0 && scaled > 0 ? "-" : ""
    return .number(sign + String(whole) + (places.isEmpty ? "" : "." + places))
  }
}

extension JSONValue {
  /// Strict JSON; with `pretty`, two spaces a level, and short arrays and objects on one line.
  public func encoded(pretty: Bool = false) -> String {
    var text = ""
    write(to: &text, indent: pretty ? 0 : nil)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += value
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      write("[", "]", values.count, to: &text, indent: indent) { index, text, indent in
        values[index].write(to: &text, indent: indent)
      }
    case .object(let members):
      write("{", "}", members.count, to: &text, indent: indent) { index, text, indent in
        Self.write(members[index].key, to: &text)
        text += indent == nil ? ":" : ": "
        members[index].value.write(to: &text, indent: indent)
      }
    }
  }

  private func write(
    _ open: String, _ close: String, _ count: Int, to text: inout String, indent: Int?,
    element: (Int, inout String, Int?) -> Void
  ) {
    text += open
    let breaks = indent != nil && !isShort
    for index in 0..<count {
      if index > 0 { text += breaks || indent == nil ? "," : ", " }
      if breaks, let indent { text += "\n" + String(repeating: "  ", count: indent + 1) }
      element(index, &text, indent.map { $0 + 1 })
    }
    if breaks, let indent { text += "\n" + String(repeating: "  ", count: indent) }
    text += close
  }

  /// Whether the value stands on one line: few scalars.
  var isShort: Bool {
    switch self {
    case .array(let values): values.count <= 4 && values.allSatisfy(\.isScalar)
    case .object(let members):
      members.count <= 6 && members.allSatisfy { $0.value.isScalar || $0.value == .array([]) }
    default: true
    }
  }

  private var isScalar: Bool {
    switch self {
    case .string(let text): text.utf8.count <= 40
    case .array, .object: false
    default: true
    }
  }

  static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
