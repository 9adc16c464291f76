import CutroomModel

/// Why a golden cannot be used.
struct GoldenFlaw: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

extension JSONValue {
  /// What stands at a key of a golden.
  func value(_ key: String, _ place: String) throws(GoldenFlaw) -> JSONValue {
    guard let value = self[key] else { throw GoldenFlaw("\(place) has no '\(key)'") }
    return value
  }

  func list(_ key: String, _ place: String) throws(GoldenFlaw) -> [JSONValue] {
    guard let list = try value(key, place).elements else {
      throw GoldenFlaw("'\(key)' of \(place) is no array")
    }
    return list
  }

  func string(_ key: String, _ place: String) throws(GoldenFlaw) -> String {
    guard let text = try value(key, place).text, !text.isEmpty else {
      throw GoldenFlaw("'\(key)' of \(place) is no text")
    }
    return text
  }

  /// A number of things: not negative, and no more than a file can hold.
  func count(_ key: String, _ place: String) throws(GoldenFlaw) -> Int {
    guard let count = try value(key, place).whole, (0...(1 << 48)).contains(count) else {
      throw GoldenFlaw("'\(key)' of \(place) is no count")
    }
    return Int(count)
  }
}
