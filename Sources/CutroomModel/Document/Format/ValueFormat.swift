/// What a value of a composition file can be.
///
/// The reader takes its bounds and words from here, and the JSON Schema is written from it, so
/// that the two cannot drift apart.
package indirect enum ValueFormat: Sendable {
  /// Any text.
  case text
  /// A text that is not empty.
  case name
  /// The path of a file, or a URL.
  case path
  /// `true` or `false`.
  case flag
  /// One of some words; those in `also` are understood too, and not suggested.
  case word([String], also: [String] = [])
  /// A whole number.
  case integer(ClosedRange<Int>, unit: String)
  /// An exact number, also as a fraction; without the lower bound itself if `isAbove`.
  case rational(ClosedRange<Rational>, isAbove: Bool = false)
  /// Two exact numbers.
  case point(ClosedRange<Rational>)
  /// A time of zero or more.
  case time
  /// A time above zero.
  case length
  case timecode, frameRate, size, color, gain, bitrate
  /// A text, a number, `true` or `false`.
  case scalar
  /// An ISO 8601 date.
  case date
  /// `false` only.
  case never
  case object(ObjectFormat)
  case list(ValueFormat, least: Int = 0)
  /// An object with keys of the author's choice.
  case map(ValueFormat)
  /// A value, or keyframes of it.
  case animated(ValueFormat)
  case either([ValueFormat])

  /// One of the raw values of an enumeration.
  static func cases<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type) -> ValueFormat {
    .word(Word.allCases.map(\.rawValue))
  }

  /// The value that keyframes have, or the value itself.
  var unanimated: ValueFormat { if case .animated(let value) = self { value } else { self } }
}

/// A key of an object of a composition file.
package struct KeyFormat: Sendable {
  /// Its name.
  package var name: String
  /// What it can have.
  package var value: ValueFormat
  /// Whether it must be there.
  package var isRequired: Bool
  /// What it has when it is absent; `nil` where that is nothing, or depends.
  package var neutral: JSONValue?
  /// What it means, in a sentence without its end.
  package var summary: String

  init(
    _ name: String, _ value: ValueFormat, required isRequired: Bool = false,
    default neutral: JSONValue? = nil, _ summary: String
  ) {
    self.name = name
    self.value = value
    self.isRequired = isRequired
    self.neutral = neutral
    self.summary = summary
  }
}

/// What must hold between the keys of an object.
package enum KeyRule: Sendable {
  /// Not all of these keys may be there at once.
  case notTogether([String], advice: String)
  /// The first key makes sense only beside the second.
  case requires(String, String)
  /// Not both of these may be `false`.
  case notBothFalse(String, String)
}

/// An object of a composition file.
package struct ObjectFormat: Sendable {
  /// Its name among the definitions of the schema.
  package var name: String
  /// What it is.
  package var summary: String
  /// Its keys, in the order in which they are written.
  package var keys: [KeyFormat]
  /// What must hold between them.
  package var rules: [KeyRule]

  init(_ name: String, _ summary: String, _ keys: [KeyFormat], rules: [KeyRule] = []) {
    self.name = name
    self.summary = summary
    self.keys = keys
    self.rules = rules
  }

  /// The names of its keys.
  var names: [String] { keys.map(\.name) }

  /// The key of a name.
  subscript(name: String) -> KeyFormat? { keys.first { $0.name == name } }
}
