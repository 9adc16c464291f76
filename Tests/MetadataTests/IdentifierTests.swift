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

  static let constants: [(name: String, identifier: String)] = {
    do {
      let text = String(decoding: try SharedMedia.bytes("avf_consts.txt"), as: UTF8.self)
      return text.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: " ").map(String.init)
        let prefixes = ["AVMetadataIdentifier", "AVMetadataCommonIdentifier"]
        guard parts.count == 2, prefixes.contains(where: parts[0].hasPrefix) else { return nil }
        return (parts[0], parts[1])
      }
    } catch { return [] }
  }()

  /// Our name for the four common keys that AVFoundation calls otherwise.
  static let renamed = [
    "common/albumName": "common/album", "common/copyrights": "common/copyright",
    "common/creator": "common/composer", "common/type": "common/genre",
  ]

  @Test(.enabled(if: SharedMedia.isThere, SharedMedia.note))
  func everyPublicIdentifierParsesAndPrints() throws {
    #expect(Self.constants.count == 278)
    for (name, text) in Self.constants {
      let identifier = try MetadataIdentifier(parsing: text)
      #expect(identifier.percentEncoded == Self.renamed[text] ?? text, "\(name)")
      #expect(try MetadataIdentifier(parsing: identifier.description) == identifier)
      #expect(try MetadataIdentifier(parsing: name) == identifier, "\(name)")
    }
    #expect(AppleIdentifiers.all.count == 278)
  }

  @Test(arguments: [
    ("AVMetadataIdentifieriTunesMetadataSongName", "itsk/%A9nam"), ("org.id3/TIT2", "id3/TIT2"),
    ("AVMetadataIdentifierQuickTimeUserDataCredits", "udta/%A9src"),
    ("AVMetadataIdentifierQuickTimeMetadataiXML", "mdta/info.ixml.xml"),
    ("AVMetadataIdentifierID3MetadataCommerical", "id3/COMR"), ("comn/title", "common/title"),
    ("AVMetadataCommonIdentifierAssetIdentifier", "common/identifier"),
  ])
  func namesOfAVFoundationAreRead(name: String, printed: String) throws {
    #expect(try MetadataIdentifier(parsing: name).percentEncoded == printed)
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
    ("id3/TXXX:MOOD", "T", .m4a, "itlk/com.apple.iTunes.MOOD", "rekeyed"),
    ("itlk/com.apple.iTunes.MOOD", "T", .mkv, "matroska/MOOD", "rekeyed"),
    ("vorb/MUSICBRAINZ_ALBUMID", "T", .mp3, "id3/TXXX:MusicBrainz Album Id", "rekeyed"),
    (
      "itlk/com.apple.iTunes.MusicBrainz Album Id", "T", .flac, "vorb/MUSICBRAINZ_ALBUMID",
      "rekeyed"
    ),
    ("itlk/org.example.MOOD", "T", .mp3, "itlk/org.example.MOOD", "dropped"),
    ("matroska/MOOD", "T", .avi, "matroska/MOOD", "dropped"),
    ("title", "T", .wav, "id3/TIT2", "exact"), ("riff/INAM", "T", .wav, "riff/INAM", "exact"),
    (
      "riff/bext.Originator", "0123456789012345678901234567890123", .wav, "riff/bext.Originator",
      "truncated"
    ),
    ("riff/INAM", "T", .aiff, "riff/INAM", "dropped"),
    ("creationDate", "2023-10-25T10:09:10Z", .mp3, "id3/TDRC", "exact"),
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
