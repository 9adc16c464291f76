import CutroomMetadata
import Testing

@Suite struct SyncedLyricsTests {
  static func frame(_ encoding: UInt8, unit: UInt8 = 2, _ rest: [UInt8]) -> MetadataItem {
    let head = [encoding] + Array("eng".utf8) + [unit, 1]
    return MetadataItem(MetadataIdentifier(.id3, "SYLT"), .data(head + rest))
  }

  static let latin: [UInt8] =
    [0, 0x5A, 0xFC, 0, 0, 0, 0, 10] + Array("\nTwo".utf8) + [0, 0, 1, 0, 0]
  static let wide: [UInt8] = [0xFF, 0xFE, 0, 0, 0xFF, 0xFE, 0xFC, 0, 0, 0, 0, 0x36, 0xEE, 0x80]

  @Test(arguments: [
    (frame(0, latin), "[00:00.010]Zü\n[01:05.536]Two"), (frame(1, wide), "[60:00.000]ü"),
  ])
  func linesWithTimesBecomeTextsWhereThereIsNoID3(item: MetadataItem, text: String) {
    for container in [TagContainer.flac, .opus, .m4a, .mov, .mkv] {
      let translation = Translation(item, for: container)
      #expect(translation.outcome.outcome == .rekeyed)
      #expect(translation.items.map(\.values) == [[text]], "\(container)")
      #expect(translation.outcome.identifier.key.hasSuffix("SYNCEDLYRICS"))
    }
    for container in [TagContainer.mp3, .wav, .aiff] {
      #expect(Translation(item, for: container).items == [item])
      #expect(Translation(item, for: container).outcome.outcome == .exact)
    }
  }

  @Test(arguments: [
    frame(0, unit: 1, latin), frame(9, latin), frame(0, Array(latin.dropLast())), frame(0, []),
    frame(1, [0]), frame(0, [0, 65, 66]),
  ])
  func whatIsNoLyricsIsDropped(item: MetadataItem) {
    let outcome = Translation(item, for: .flac).outcome
    #expect(outcome.outcome == .dropped)
    #expect(outcome.identifier == item.identifier)
  }
}
