/// An item in the words of a container, or the reason why there is none.
package struct Translation: Hashable, Sendable {
  /// The items to write; two for a pair in Vorbis fields, none if the item was dropped.
  package var items: [MetadataItem]
  /// What became of the item.
  package var outcome: ItemOutcome
  /// Whether the value is none for the key, in whatever container.
  ///
  /// Somebody who gives such a value must hear of it; from another file as much as possible is
  /// taken over.
  package private(set) var isMisfit = false

  /// Translates an item into a key space of `container` through the common keys.
  ///
  /// With `keepsKeySpace`, an item stays under its identifier wherever the container has a place
  /// for that, even if another program would sooner look elsewhere.
  package init(
    _ given: MetadataItem, for container: TagContainer, keepsKeySpace: Bool = false
  ) {
    let item = given.readable(in: container)
    let key = item.commonKey
    let isNative = container.isMP4Family && Self.mp4Spaces.contains(item.identifier.keySpace)
    let kept = isNative && (keepsKeySpace || key == nil) ? item.identifier : nil
    guard let target = kept ?? Self.target(of: item.identifier, key: key, in: container) else {
      self = Self.dropped(given, key, "\(container.rawValue) has no place for it")
      return
    }
    let kind = key.map { Mapping.kind(of: $0) } ?? Self.kind(of: target, item.value)
    let isTextSpace = ![.itsk, .itlk, .mdta].contains(target.keySpace)
    let isKept = isTextSpace && item.identifier.folded == target.folded && !item.values.isEmpty
    let checked = Self.value(item.value, as: kind, in: target.keySpace)
    guard let value = checked ?? (isKept && kind != .picture ? item.value : nil) else {
      self = Self.dropped(item, key, Self.misfit(item, kind))
      isMisfit = true
      return
    }
    var written = item
    written.identifier = target
    written.value = value
    if target.keySpace != item.identifier.keySpace { written.dataType = nil }
    let isOwn = given.identifier.keySpace == .common || given.identifier.folded == target.folded
    let outcome = ItemOutcome(
      key: key, identifier: target, outcome: isOwn ? .exact : .rekeyed)
    self.init(items: [written], outcome: outcome)
    isMisfit = checked == nil
    if kind.isSingle, item.values.count > 1 {
      isMisfit = true
      if checked != nil { truncate("it holds one value, but \(item.values.count) are there") }
    }
    trim(for: container)
  }

  /// The key spaces that the boxes of an MP4 or QuickTime file have.
  private static let mp4Spaces: Set<KeySpace> = [.itsk, .itlk, .mdta, .udta, .uiso]

  private mutating func truncate(_ detail: String) {
    outcome.outcome = .truncated
    outcome.detail = detail
  }

  /// What is wrong with a misfit.
  package var problem: String { outcome.detail ?? Self.misfit(items.first, outcome.key) }

  private static func misfit(_ item: MetadataItem?, _ key: CommonKey?) -> String {
    guard let item else { return "the value does not fit" }
    return misfit(item, key.map { Mapping.kind(of: $0) } ?? .text)
  }

  private init(items: [MetadataItem], outcome: ItemOutcome) {
    self.items = items
    self.outcome = outcome
  }

  /// An item that is not written, and why.
  package init(dropping item: MetadataItem, _ detail: String) {
    self = Self.dropped(item, item.commonKey, detail)
  }

  private static func dropped(
    _ item: MetadataItem, _ key: CommonKey?, _ detail: String
  ) -> Translation {
    Translation(
      items: [],
      outcome: ItemOutcome(
        key: key, identifier: item.identifier, outcome: .dropped, detail: detail))
  }

  private static func misfit(_ item: MetadataItem, _ kind: Mapping.Kind) -> String {
    if item.value == .data([]) || item.value == .texts([]) { return "it is empty" }
    let given = item.values.first.map { "'\($0)'" } ?? "the given data"
    return switch kind {
    case .text: "\(given) is no text"
    case .pair: "\(given) is not a number, or a number and a total such as '3/12'"
    case .flag: "\(given) is neither 0 nor 1"
    case .picture: "\(given) is no JPEG, PNG or BMP picture"
    case .integer(let width): "\(given) is no whole number of \(width) bytes"
    }
  }

  /// The identifier to write, in the first key space of the container that has one.
  package static func target(
    of identifier: MetadataIdentifier, key: CommonKey?, in container: TagContainer
  ) -> MetadataIdentifier? {
    let spaces = container.keySpaces
    if container.isMP4Family, identifier == MetadataIdentifier(.itsk, "gnre") {
      return MetadataIdentifier(.itsk, "©gen")
    }
    if spaces.contains(identifier.keySpace) { return identifier }
    if container == .mp4, identifier.keySpace == .uiso, identifier.key == "loci" {
      return identifier
    }
    guard let key else { return FreeformName.target(of: identifier, in: container) }
    if container == .webm, key == .artwork { return nil }
    if container == .mp4, key == .location { return MetadataIdentifier(.uiso, "loci") }
    for space in spaces {
      if let native = Mapping.native(key, in: space) { return native }
    }
    // A Vorbis field has a name that any container can hold that holds names at all.
    return Mapping.native(key, in: .vorb).flatMap { FreeformName.target(of: $0, in: container) }
  }

  /// How a native key without a common twin is stored.
  private static func kind(of target: MetadataIdentifier, _ value: MetadataValue) -> Mapping.Kind {
    if target.keySpace == .itsk, let width = IlstTypes.integerWidth[target.key] {
      return .integer(width: width)
    }
    if case .data = value { return .picture }
    if case .integer(_, let width) = value, target.keySpace == .itlk {
      return .integer(width: width)
    }
    return .text
  }

  private static func value(
    _ value: MetadataValue, as kind: Mapping.Kind, in space: KeySpace
  ) -> MetadataValue? {
    // Bytes that are not understood stay what they are within MP4.
    if case .data(let bytes) = value {
      let isKept = kind == .picture || space == .itsk || space == .itlk || space == .mdta
      return isKept && !bytes.isEmpty ? value : nil
    }
    let texts = MetadataItem(MetadataIdentifier(.common, ""), value).values
    let hasNumbers = space == .itsk || space == .itlk || space == .mdta
    switch kind {
    case .picture: return nil
    case .text: return .texts(texts)
    case .pair:
      guard let pair = pair(value) else { return nil }
      return space == .itsk ? pair : .texts(MetadataItem(.init(.common, ""), pair).values)
    case .flag:
      guard let flag = flag(texts.first ?? "") else { return nil }
      return hasNumbers ? .integer(flag, width: 1) : .texts([String(flag)])
    case .integer(let width):
      guard let number = number(texts.first ?? "", width: width, of: value) else { return nil }
      return hasNumbers ? number : .texts([texts.first ?? ""])
    }
  }

  private static func pair(_ value: MetadataValue) -> MetadataValue? {
    if case .pair(let number, let total) = value {
      return (0...0xFFFF).contains(number) && (0...0xFFFF).contains(total) ? value : nil
    }
    if case .integer(let number, _) = value {
      return (0...0xFFFF).contains(number) ? .pair(Int(number), of: 0) : nil
    }
    guard case .texts(let texts) = value, let text = texts.first else { return nil }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      .map { UInt16(trimmed($0)) }
    if parts.count == 1, let number = parts[0] { return .pair(Int(number), of: 0) }
    guard parts.count == 2, let number = parts[0], let total = parts[1] else { return nil }
    return .pair(Int(number), of: Int(total))
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  private static func flag(_ text: String) -> Int64? {
    switch text.lowercased() {
    case "1", "true", "yes": 1
    case "0", "false", "no": 0
    default: nil
    }
  }

  private static func number(
    _ text: String, width: Int, of value: MetadataValue
  ) -> MetadataValue? {
    if case .integer(let number, let given) = value {
      return .integer(number, width: max(given, 1))
    }
    guard let number = Int64(text) else { return nil }
    let wide = width >= 4 && Int32(exactly: number) == nil ? 8 : width
    let limit = Int64.max >> (64 - 8 * Int64(wide))
    return (-limit - 1...limit).contains(number) ? .integer(number, width: wide) : nil
  }
}

extension Translation {
  /// Cuts what the container cannot hold and says so.
  private mutating func trim(for container: TagContainer) {
    guard let item = items.first else { return }
    switch item.identifier.keySpace {
    case .vorb:
      if case .texts(let texts) = item.value,
        outcome.key == .trackNumber || outcome.key == .discNumber
      {
        splitPair(item, texts.first ?? "")
      }
      if container == .opus { replaceGain(item) }
      checkSize(item, container)
    case .id3: trimFrame(item)
    case .riff where container.hasChunks: trimText(item, container)
    case .uiso, .mdta: checkPlace(item)
    case .itsk where item.identifier.key == "©xyz": checkPlace(item)
    default: break
    }
  }

  private mutating func checkPlace(_ item: MetadataItem) {
    let text = item.values.first ?? ""
    guard outcome.key == .location, ISO6709(text) == nil else { return }
    let detail = "'\(text)' is no ISO 6709 place like '+48.85+002.29/'"
    if item.identifier.keySpace == .uiso {
      self = Self.dropped(item, .location, detail)
    }
    isMisfit = true
    outcome.detail = detail
  }

  /// A picture is a block of FLAC, whose size has 24 bits.
  private mutating func checkSize(_ item: MetadataItem, _ container: TagContainer) {
    guard container == .flac, case .data(let bytes) = item.value,
      bytes.count > StructureCheck.maximumBlock - 1024
    else { return }
    self = Self.dropped(item, outcome.key, "a picture in FLAC has at most 16 MB")
    isMisfit = true
  }

  private mutating func trimFrame(_ item: MetadataItem) {
    let key = item.identifier.key
    guard ID3Frames.isFrame(key) else {
      self = Self.dropped(item, outcome.key, "'\(key)' is no frame of ID3v2.3 or ID3v2.4")
      isMisfit = true
      return
    }
    guard case .texts(let texts) = item.value else { return }
    guard ID3Frames.holdsText(key) else {
      self = Self.dropped(item, outcome.key, "the ID3 frame '\(key)' holds no text")
      isMisfit = true
      return
    }
    if texts.count > 1, ID3Frames.holdsOneText(key) {
      let isAddress = key.hasPrefix("W")
      items[0].value = .texts([isAddress ? texts[0] : texts.joined(separator: "; ")])
      truncate(
        isAddress
          ? "the ID3 frame '\(key)' holds one of the \(texts.count) values"
          : "several values are joined by ';'")
    }
    guard key == "TDRC" else { return }
    // The standard counts in universal time, and names no zone.
    let dates = texts.map { MetadataDate($0)?.universal?.id3Text ?? $0 }
    guard dates != texts else { return }
    items[0].value = .texts(dates)
    if texts.contains(where: { MetadataDate($0)?.zone ?? 0 != 0 }) {
      truncate("ID3 keeps no time zone, and has the date in universal time")
    } else if texts.contains(where: { MetadataDate($0)?.isFractional ?? false }) {
      truncate("ID3 keeps no fraction of a second")
    }
  }

  /// Texts of WAV and AIFF files have one value, and those of the broadcast extension a size.
  private mutating func trimText(_ item: MetadataItem, _ container: TagContainer) {
    let key = item.identifier.key
    guard case .texts(let texts) = item.value, TextChunk.holds(key, isAIFF: container == .aiff)
    else {
      self = Self.dropped(
        item, outcome.key, "'\(key)' is no text of \(container.rawValue.uppercased()) files")
      isMisfit = true
      return
    }
    var text = texts.joined(separator: "; ")
    if texts.count > 1, key != "ANNO" {
      items[0].value = .texts([text])
      truncate("several values are joined by ';'")
    }
    guard let capacity = BroadcastExtension.capacity(of: key), text.utf8.count > capacity else {
      return
    }
    text = String(decoding: utf8Prefix(text, bytes: capacity), as: UTF8.self)
    items[0].value = .texts([text])
    truncate("'\(key)' holds \(capacity) bytes")
  }

  private mutating func splitPair(_ item: MetadataItem, _ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1)
    guard parts.count == 2 else { return }
    let total = outcome.key == .trackNumber ? "TRACKTOTAL" : "DISCTOTAL"
    items = [
      MetadataItem(item.identifier, String(parts[0])),
      MetadataItem(MetadataIdentifier(.vorb, total), String(parts[1])),
    ]
  }

  /// Opus states gains in Q7.8 relative to −23 LUFS instead of ReplayGain's −18.
  private mutating func replaceGain(_ item: MetadataItem) {
    let name = item.identifier.key
    guard name.hasPrefix("REPLAYGAIN_") else { return }
    guard name.hasSuffix("_GAIN"), let text = item.values.first?.split(separator: " ").first,
      let gain = Double(text), abs(gain) < 100
    else {
      self = Self.dropped(item, outcome.key, "Opus has no place for it")
      return
    }
    let identifier = MetadataIdentifier(.vorb, "R128" + name.dropFirst(10))
    items = [MetadataItem(identifier, String(Int(((gain - 5) * 256).rounded())))]
    outcome.identifier = identifier
    outcome.outcome = .rekeyed
  }
}
