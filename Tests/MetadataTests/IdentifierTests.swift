import CutroomMetadata
import Foundation
import TestSupport
import Testing

@Suite struct IdentifierTests {
  @Test(arguments: [
    ("title", "common/title"), ("common/albumName", "common/album"), ("itsk/@nam", "itsk/©nam"),
    ("itsk/%A9nam", "itsk/©nam"), ("itsk/©nam", "itsk/©nam"),
    ("itsk/----:com.apple.iTunes:LABEL", "itlk/com.apple.iTunes.LABEL"),
    ("id3/TXXX:MOOD", "id3/TXXX:MOOD"), ("id3/%00TT2", "id3/%00TT2"), ("vorb/mood", "vorb/MOOD"),
    ("mdta/com.apple.quicktime.make", "mdta/com.apple.quicktime.make"),
    ("itlk/com.apple.iTunes.100%25", "itlk/com.apple.iTunes.100%25"),
  ])
  func spellingsOfAKeyAreOneIdentifier(text: String, printed: String) throws {
    let identifier = try MetadataIdentifier(parsing: text)
    #expect(identifier.description == printed)
    #expect(try MetadataIdentifier(parsing: identifier.percentEncoded) == identifier)
  }

  @Test(arguments: ["titel", "itsk/©na", "itsk/", "foo/bar", "id3/title", "vorb/a=b", "itlk/LABEL"])
  func whatIsNoKeyIsRefused(text: String) {
    #expect(throws: MetadataError.self) { try MetadataIdentifier(parsing: text) }
  }

  @Test func everyKeyHasOneRowAndReadsBackFromWhatItWrites() {
    for key in CommonKey.allCases {
      for space in KeySpace.allCases {
        guard let native = Mapping.native(key, in: space) else { continue }
        if key == .author && space == .id3 { continue }  // TEXT is read as the lyricist
        #expect(Mapping.commonKey(of: native) == key, "\(key) in \(space)")
      }
    }
  }

  @Test(arguments: [
    ("title", "T", TagContainer.m4a, "itsk/©nam", "exact"),
    ("id3/TIT2", "T", .m4a, "itsk/©nam", "rekeyed"),
    ("id3/PRIV", "T", .m4a, "id3/PRIV", "dropped"),
    ("trackNumber", "3/12", .m4a, "itsk/trkn", "exact"),
    ("trackNumber", "three", .m4a, "common/trackNumber", "dropped"),
    ("isrc", "USRC17607839", .m4a, "itlk/com.apple.iTunes.ISRC", "exact"),
    ("title", "T", .mov, "mdta/com.apple.quicktime.title", "exact"),
    ("sortTitle", "T", .mov, "itsk/sonm", "exact"),
    ("id3/TXXX:comment", "T", .m4a, "itsk/©cmt", "rekeyed"),
    ("id3/TXXX:MOOD", "T", .m4a, "id3/TXXX:MOOD", "dropped"),
    ("itsk/©nam", "T", .mp3, "id3/TIT2", "rekeyed"),
    ("creationDate", "2023-10-25T10:09:10+0200", .mp3, "id3/TDRC", "truncated"),
    ("location", "nowhere", .mp4, "uiso/loci", "dropped"),
    ("replayGainTrackGain", "-6.50 dB", .opus, "vorb/R128_TRACK_GAIN", "rekeyed"),
  ])
  func itemsGoToTheContainersOwnKeySpace(
    key: String, value: String, container: TagContainer, identifier: String, outcome: String
  ) throws {
    let item = MetadataItem(try MetadataIdentifier(parsing: key), value)
    let translation = Translation(item, for: container)
    #expect(translation.outcome.outcome.rawValue == outcome)
    if outcome != "dropped" {
      #expect(translation.outcome.identifier.description == identifier)
      #expect(translation.items.first?.identifier == translation.outcome.identifier)
    }
  }

  @Test func gainsOfOpusAreRelativeToMinus23() throws {
    let item = MetadataItem(.replayGainTrackGain, "-6.50 dB")
    #expect(Translation(item, for: .opus).items.first?.values == ["-2944"])
  }
}
