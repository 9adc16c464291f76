import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Metadata through an export, in every container of sound, copied and rendered.
@Suite(.enabled(if: Program.hasFFmpeg, "needs the programs ffmpeg and ffprobe"))
struct ExportedTagsTests {
  static let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xD9]

  /// A folder with `a.wav`, two seconds that say what they are, and `c.jpg`.
  func withMedia(_ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let source = folder.appending(path: "a.wav").path
      let run = try Program.run(
        "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=440:r=44100:d=4", source])
      #expect(run.status == 0)
      _ = try TagStore.retag(
        source,
        changes: [
          .set(key: "title", values: ["Quelle ü"]), .set(key: "artist", values: ["A1", "A2"]),
          .set(key: "location", values: ["+48.8577+002.2950/"]),
          .set(key: "make", values: ["Acme"]), .set(key: "trackNumber", values: ["3/12"]),
          .set(key: "creationDate", values: ["2024-01-02T03:04:05"]),
          .chapters([
            MetadataChapter(start: .zero, title: "One"),
            MetadataChapter(start: Rational(3, 2), title: "Zwei – ü"),
            MetadataChapter(start: Rational(5, 2), title: "Three"),
          ]),
        ])
      try Data(Self.picture).write(to: folder.appending(path: "c.jpg"))
      try body(folder)
    }
  }

  func export(
    _ metadata: String, to name: String, in folder: URL, refusesLoss: Bool = false
  ) throws -> TagSet {
    let text = """
      {"format": "cutroom/1", "metadata": \(metadata), "tracks": [
        {"kind": "audio", "clips": [{"source": "a.wav", "in": "1s", "out": "3s"}]}]}
      """
    let path = folder.appending(path: "c.json")
    try text.write(to: path, atomically: true, encoding: .utf8)
    let output = folder.appending(path: name).path
    let planned = Engine.plan(Engine.check(path: path.path), output: output)
    let plan = try #require(planned.plan, "\(planned.diagnostics)")
    _ = try Engine.export(plan, overwrite: true, refusesMetadataLoss: refusesLoss)
    return try TagStore.read(output)
  }

  func values(_ tags: TagSet, _ key: CommonKey) -> Set<[String]> {
    Set(tags.items.filter { $0.commonKey == key }.map(\.values))
  }

  static let endings = ["wav", "aiff", "mp3", "flac", "ogg", "opus", "mka"]

  @Test(arguments: endings) func everythingIsTakenOverAndChaptersAreCut(ending: String) throws {
    try withMedia { folder in
      let tags = try export(
        #"{"dates": "shift", "items": {"artwork": {"file": "c.jpg"}, "album": "Al"}}"#,
        to: "o." + ending, in: folder)
      #expect(values(tags, .title) == [["Quelle ü"]])
      #expect(values(tags, .album) == [["Al"]])
      #expect(values(tags, .trackNumber) == [["3/12"]])
      #expect(values(tags, .creationDate) == [["2024-01-02T03:04:06"]])
      #expect(values(tags, .artist).contains(ending == "mka" ? ["A1; A2"] : ["A1", "A2"]))
      let pictures = tags.items.filter { $0.commonKey == .artwork }.map(\.value)
      #expect(pictures == [.data(Self.picture)])
      #expect(
        tags.chapters == [
          MetadataChapter(start: .zero, title: "One"),
          MetadataChapter(start: Rational(1, 2), title: "Zwei – ü"),
          MetadataChapter(start: Rational(3, 2), title: "Three"),
        ])
    }
  }

  @Test(arguments: endings) func whatTellsAboutPersonsStaysBehind(ending: String) throws {
    try withMedia { folder in
      let tags = try export(#"{"inherit": "sharing"}"#, to: "o." + ending, in: folder)
      #expect(values(tags, .title) == [["Quelle ü"]])
      #expect(tags.items.allSatisfy { !$0.isPersonal }, "\(tags.items.map(\.identifier))")
      let none = try export(#"{"inherit": "none"}"#, to: "n." + ending, in: folder)
      #expect(none.items.allSatisfy { $0.commonKey == .software || $0.commonKey == nil })
    }
  }

  @Test func webMHasNoCoversAndSaysSo() throws {
    try withMedia { folder in
      let metadata = #"{"items": {"artwork": {"file": "c.jpg"}}, "remove": ["artist"]}"#
      let tags = try export(metadata, to: "o.webm", in: folder)
      #expect(values(tags, .title) == [["Quelle ü"]])
      #expect(throws: CutroomError.self) {
        try export(metadata, to: "p.webm", in: folder, refusesLoss: true)
      }
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "p.webm").path))
      _ = try export(metadata, to: "p.mka", in: folder, refusesLoss: true)
    }
  }
}
