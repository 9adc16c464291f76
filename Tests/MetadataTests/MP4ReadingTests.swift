import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct MP4ReadingTests {
  func values(_ name: String) throws -> [String: [String]] {
    let items = try MP4File(MemoryReader(SharedMedia.bytes(name))).items()
    return Dictionary(items.map { ($0.identifier.description, $0.values) }) { first, _ in first }
  }

  @Test func everyFormOfAnItemIsRead() throws {
    let values = try values("hostile/ilst-odd.m4a")
    #expect(values["itsk/©nam"] == ["UTF8 title"])
    #expect(values["itsk/©ART"] == ["Artist1", "Artist2"])
    #expect(values["itsk/©alb"] == ["UTF16 album"])
    #expect(values["itsk/©wrt"] == ["implicit composer"])
    #expect(values["itsk/gnre"] == ["Rock"])
    #expect(values["itsk/tmpo"] == ["120"])
    #expect(values["itsk/trkn"] == ["3/12"])
    #expect(values["itsk/disk"] == ["1/2"])
    #expect(values["itsk/stik"] == ["10"])
    #expect(values["itsk/cnID"] == ["1234567890123"])
    #expect(values["itsk/©cmt"] == ["first", "second"])
    #expect(values["itlk/com.apple.iTunes.ISRC"] == ["A", "B", "C"])
    #expect(values["itlk/org.x.a:b:c"] == ["colon name"])
  }

  @Test func bothFormsOfMetaAndAllKeySpacesAreRead() throws {
    let quickTime = try values("real/exiftool-QuickTime.mov")
    #expect(quickTime["udta/©alb"] == ["ålbum"])
    #expect(quickTime["udta/©ART"] == ["årtist"])
    #expect(quickTime["udta/©cmt"] == ["çømménts"])
    #expect(
      try values("real/borewit-Apple__voice_memo.m4a")["uiso/date"] == ["2021-01-02T17:42:05Z"])
    #expect(try values("real/taglib-non-full-meta.m4a")["itsk/©ART"] == ["Test Artist!!!!"])
    #expect(try values("real/serial-ata-ilst_trailing_padding.m4a")["itsk/©ART"] == ["Foo artist"])
    #expect(try values("real/taglib-gnre.m4a")["itsk/gnre"] == ["Ska"])
    #expect(try values("real/devsnd-test3.m4a")["itsk/tmpo"] == ["99999"])
    let keys = try values("hostile/mdta-moov-meta.mov")
    #expect(keys["mdta/com.apple.quicktime.title"] == ["AppleTitle"])
    #expect(keys["mdta/com.apple.quicktime.creationdate"] == ["2023-10-25T10:09:10+0200"])
  }

  @Test(arguments: ["real/taglib-covr-junk.m4a", "real/quodlibet-covr-with-name.m4a"])
  func picturesAreKnownByTheirBytes(name: String) throws {
    let items = try MP4File(MemoryReader(SharedMedia.bytes(name))).items()
    let pictures = items.filter { $0.commonKey == .artwork }
    #expect(pictures.map(\.mediaType) == ["image/png", "image/jpeg"])
    let sizes = pictures.map { if case .data(let bytes) = $0.value { bytes.count } else { 0 } }
    #expect(sizes == [79, 287])
  }

  @Test func chaptersAreReadFromTheList() throws {
    let file = try MP4File(MemoryReader(SharedMedia.bytes("real/borewit-issue-2672.m4b")))
    #expect(file.chapters == [MetadataChapter(start: .zero, title: "Chapter 1")])
  }

  @Test func hostileFilesAreRefusedOrReadQuickly() throws {
    for name in try SharedMedia.names(in: "hostile") + SharedMedia.names(in: "corrupt") {
      let bytes = try SharedMedia.bytes(name)
      let clock = ContinuousClock()
      let time = clock.measure {
        do {
          let file = try MP4File(MemoryReader(bytes))
          _ = try file.items()
          _ = file.chapters
        } catch {
          #expect(error is MetadataError, "\(name)")
        }
      }
      #expect(time < .seconds(2), "\(name)")
    }
    #expect(throws: MetadataError.self) {
      try MP4File(MemoryReader(SharedMedia.bytes("hostile/nest-100k.mp4")))
    }
  }
}
