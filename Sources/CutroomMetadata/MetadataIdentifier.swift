internal import CutroomModel

/// What an item is: a key in a key space, printed as `keySpace/key`.
///
/// Bytes from 0x80 may be percent-encoded from Latin-1, so `itsk/%A9nam`, `itsk/@nam` and
/// `itsk/©nam` are one identifier.
public struct MetadataIdentifier: Hashable, Sendable {
  /// The key space.
  public let keySpace: KeySpace
  /// The key; four-character codes are Latin-1, `©nam`.
  public let key: String
  /// What tells several items of one key apart: the description of a `TXXX` or `COMM` frame.
  ///
  /// An empty description is `nil`. This is AVFoundation's extra attribute `info`.
  public let qualifier: String?

  /// Creates an identifier from parts that are known to be right.
  ///
  /// Vorbis fields are upper-cased, since their case means nothing.
  public init(_ keySpace: KeySpace, _ key: String, qualifier: String? = nil) {
    self.keySpace = keySpace
    self.key = keySpace == .vorb ? key.uppercased() : key
    self.qualifier = qualifier == "" ? nil : qualifier
  }

  /// Creates an identifier from a four-character code.
  public init(_ keySpace: KeySpace, code: UInt32) {
    self.init(keySpace, FourCC(code).text)
  }

  /// Creates a freeform identifier.
  public init(mean: String, name: String) {
    self.init(.itlk, mean + "." + name)
  }

  /// The identifier of a common key.
  public init(_ key: CommonKey) { self.init(.common, key.rawValue) }

  /// Parses `title`, `itsk/©nam`, `itsk/%A9nam`, `itsk/----:mean:name`, `id3/TXXX:MOOD`.
  ///
  /// AVFoundation's names are read, too: its constants, such as
  /// `AVMetadataIdentifierQuickTimeMetadataMake`, and its key spaces, such as `org.id3`.
  ///
  /// - Throws: ``MetadataError`` with the code `key` that says what a key looks like.
  public init(parsing text: String) throws(MetadataError) {
    guard let slash = text.firstIndex(of: "/") else {
      guard let key = CommonKey(name: text) else {
        if let identifier = AppleIdentifiers.identifier(named: text) {
          self = identifier
          return
        }
        let meant = CommonKey.meant(by: text).map { "; did you mean '\($0.rawValue)'?" }
        throw MetadataError(
          .key,
          "'\(text)' is neither a common key such as 'title' nor 'keySpace/key'\(meant ?? "")")
      }
      self.init(key)
      return
    }
    let prefix = String(text[..<slash])
    let key = Self.percentDecoded(text[text.index(after: slash)...])
    guard let space = KeySpace(name: prefix) else {
      let known = KeySpace.allCases.map(\.rawValue)
      let advice =
        Suggestion.nearest(to: prefix, in: known).map { "did you mean '\($0)'?" }
        ?? "use one of \(known.joined(separator: ", "))"
      throw MetadataError(.key, "'\(prefix)' in '\(text)' is no key space; \(advice)")
    }
    guard !key.isEmpty else { throw MetadataError(.key, "'\(text)' has no key after the '/'") }
    try self.init(space, parsingKey: key, of: text)
  }

  private init(
    _ space: KeySpace, parsingKey key: String, of text: String
  ) throws(MetadataError) {
    switch space {
    case .common:
      // AVFoundation has a few common keys that no container of ours holds; they are kept as is.
      self.init(.common, CommonKey(name: key)?.rawValue ?? key)
    case .itsk, .udta, .uiso:
      if space == .itsk, let freeform = Self.freeform(key) {
        self.init(mean: freeform.mean, name: freeform.name)
        return
      }
      let code = key.hasPrefix("@") ? "©" + key.dropFirst() : key
      guard code.unicodeScalars.count == 4, code.unicodeScalars.allSatisfy({ $0.value < 256 })
      else {
        throw MetadataError(.key, "'\(text)': the key must be four characters, such as '©nam'")
      }
      self.init(space, code)
    case .itlk:
      guard Self.splitFreeform(key) != nil else {
        throw MetadataError(
          .key, "'\(text)': a freeform key is 'mean.name', such as 'com.apple.iTunes.LABEL'")
      }
      self.init(.itlk, key)
    case .id3:
      let (frame, qualifier) = Self.splitFrame(key)
      guard Self.isFrame(frame) else {
        throw MetadataError(.key, "'\(text)': '\(frame)' is no ID3 frame such as 'TIT2'")
      }
      self.init(.id3, frame, qualifier: qualifier)
    case .vorb:
      guard key.unicodeScalars.allSatisfy({ (0x20...0x7D).contains($0.value) && $0 != "=" }) else {
        throw MetadataError(.key, "'\(text)': a Vorbis field is ASCII without '='")
      }
      self.init(.vorb, key)
    case .mdta, .icy, .lsdr, .caaf, .riff, .matroska:
      self.init(space, key)
    }
  }

  private static func freeform(_ key: String) -> (mean: String, name: String)? {
    guard key.hasPrefix("----:") else { return nil }
    let rest = key.dropFirst(5)
    guard let colon = rest.firstIndex(of: ":") else { return nil }
    return (String(rest[..<colon]), String(rest[rest.index(after: colon)...]))
  }

  private static func splitFrame(_ key: String) -> (String, String?) {
    guard let colon = key.firstIndex(of: ":") else { return (key, nil) }
    return (String(key[..<colon]), String(key[key.index(after: colon)...]))
  }

  private static func isFrame(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    return scalars.count == 4
      && scalars.enumerated().allSatisfy { index, scalar in
        ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
          || (index == 0 && scalar.value == 0)
      }
  }

  /// The mean and the name of a freeform key: after `com.apple.iTunes`, else at the last dot.
  package static func splitFreeform(_ key: String) -> (mean: String, name: String)? {
    let apple = "com.apple.iTunes."
    if key.hasPrefix(apple), key.count > apple.count {
      return (String(apple.dropLast()), String(key.dropFirst(apple.count)))
    }
    guard let dot = key.lastIndex(of: "."), dot != key.startIndex else { return nil }
    let name = key[key.index(after: dot)...]
    return name.isEmpty ? nil : (String(key[..<dot]), String(name))
  }
}

extension MetadataIdentifier: CustomStringConvertible {
  /// `keySpace/key`, readable: `itsk/©nam`, `id3/TXXX:MOOD`.
  public var description: String { printed(encodingLatin1: false) }

  /// `keySpace/key` in ASCII where the key is Latin-1: `itsk/%A9nam`.
  public var percentEncoded: String { printed(encodingLatin1: true) }

  private func printed(encodingLatin1: Bool) -> String {
    var text = keySpace.rawValue + "/"
    let name = qualifier.map { key + ":" + $0 } ?? key
    for scalar in name.unicodeScalars {
      let isControl = scalar.value < 0x20 || scalar == "%" || scalar.value == 0x7F
      if isControl || (encodingLatin1 && (0x80...0xFF).contains(scalar.value)) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "%" + String(repeating: "0", count: 2 - digits.count) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func percentDecoded(_ text: Substring) -> String {
    var result = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
      if scalars[index] == "%", index + 2 < scalars.count,
        let high = Character(scalars[index + 1]).hexDigitValue,
        let low = Character(scalars[index + 2]).hexDigitValue
      {
        result.append(Unicode.Scalar(UInt8(high * 16 + low)))
        index += 3
      } else {
        result.append(scalars[index])
        index += 1
      }
    }
    return String(result)
  }
}

extension MetadataIdentifier {
  /// The identifier under which tables look it up: names whose case means nothing are upper-cased.
  package var folded: MetadataIdentifier {
    switch keySpace {
    case .itlk: MetadataIdentifier(.itlk, key.uppercased())
    case .id3:
      MetadataIdentifier(.id3, key, qualifier: key == "TXXX" ? qualifier?.uppercased() : qualifier)
    case .matroska, .riff: MetadataIdentifier(keySpace, key.uppercased())
    default: self
    }
  }
}
