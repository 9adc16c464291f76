package import CutroomMedia
package import CutroomMetadata

/// Metadata of containers whose tags libavformat writes while muxing: Matroska, WebM and AVI.
package struct MuxerTags: Hashable, Sendable {
  /// A key with its value, in the words of the muxer.
  package struct Tag: Hashable, Sendable {
    package var key: String
    package var value: String
  }

  /// The tags in order.
  package private(set) var tags: [Tag] = []
  /// The covers in order.
  package private(set) var attachments: [Muxer.Attachment] = []
  /// One outcome for each item, in order.
  package private(set) var outcomes: [ItemOutcome] = []

  // The fields that the muxer for AVI knows.
  private static let info: Set<String> = [
    "IARL", "IART", "ICMS", "ICMT", "ICOP", "ICRD", "ICRP", "IENG", "IGNR", "IKEY", "ILNG", "IMED",
    "INAM", "IPLT", "IPRD", "IPRT", "ITRK", "ISBJ", "ISFT", "ISHP", "ISMP", "ISRC", "ISRF", "ITCH",
  ]

  /// Translates items for a container; `nil` if its tags are written after muxing.
  package init?(_ items: [MetadataItem], for container: TagContainer) {
    guard [.mkv, .mka, .webm, .avi].contains(container) else { return nil }
    for item in items { append(item, container) }
  }

  /// Drops all items for a container without tags.
  package init(_ items: [MetadataItem], forContainer name: String) {
    outcomes = items.map { Translation(dropping: $0, "\(name) has no place for it").outcome }
  }

  private mutating func append(_ item: MetadataItem, _ container: TagContainer) {
    if item.commonKey == .artwork, case .data(let bytes) = item.value,
      container == .mkv || container == .mka
    {
      outcomes.append(attach(item, bytes))
      return
    }
    var translation = Translation(item, for: container)
    if let written = translation.items.first {
      let name = written.identifier.key
      let isKnown = container != .avi || Self.info.contains(name)
      if !isKnown || written.values.isEmpty {
        translation = Translation(dropping: item, "\(container.rawValue) has no place for it")
      } else if !tags.contains(where: { $0.key == name }) {
        append(name, written.values.joined(separator: "; "))
        if written.values.count > 1 {
          translation.outcome.outcome = .truncated
          translation.outcome.detail = "several values are joined by ';'"
        }
      } else {
        translation = Translation(dropping: item, "'\(name)' is already given")
      }
    }
    outcomes.append(translation.outcome)
  }

  /// Matroska has the number of a track and how many there are in two tags.
  private mutating func append(_ name: String, _ value: String) {
    let parts = value.split(separator: "/", maxSplits: 1)
    guard name == "PART_NUMBER", parts.count == 2 else {
      tags.append(Tag(key: name, value: value))
      return
    }
    tags.append(Tag(key: name, value: String(parts[0])))
    tags.append(Tag(key: "TOTAL_PARTS", value: String(parts[1])))
  }

  /// Players take `cover.jpg` or `cover.png` for the front cover.
  private mutating func attach(_ item: MetadataItem, _ bytes: [UInt8]) -> ItemOutcome {
    guard let format = PictureFormat(sniffing: bytes), format == .jpeg || format == .png else {
      return Translation(dropping: item, "covers in Matroska are JPEG or PNG pictures").outcome
    }
    let type = Int(item.extraAttributes["pictureType"] ?? "") ?? (attachments.isEmpty ? 3 : 0)
    let number = attachments.isEmpty ? "" : String(attachments.count + 1)
    let name = "cover\(number)." + (format == .jpeg ? "jpg" : "png")
    attachments.append(
      Muxer.Attachment(
        fileName: name, mediaType: format.mediaType,
        description: PictureType.label(type), bytes: bytes))
    return ItemOutcome(
      key: .artwork, identifier: MetadataIdentifier(.matroska, name),
      outcome: item.identifier.keySpace == .common ? .exact : .rekeyed)
  }
}
