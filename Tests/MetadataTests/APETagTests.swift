import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Tags of APE at the end of MP3 files: read where nothing else is, kept, and told of.
@Suite(
  .enabled(if: SharedMedia.isThere, SharedMedia.note),
  .enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote))
struct APETagTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func python(_ script: String, _ path: String) throws -> String {
    let run = try Tool.run(
      "python3", ["-c", "import sys, mutagen.apev2, mutagen.id3\n" + script, path])
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  /// An MP3 file without other tags; mutagen writes its APE tag.
  private func file() throws -> String {
    let path = try folder.file("a.mp3", SharedMedia.bytes("real/quodlibet-lame-peak.mp3")).path
    let script = """
      mutagen.id3.delete(sys.argv[1])
      t = mutagen.apev2.APEv2()
      t['Title'] = 'Old ü'; t['Artist'] = ['A1', 'A2']; t['Track'] = '3/12'; t['Mood'] = 'calm'
      t.save(sys.argv[1])
      """
    _ = try python(script, path)
    return path
  }

  private static let shown = """
    t = mutagen.apev2.APEv2(sys.argv[1])
    print(sorted((k, str(v)) for k, v in t.items()))
    """

  @Test func itIsReadWhereThereIsNoOther() throws {
    let tags = try TagStore.read(file())
    let values = Dictionary(
      tags.items.map { ($0.commonKey?.rawValue ?? $0.identifier.description, $0.values) }
    ) { $0 + $1 }
    #expect(values["title"] == ["Old ü"])
    #expect(values["artist"] == ["A1", "A2"])
    #expect(values["trackNumber"] == ["3/12"])
  }

  @Test func aChangeTakesItsItemsIntoID3AndKeepsItAsItIs() throws {
    let path = try file()
    let before = try python(Self.shown, path)
    let media = try Tool.isThere("ffmpeg") ? Tool.streamHash(URL(filePath: path)) : ""
    let report = try Engine.tag(path: path, changes: [.set(key: "title", values: ["New"])])
    #expect(report.warnings.map(\.code) == ["lint.ape"])
    #expect(try python(Self.shown, path) == before)
    let id3 = "f = mutagen.id3.ID3(sys.argv[1]); print(f['TIT2'], f['TPE1'].text, f['TRCK'])"
    #expect(try python(id3, path) == "New ['A1', 'A2'] 3/12\n")
    #expect(try TagStore.read(path).items.first { $0.commonKey == .title }?.values == ["New"])
    #expect(try Engine.lintTags(path: path).contains { $0.code == "lint.ape" })
    if Tool.isThere("ffmpeg") { #expect(try Tool.streamHash(URL(filePath: path)) == media) }
  }

  /// The last 32 bytes claim more than there is, or more than tags take.
  @Test(arguments: [(5_000_000, 40), (1, 1 << 30), (20, 64), (1, 8)])
  func claimsBeyondTheFileAreRefused(items: Int, size: Int) throws {
    func little(_ value: Int) -> [UInt8] { BoxBuilder.number(value).reversed() }
    let footer =
      Array("APETAGEX".utf8) + little(2000) + little(size) + little(items)
      + [UInt8](repeating: 0, count: 12)
    let sound = try SharedMedia.bytes("real/quodlibet-lame-peak.mp3")
    let path = try folder.file("h.mp3", sound + footer).path
    #expect(throws: MetadataError.self) { try TagStore.read(path) }
    #expect(throws: MetadataError.self) {
      try TagStore.retag(path, changes: [.set(key: "title", values: ["T"])])
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(sound + footer))
  }
}
