extension Signature {
  /// The parts in which two signatures differ, such as `profile 100≠66, level 31≠30`.
  static func differences(_ a: String, _ b: String) -> String {
    func parts(_ signature: String) -> [(key: String, value: String)] {
      signature.split(separator: " ").enumerated().map { index, part in
        let pair = part.split(separator: "=", maxSplits: 1)
        return pair.count == 2
          ? (String(pair[0]), String(pair[1])) : ("codec", String(part))
      }
    }
    let (left, right) = (parts(a), parts(b))
    var found: [String] = []
    for key in (left + right).map(\.key).uniqued() {
      let values = [left, right].map { side in side.first { $0.key == key }?.value ?? "none" }
      if values[0] != values[1] { found.append("\(key) \(values[0])≠\(values[1])") }
    }
    return found.joined(separator: ", ")
  }
}
