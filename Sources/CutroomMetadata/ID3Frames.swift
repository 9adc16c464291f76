/// Which frames of ID3v2 can be written, and from what.
package enum ID3Frames {
  /// Whether the key is four capitals or digits.
  package static func isFrame(_ key: String) -> Bool {
    key.utf8.count == 4
      && key.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
  }

  /// Whether the frame is made of texts; others are kept as bytes.
  package static func holdsText(_ key: String) -> Bool {
    key.hasPrefix("T") || key.hasPrefix("W")
      || ["COMM", "USLT", "GRP1", "MVNM", "MVIN", "PCST"].contains(key)
  }

  /// Whether a frame is a list in every version: of people and what they did.
  static func holdsList(_ key: String) -> Bool { ["TIPL", "TMCL", "IPLS"].contains(key) }

  /// Whether a frame has room for a single text.
  package static func holdsOneText(_ key: String) -> Bool {
    key.hasPrefix("W") || ["COMM", "USLT", "PCST"].contains(key)
  }
}
