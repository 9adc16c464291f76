import CutroomMedia
import CutroomModel

/// What is recorded of a file, and compared: its structure, its samples, its metadata.
struct Fingerprint: Sendable {
  /// A stream of pictures or of sound.
  struct Stream: Sendable {
    /// What the container says: codec, size, rates, tags.
    var facts: [JSONValue.Member]
    var codec: String
    var isVideo: Bool
    var timeBase: TimeBase
    /// Packets in the order in which they are shown.
    var shown: TimestampTable
    /// Packets in the order of the file.
    var decoded: TimestampTable
    var packets: HashList
    /// Decoded pictures, or seconds of decoded sound.
    var content: HashList
    /// Of pictures.
    var thumbnails: Thumbnails?
    /// Of sound.
    var levels: SoundLevels?
    /// Packets that do not decode.
    var damage = 0
  }

  /// What will be done, as the plan says it without paths; `nil` for a file of unknown origin.
  var plan: JSONValue?
  /// What the container says of the whole file.
  var facts: [JSONValue.Member]
  var streams: [Stream]
  /// Items and chapters.
  var metadata: JSONValue
}

extension Fingerprint.Stream {
  /// Whether its encoding keeps every bit.
  var isLossless: Bool {
    ["ffv1", "png", "qtrle", "flac", "alac", "huffyuv", "rawvideo"].contains(codec)
      || codec.hasPrefix("pcm_")
  }

  /// A time for people.
  func time(_ ticks: Int64) -> String {
    guard timeBase.isValid else { return "\(ticks)" }
    return (Rational(ticks) * Rational(Int64(timeBase.numerator), Int64(timeBase.denominator)))
      .secondsText
  }

  /// When a frame is shown.
  func time(ofFrame frame: Int) -> String {
    shown.row(frame).map { " at \(time($0.time))" } ?? ""
  }
}

extension ExportPlan {
  /// The plan without anything that depends on where the files lie.
  var portable: JSONValue {
    // What is estimated may be estimated better some day.
    guard case .object(var members) = jsonValue.withoutFolders,
      let place = members.firstIndex(where: { $0.key == "summary" }),
      case .object(let summary) = members[place].value
    else { return jsonValue.withoutFolders }
    members[place] = .init("summary", .object(summary.filter { $0.key != "totals" }))
    return .object(members)
  }
}

extension JSONValue {
  /// The value with absolute paths shortened to their last names.
  var withoutFolders: JSONValue {
    switch self {
    case .string(let text) where text.hasPrefix("/"):
      .string(text.split(separator: "/").last.map(String.init) ?? text)
    case .array(let values): .array(values.map(\.withoutFolders))
    case .object(let members):
      .object(members.map { Member($0.key, $0.value.withoutFolders) })
    default: self
    }
  }

  /// Where `other` differs first, as a JSON pointer with both values; `nil` where it is equal.
  func difference(from other: JSONValue, at pointer: String = "") -> String? {
    if self == other { return nil }
    switch (self, other) {
    case (.object(let own), .object(let theirs)):
      for member in own {
        let place = "\(pointer)/\(member.key)"
        guard let value = other[member.key] else { return "\(place) is new" }
        if let found = member.value.difference(from: value, at: place) { return found }
      }
      if let missing = theirs.first(where: { self[$0.key] == nil }) {
        return "\(pointer)/\(missing.key) is missing"
      }
      return nil
    case (.array(let own), .array(let theirs)):
      for (index, pair) in zip(own, theirs).enumerated() {
        if let found = pair.0.difference(from: pair.1, at: "\(pointer)/\(index)") { return found }
      }
      return "\(pointer) has \(own.count) elements instead of \(theirs.count)"
    default: return "\(pointer) is \(shortened) instead of \(other.shortened)"
    }
  }

  private var shortened: String {
    let text = encoded()
    return text.count > 80 ? String(text.prefix(77)) + "…" : text
  }
}
