extension Signature {
  /// The parts in which two signatures differ, such as `profile 100≠66, level 31≠30`.
  static func differences(_ a: String, _ b: String) -> String {
    fields(a, b).filter { $0.first != $0.second }.map { "\($0.key) \($0.first)≠\($0.second)" }
      .joined(separator: ", ")
  }

  /// The fields of two signatures, with both values.
  static func fields(
    _ a: String, _ b: String
  ) -> [(key: String, first: String, second: String)] {
    let (left, right) = (fields(of: a), fields(of: b))
    return (left + right).map(\.key).uniqued().map { key in
      let values = [left, right].map { side in side.first { $0.key == key }?.value ?? "none" }
      return (key, values[0], values[1])
    }
  }

  /// The fields of a signature in their order; the first is `codec`.
  static func fields(of signature: String) -> [(key: String, value: String)] {
    signature.split(separator: " ").map { part in
      let pair = part.split(separator: "=", maxSplits: 1)
      return pair.count == 2 ? (String(pair[0]), String(pair[1])) : ("codec", String(part))
    }
  }
}
