import CutroomMetadata
import Testing

@Suite struct MetadataFilterTests {
  static func item(_ key: String, _ value: String = "x") throws -> MetadataItem {
    MetadataItem(try MetadataIdentifier(parsing: key), value)
  }

  @Test func aCommonKeyFindsAllItsNames() throws {
    let items = try ["itsk/©nam", "mdta/com.apple.quicktime.title", "itsk/©alb"].map {
      try Self.item($0)
    }
    let title = try MetadataIdentifier(parsing: "title")
    #expect(items.filtered(by: title) == Array(items.prefix(2)))
    #expect(items.filtered(by: items[1].identifier) == [items[1]])
  }

  @Test func theFirstLanguageThatIsThereIsTaken() throws {
    var german = try Self.item("id3/COMM")
    german.extraAttributes["language"] = "deu"
    var english = try Self.item("mdta/com.apple.quicktime.title")
    english.locale = 0x15C7
    let none = try Self.item("title")
    #expect(english.language == "eng")
    #expect(none.language == nil)
    let items = [german, english, none]
    #expect(items.filtered(byLanguages: ["fra", "eng", "deu"]) == [english, none])
    #expect(items.filtered(byLanguages: []) == [none])
  }

  @Test(arguments: [
    ("location", true), ("itsk/©xyz", true), ("uiso/loci", true), ("itsk/apID", true),
    ("id3/PRIV:x", true), ("mdta/com.apple.quicktime.camera.identifier", true),
    ("mdta/com.apple.quicktime.location.accuracy.horizontal", true), ("id3/TDRC", true),
    ("riff/bext.Originator", true), ("riff/iXML", true), ("make", true),
    ("title", false), ("itsk/©nam", false), ("isrc", false), ("riff/INAM", false),
    ("mdta/com.apple.quicktime.title", false), ("replayGainTrackGain", false),
  ])
  func whatTellsAboutPersonsIsNotShared(key: String, isPersonal: Bool) throws {
    let item = try Self.item(key)
    #expect(item.isPersonal == isPersonal)
    #expect([item].filteredForSharing().isEmpty == isPersonal)
  }
}
