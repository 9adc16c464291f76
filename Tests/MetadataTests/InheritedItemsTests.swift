import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Items of any file into a fresh file of every kind: none stops the writing.
@Suite(
  .enabled(if: SharedMedia.isThere, SharedMedia.note),
  .enabled(if: Tool.isThere("ffmpeg"), Tool.note("ffmpeg")))
struct InheritedItemsTests {
  static let sources: [String] = {
    do {
      return try ["fixtures", "real", "../audio"].flatMap(SharedMedia.names)
        .filter { !$0.hasSuffix(".jpg") && !$0.hasSuffix(".png") }
    } catch { return [] }
  }()

  static let targets = ["mp3", "m4a", "mp4", "mov", "flac", "ogg", "opus"]

  static func made(_ ending: String, in folder: TemporaryFolder) throws -> URL {
    let url = folder.url.appending(path: "fresh." + ending)
    let codecs = ["mp3": "libmp3lame", "flac": "flac", "ogg": "libvorbis", "opus": "libopus"]
    let made = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "sine=d=1:r=48000", "-c:a", codecs[ending] ?? "aac"]
        + ["-fflags", "+bitexact", "-map_metadata", "-1"]
        + (ending == "mp3" ? ["-id3v2_version", "0"] : []) + [url.path])
    try #require(made.status == 0, "\(made.errors)")
    return url
  }

  @Test(arguments: targets) func everyItemArrivesOrIsDropped(ending: String) throws {
    let folder = try TemporaryFolder()
    let fresh = try Self.made(ending, in: folder)
    let media = try Tool.streamHash(fresh)
    #expect(!media.isEmpty)
    for name in Self.sources {
      let items: [MetadataItem]
      do { items = try TagStore.read(SharedMedia.url(name).path).items } catch { continue }
      let file = try folder.file("x." + ending, Array(try Data(contentsOf: fresh)))
      let outcomes: [ItemOutcome]
      do {
        outcomes = try TagStore.write(items, to: file.path, container: ending)
      } catch {
        Issue.record("\(name) to \(ending): \(error)")
        continue
      }
      #expect(outcomes.count == items.count, "\(name) to \(ending)")
      let written = try TagStore.read(file.path).items
      for (item, outcome) in zip(items, outcomes) {
        if outcome.outcome == .dropped {
          #expect(outcome.identifier == item.identifier, "\(name) to \(ending)")
          #expect(outcome.detail != nil)
        } else {
          let isThere = written.contains { $0.identifier.folded == outcome.identifier.folded }
          #expect(isThere, "\(name) to \(ending): \(outcome.identifier)")
        }
      }
      #expect(try Tool.streamHash(file) == media, "\(name) to \(ending)")
    }
  }

  @Test func framesOfAnyKindComeThroughFromOneMP3ToAnother() throws {
    let folder = try TemporaryFolder()
    let fresh = try Self.made("mp3", in: folder)
    let source = try TagStore.read(SharedMedia.url("real/borewit-issue-406-geob.mp3").path)
    let wanted = source.items.filter { $0.identifier.key == "GEOB" }
    #expect(!wanted.isEmpty)
    let outcomes = try TagStore.write(source.items, to: fresh.path)
    let found = try TagStore.read(fresh.path).items.filter { $0.identifier.key == "GEOB" }
    #expect(found == wanted)
    let dropped = outcomes.filter { $0.outcome == .dropped }
    // The genre is an empty frame, and version 2.4 has no RVAD.
    #expect(Set(dropped.map(\.identifier.key)).isSubset(of: ["TCON", "RVAD"]))
  }

  @Test func aFrameThatCannotBeWrittenIsNamed() throws {
    let folder = try TemporaryFolder()
    let fresh = try Self.made("mp3", in: folder)
    let items = [
      MetadataItem(.title, "T"), MetadataItem(MetadataIdentifier(.id3, "XQZ"), "x"),
      MetadataItem(MetadataIdentifier(.id3, "GEOB"), "text"),
      MetadataItem(MetadataIdentifier(.id3, "GEOB"), .data([])),
      MetadataItem(.isPodcast, "1"), MetadataItem(.comment, "a", "b"),
    ]
    let outcomes = try TagStore.write(items, to: fresh.path)
    #expect(
      outcomes.map(\.outcome) == [.exact, .dropped, .dropped, .dropped, .exact, .truncated])
    #expect(outcomes[1].detail?.contains("'XQZ'") == true)
    let values = try TagStore.read(fresh.path).items.map { $0.identifier.key + "=" + $0.values[0] }
    #expect(Set(values) == ["TIT2=T", "PCST=1", "COMM=a; b"])
  }

  @Test func onePlaceOfOneSourceIsWritten() throws {
    let folder = try TemporaryFolder()
    let names = ["android-rot180-720p-vfr10-mono48k.mp4", "rot90-flip-matrix.mp4"]
    for order in [names, names.reversed()] {
      let sources = try order.map { name in
        MetadataMerge.Source(
          name: name, items: try TagStore.read(SharedMedia.url("../phone/" + name).path).items)
      }
      let items = try MetadataMerge(sources, MetadataSettings(), isRendered: true).items
      let places = items.filter { $0.commonKey == .location }
      #expect(places.count == 1)
      for ending in ["mp4", "mov", "m4a"] {
        let file = try Self.made(ending, in: folder)
        _ = try TagStore.write(items, to: file.path, container: ending)
        let found = try TagStore.read(file.path).items.filter { $0.commonKey == .location }
        #expect(found.count == 1, "\(ending): \(found.map(\.identifier))")
        try FileManager.default.removeItem(at: file)
      }
    }
  }

  @Test func givenValuesAreCheckedBeforeAFileIsMade() throws {
    var settings = MetadataSettings()
    settings.items = [
      .init(key: "trackNumber", value: .texts(["abc"])), .init(key: "bpm", value: .texts(["fast"])),
      .init(key: "title", value: .texts(["T"])), .init(key: "gapless", value: .texts(["1"])),
      .init(key: "id3/GEOB", value: .texts(["T"])),
    ]
    let merge = try MetadataMerge([], settings, isRendered: true)
    for container in TagContainer.allCases {
      let keys = merge.problems(for: container).map(\.key)
      // What the container has no place for is no mistake.
      let wrong = container == .avi ? ["trackNumber"] : ["trackNumber", "bpm"]
      #expect(keys.starts(with: wrong), "\(container)")
      #expect(!keys.contains("title"))
      #expect(keys.contains("id3/GEOB") == container.keySpaces.contains(.id3), "\(container)")
    }
  }
}
