/// The JSON Schema of the composition file, written from `CompositionFormat`.
public enum CompositionSchema {
  /// The schema, by the draft 2020-12.
  ///
  /// It describes compositions in strict JSON. What cannot be said in a schema — that a clip's
  /// source exists, or that a time lies inside it — is left to checking.
  public static var json: JSONValue {
    var writer = SchemaWriter()
    let top = writer.reference(to: CompositionFormat.top)
    let definitions = writer.definitions.sorted { $0.key < $1.key }
    return .object([
      .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
      .init("$id", "urn:cutroom:composition:1"),
      .init("title", "Cutroom composition, version 1"),
      .init("$ref", top),
      .init("$defs", .object(definitions.map { .init($0.key, $0.value) })),
    ])
  }
}

/// Collects the definitions of a schema.
private struct SchemaWriter {
  var definitions: [String: JSONValue] = [:]

  /// A pointer to the definition of an object, which is made when it is first asked for.
  mutating func reference(to format: ObjectFormat) -> JSONValue {
    if definitions[format.name] == nil {
      definitions[format.name] = true
      definitions[format.name] = object(format)
    }
    return .string("#/$defs/\(format.name)")
  }

  private mutating func object(_ format: ObjectFormat) -> JSONValue {
    var properties: [JSONValue.Member] = []
    for key in format.keys { properties.append(.init(key.name, property(key))) }
    var members: [JSONValue.Member] = [
      .init("description", .string(format.summary)), .init("type", "object"),
      .init("properties", .object(properties)),
      .init("patternProperties", ["^x-": true]), .init("additionalProperties", false),
    ]
    let required = format.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { members.append(.init("required", .array(required))) }
    let rules = format.rules.map(rule)
    if !rules.isEmpty { members.append(.init("allOf", .array(rules))) }
    return .object(members)
  }

  private mutating func property(_ key: KeyFormat) -> JSONValue {
    guard case .object(var members) = value(key.value) else { return true }
    members.insert(.init("description", .string(key.summary)), at: 0)
    if let neutral = key.neutral { members.append(.init("default", neutral)) }
    return .object(members)
  }

  private func rule(_ rule: KeyRule) -> JSONValue {
    switch rule {
    case .notTogether(let names, _):
      ["not": ["required": .array(names.map { .string($0) })]]
    case .requires(let name, let other):
      ["dependentRequired": .object([.init(name, [.string(other)])])]
    case .notBothFalse(let first, let second):
      [
        "not": [
          "required": [.string(first), .string(second)],
          "properties": .object([.init(first, ["const": false]), .init(second, ["const": false])]),
        ]
      ]
    }
  }

  // MARK: Values

  private mutating func value(_ format: ValueFormat) -> JSONValue {
    switch format {
    case .object(let format): return .object([.init("$ref", reference(to: format))])
    case .list(let element, let least):
      return ["type": "array", "items": value(element), "minItems": .integer(Int64(least))]
    case .map(let element):
      return [
        "type": "object", "patternProperties": ["^x-": true],
        "additionalProperties": value(element),
      ]
    case .either(let forms): return ["anyOf": .array(forms.map { value($0) })]
    case .animated(let inner): return ["anyOf": [value(inner), keyframes(inner)]]
    default: return scalar(format)
    }
  }

  /// The keyframes of a value, whose definition cannot be shared.
  private mutating func keyframes(_ inner: ValueFormat) -> JSONValue {
    guard case .object(var members) = object(CompositionFormat.keyframes(inner)) else {
      return false
    }
    let key = object(CompositionFormat.keyframe(inner))
    for index in members.indices where members[index].key == "properties" {
      members[index].value = [
        "keyframes": ["type": "array", "minItems": 1, "items": key]
      ]
    }
    return .object(members)
  }

  private mutating func scalar(_ format: ValueFormat) -> JSONValue {
    switch format {
    case .text: ["type": "string"]
    case .name: ["type": "string", "minLength": 1]
    case .path: ["type": "string", "pattern": "^[^\\u0000]+$"]
    case .flag: ["type": "boolean"]
    case .never: ["const": false]
    case .scalar: ["type": ["string", "number", "boolean"]]
    case .word(let words, let also): ["enum": .array((words + also).map { .string($0) })]
    case .integer(let bounds, _):
      [
        "type": "integer", "minimum": .integer(Int64(bounds.lowerBound)),
        "maximum": .integer(Int64(bounds.upperBound)),
      ]
    case .rational(let bounds, let isAbove): number(bounds, isAbove: isAbove)
    case .point(let bounds):
      ["type": "array", "items": number(bounds, isAbove: false), "minItems": 2, "maxItems": 2]
    default: shared(format)
    }
  }

  private func number(_ bounds: ClosedRange<Rational>, isAbove: Bool) -> JSONValue {
    let sign = bounds.lowerBound < .zero ? "-?" : ""
    let lower = JSONValue.Member(
      isAbove ? "exclusiveMinimum" : "minimum", .exact(bounds.lowerBound))
    let fraction = "^\(sign)([0-9]+/0*[1-9][0-9]*|[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?)$"
    return [
      "anyOf": [
        .object([
          .init("type", "number"), lower, .init("maximum", .exact(bounds.upperBound)),
        ]), ["type": "string", "pattern": .string(fraction)],
      ]
    ]
  }

  /// The values that have a definition of their own.
  private mutating func shared(_ format: ValueFormat) -> JSONValue {
    let name: String
    let definition: JSONValue
    switch format {
    case .time: (name, definition) = ("time", Self.time(isAbove: false))
    case .length: (name, definition) = ("length", Self.time(isAbove: true))
    case .timecode:
      (name, definition) = ("timecode", ["type": "string", "pattern": .string(Self.timecode)])
    case .frameRate: (name, definition) = ("frameRate", Self.frameRate)
    case .size:
      let side: JSONValue = ["type": "integer", "minimum": 1, "maximum": 32767]
      (name, definition) = (
        "size", ["type": "array", "items": side, "minItems": 2, "maxItems": 2]
      )
    case .color:
      let pattern = "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$"
      (name, definition) = ("color", ["type": "string", "pattern": .string(pattern)])
    case .gain: (name, definition) = ("gain", Self.gain)
    case .bitrate: (name, definition) = ("bitrate", Self.bitrate)
    case .date:
      let date =
        "^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01])(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?"
      (name, definition) = (
        "date",
        ["type": "string", "pattern": .string(date + "(Z|[-+][0-9]{2}:?[0-9]{2})?)?)?)?$")]
      )
    default: return true
    }
    definitions[name] = definition
    return .object([.init("$ref", .string("#/$defs/\(name)"))])
  }

  private static let timecode = "^[0-9]+:[0-5]?[0-9]:[0-5]?[0-9][:;][0-9]+$"

  private static let decimal = "([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?"

  private static func time(isAbove: Bool) -> JSONValue {
    let forms = [
      "\\+?\(decimal)(s|ms)?", "[0-9]+/0*[1-9][0-9]*", "([0-9]+:)?[0-9]+:[0-5]?[0-9](\\.[0-9]*)?",
      "[0-9]+f(@\(rate))?", "[0-9]+@0*[1-9][0-9]*", "[0-9]+:[0-5]?[0-9]:[0-5]?[0-9][:;][0-9]+",
    ]
    // A zero is written with zeros only, whatever the rate behind it.
    let pattern = (isAbove ? "^(?=[^@/]*[1-9])(" : "^(") + forms.joined(separator: "|") + ")$"
    let parts: JSONValue = [
      "type": "object", "required": ["value", "timescale"], "additionalProperties": false,
      "properties": [
        "value": ["type": "integer", "minimum": isAbove ? 1 : 0],
        "timescale": ["type": "integer", "minimum": 1, "maximum": .integer(Int64(Int32.max))],
      ],
    ]
    return [
      "description": "A time: seconds, a fraction, a clock, frames, a timecode",
      "anyOf": [
        .object([.init("type", "number"), .init(isAbove ? "exclusiveMinimum" : "minimum", 0)]),
        ["type": "string", "pattern": .string(pattern)], parts,
      ],
    ]
  }

  /// The texts that are frame rates.
  private static var rate: String {
    let words = FrameRate.aliases.map { $0.text.replacing(".", with: "\\.") }
    return "([0-9]+(\\.0*)?|\(words.joined(separator: "|"))|[0-9]+/0*[1-9][0-9]*)"
  }

  private static var frameRate: JSONValue {
    let aliases = FrameRate.aliases
    let pattern = "^\(rate)$"
    return [
      "description": "Frames per second: a whole number, a fraction, or an alias such as 29.97",
      "anyOf": [
        ["type": "integer", "minimum": 1, "maximum": 1_000_000],
        ["enum": .array(aliases.map { .number($0.text) })],
        ["type": "string", "pattern": .string(pattern)],
      ],
    ]
  }

  private static var gain: JSONValue {
    [
      "description": "A factor, or decibels such as \"-6dB\"",
      "anyOf": [
        ["type": "number", "minimum": 0, "maximum": 100_000],
        [
          "type": "string",
          "pattern": .string("^([-+]?(\(decimal)|[0-9]+/[0-9]+)dB|[0-9]+/0*[1-9][0-9]*)$"),
        ],
      ],
    ]
  }

  private static var bitrate: JSONValue {
    [
      "description": "Bits per second, such as 192000, \"192k\" or \"6M\"",
      "anyOf": [
        ["type": "number", "minimum": 1, "maximum": 2_000_000_000],
        ["type": "string", "pattern": .string("^\(decimal)[kM]?$")],
      ],
    ]
  }
}
