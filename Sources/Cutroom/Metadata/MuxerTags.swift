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
    var translation = Translation(item, for: container)
    if let written = translation.items.first {
      let name = written.identifier.key
      let isKnown = container != .avi || Self.info.contains(name)
      if !isKnown || written.values.isEmpty {
        translation = Translation(dropping: item, "\(container.rawValue) has no place for it")
      } else if !tags.contains(where: { $0.key == name }) {
        tags.append(Tag(key: name, value: written.values.joined(separator: "; ")))
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
}
