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

  /// What mkvinfo, which is Matroska's own, and ffprobe read.
  @Test(.enabled(if: Program.path("mkvinfo") != nil, "needs the program mkvinfo"))
  func matroskaHasTheNamesOfItsStandard() throws {
    try withMedia { folder in
      _ = try export(#"{"items": {"artwork": {"file": "c.jpg"}}}"#, to: "o.mka", in: folder)
      let path = folder.appending(path: "o.mka").path
      let info = try Program.run("mkvinfo", [path]).text
      for line in [
        "Title: Quelle ü", "Name: ARTIST", "String: A1; A2", "Name: PART_NUMBER", "String: 3",
        "Name: TOTAL_PARTS", "Name: DATE_RELEASED", "File name: cover.jpg", "MIME type: image/jpeg",
      ] { #expect(info.contains(line), "\(line): \(info)") }
      let probe = try Program.run(
        "ffprobe",
        [
          "-v", "error", "-show_entries", "format_tags:stream=codec_name", "-of", "default=nw=1",
          path,
        ]
      ).text
      #expect(probe.contains("codec_name=mjpeg"))
      #expect(probe.contains("TAG:title=Quelle ü"))
    }
  }

  /// Two seconds and more from the middle of a tone whose file is tagged before.
  private static func cut(
    rate: Int, _ range: String, _ changes: [TagChange], mode: String, to name: String,
    in folder: URL
  ) throws -> String {
    let source = folder.appending(path: "a.m4a").path
    try Program.ffmpeg(["-f", "lavfi", "-i", "sine=440:r=\(rate):d=6", "-c:a", "aac", source])
    _ = try TagStore.retag(source, changes: changes)
    return try Text(
      tracks: "{\"kind\": \"audio\", \"clips\": [\(try clip(source, range))]}",
      export: "\"mode\": \"\(mode)\""
    ).export(to: name, in: folder).url.path
  }

  /// The words of `iTunSMPB`: samples before, behind, and those that play.
  @Test(arguments: ["passthrough", "auto", "render"])
  func whatSaysHowAFilePlaysIsMadeAnewOnCuts(mode: String) throws {
    try withTemporaryDirectory { folder in
      let norm = "itlk/com.apple.iTunes.iTunNORM"
      let output = try Self.cut(
        rate: 44100, #""in": "1s", "out": "3s""#,
        [
          .set(key: "itlk/com.apple.iTunes.iTunSMPB", values: [" 00000000 00000840 000001C4 1"]),
          .set(key: norm, values: [" 00001173 00001173"]), .set(key: "title", values: ["T"]),
        ], mode: mode, to: "o.m4a", in: folder)
      let tags = try TagStore.read(output)
      func value(_ name: String) -> [String]? {
        tags.items.first { $0.identifier.description.hasSuffix(name) }?.values
      }
      let words = try #require(value("iTunSMPB")?.first).split(separator: " ").map {
        Int($0, radix: 16) ?? -1
      }
      #expect(words[3] == 88_200)
      #expect((words[1] + words[2] + words[3]).isMultiple(of: 1024))
      // Loudness is a fact about sound that is not made anew.
      #expect(value("iTunNORM") == (mode == "render" ? nil : [" 00001173 00001173"]))
      #expect(value("©nam") == ["T"])
    }
  }

  /// A cover is no track: it neither decides the length nor is it cut.
  @Test(arguments: ["m4a", "mka"]) func aCoverGoesAlongWithACut(ending: String) throws {
    try withTemporaryDirectory { folder in
      let output = try Self.cut(
        rate: 48000, #""in": "2s", "out": "5s""#, [.artwork([Self.picture])], mode: "passthrough",
        to: "o." + ending, in: folder)
      let pictures = try TagStore.read(output).items.filter { $0.commonKey == .artwork }
      #expect(pictures.map(\.value) == [.data(Self.picture)])
      let duration = try AssetInfo.open(output).duration
      #expect(abs((duration - Rational(3)).doubleValue) <= 0.022, "\(duration)")
      // Another cover takes the place of the first.
      guard ending == "m4a" else { return }
      let other = Self.picture + [0xFF, 0xD9]
      let (tags, _) = try TagStore.retag(output, changes: [.artwork([other])])
      #expect(tags.items.filter { $0.commonKey == .artwork }.map(\.value) == [.data(other)])
    }
  }
}
