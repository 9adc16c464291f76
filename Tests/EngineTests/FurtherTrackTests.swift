import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Further tracks of sources, which travel along.
///
/// `ma.mp4` has English sound of 400 Hz, and a comment in Norwegian of 900 Hz.
@Suite(.needsFFmpeg)
struct FurtherTrackTests {
  private func sounds(_ exported: Exported) throws -> [ProbedFile.Entry] {
    try ProbedFile(exported.url).streams.filter { $0["codec_type"] == "audio" }
  }

  private func note(_ exported: Exported, _ code: String) -> String? {
    exported.diagnostics.first { $0.code == code }?.message
  }

  @Test("a cut takes both tracks along", arguments: ["mp4", "mkv", "ts", "nut", "m4v"])
  func aCutTakesBothTracksAlong(_ ending: String) throws {
    try withTemporaryDirectory { folder in
      let clips = try clip("ma.mp4", #""in": 2, "out": 4"#)
      let exported = try Text(clips: clips).export(to: "out.\(ending)", in: folder)
      let sounds = try sounds(exported)
      #expect(sounds.map { $0["tags.language"] } == ["eng", "nob"])
      if !["ts", "m4v"].contains(ending) {
        #expect(sounds.map { $0["disposition.comment"] } == ["0", "1"])
      }
      for (index, tone) in [400, 900].enumerated() {
        #expect(try DecodedSound(exported.url, stream: index).tone(at: 1) == tone)
      }
    }
  }

  @Test func aCutOfMovieFilesCopiesBothTracks() throws {
    try withTemporaryDirectory { folder in
      let clips = try clip("ma.mp4", #""in": 2, "out": 4"#)
      let exported = try Text(clips: clips).export(to: "out.mp4", in: folder)
      let streams = exported.report.jsonValue["streams"]?.elements ?? []
      let actions = streams.map { $0["chunks"]?.elements?.first?["action"] }
      #expect(actions == ["copy", "copy", "copy"])
      #expect(try sounds(exported).map { $0["duration"] } == ["2.000000", "2.000000"])
      let source = try Set(packets(try Fixtures.file("ma.mp4"), 1))
      let made = try packets(exported.url, 1)
      #expect(made.count >= 94)
      #expect(source.isSuperset(of: made))
    }
  }

  private func packets(_ url: URL, _ stream: Int) throws -> [String] {
    try Program.ffmpeg([
      "-i", url.path, "-map", "0:a:\(stream)", "-c", "copy", "-f", "framehash", "-hash", "md5", "-",
    ]).lines.filter { !$0.hasPrefix("#") }.compactMap { line in
      let columns = line.split(separator: ",")
      return columns.count > 5 ? columns[5].trimmingCharacters(in: .whitespaces) : nil
    }
  }

  /// The packets of the second track stand before the first one's in the file.
  @Test(
    "a track that comes first in the file loses nothing", .needsSamples, arguments: ["0.2", "0.3"])
  func aTrackThatComesFirstInTheFileLosesNothing(_ start: String) throws {
    try withTemporaryDirectory { folder in
      let source = try JSONValue.string(
        ProbeFolder.path("tracks/multi-audio-multi-subs.mkv")
      ).encoded()
      let exported = try Text(clips: #"{"source": \#(source), "in": \#(start), "out": 1.7}"#)
        .export(to: "out.mp4", in: folder)
      let sounds = try sounds(exported)
      #expect(sounds.map { $0["start_time"] } == ["0.000000", "0.000000"])
    }
  }

  @Test func aJoinMatchesTracksByLanguageWhateverTheirOrder() throws {
    try withTemporaryDirectory { folder in
      let clips = try ["ma.mp4", "ma3.mp4"].map { try clip($0, #""out": 2"#) }
      let exported = try Text(clips: clips.joined(separator: ",")).export(to: "o.mkv", in: folder)
      #expect(try sounds(exported).map { $0["tags.language"] } == ["eng", "nob", "fra"])
      let tones = try (0..<3).map { stream in
        let sound = try DecodedSound(exported.url, stream: stream)
        return [sound.tone(at: 1), sound.tone(at: 3)]
      }
      #expect(tones == [[400, 400], [900, 900], [0, 700]])
    }
  }

  @Test(arguments: ["", Text.passthrough, Text.quick])
  func aJoinKeepsBothTracks(_ export: String) throws {
    try withTemporaryDirectory { folder in
      let clips = [try clip("ma.mp4"), try clip("ma.mkv")].joined(separator: ",")
      let exported = try Text(clips: clips, export: export).export(to: "out.mp4", in: folder)
      let sounds = try sounds(exported)
      #expect(sounds.map { $0["tags.language"] } == ["eng", "nob"])
      #expect(sounds.map { $0["disposition.comment"] } == ["0", "1"])
      for (index, tone) in [400, 900].enumerated() {
        let sound = try DecodedSound(exported.url, stream: index)
        #expect([1, 9.5, 10.5, 19].map { sound.tone(at: $0) } == [tone, tone, tone, tone])
      }
    }
  }

  @Test func aTrackIsSilentWhereAClipHasNone() throws {
    try withTemporaryDirectory { folder in
      let clips = try [
        clip("ma.mp4", #""out": 2"#), clip("count25.mp4", #""out": 2"#),
        clip("ma.mp4", #""in": 4, "out": 6"#),
      ].joined(separator: ",")
      let exported = try Text(clips: clips).export(to: "out.mp4", in: folder)
      let sound = try DecodedSound(exported.url, stream: 1)
      #expect(try sounds(exported).map { $0["duration"] } == ["6.000000", "6.000000"])
      #expect([1, 3, 5].map { sound.tone(at: $0) } == [900, 0, 900])
      #expect(note(exported, "media.track-missing")?.contains("count25.mp4") == true)
    }
  }

  @Test(
    "what a clip's picture does, its further track does",
    arguments: [
      (#""speed": 2"#, 2.0, [900, 900]), (#""reverse": true"#, 4.0, [900, 900]),
      (#""speed": 2, "pitch": "shift""#, 2.0, [1800, 1800]),
      (#""audio": {"gain": 0}"#, 4.0, [0, 0]),
    ])
  func furtherTracksFollowTheClip(_ settings: String, length: Double, tones: [Int]) throws {
    try withTemporaryDirectory { folder in
      let clips = try clip("ma.mp4", #""in": 2, "out": 6, "# + settings)
      let exported = try Text(clips: clips).export(to: "out.mp4", in: folder)
      let sound = try DecodedSound(exported.url, stream: 1)
      #expect(try sounds(exported).map { $0["duration"].flatMap(Double.init) } == [length, length])
      #expect([0.5, length - 0.5].map { sound.tone(at: $0) } == tones)
    }
  }

  @Test func tracksAreLeftOutWhereTheyAreNotWanted() throws {
    try withTemporaryDirectory { folder in
      let text = Text(clips: try clip("ma.mkv"), export: #""tracks": "main""#)
      let exported = try text.export(to: "out.mkv", in: folder)
      #expect(try sounds(exported).map { $0["tags.language"] } == ["eng"])
      #expect(
        note(exported, "media.tracks-left-out")?.hasSuffix(#"1 audio (nob "Kommentar")"#) == true)
    }
  }

  @Test("containers of one sound leave further ones out by name", arguments: ["mp3", "wav", "ogg"])
  func oneSound(_ ending: String) throws {
    try withTemporaryDirectory { folder in
      let text = Text(clips: try clip("ma.mp4", #""out": 1"#), export: #""video": false"#)
      let exported = try text.export(to: "out.\(ending)", in: folder)
      #expect(try sounds(exported).count == 1)
      #expect(note(exported, "media.tracks-left-out")?.contains("1 audio (nob)") == true)
    }
  }

  @Test func aChosenTrackComesAlone() throws {
    try withTemporaryDirectory { folder in
      let path = JSONValue.string(try Fixtures.file("ma.mp4").path).encoded()
      let text = Text(
        clips: #"{"source": "a", "out": "1s"}"#,
        more: "\"sources\": {\"a\": {\"path\": \(path), \"audio\": \"nob\"}}")
      let exported = try text.export(to: "out.mp4", in: folder)
      #expect(try sounds(exported).map { $0["tags.language"] } == ["nob"])
      #expect(try DecodedSound(exported.url).tone(at: 0.5) == 900)
    }
  }

  @Test func titlesOfTracksAreKept() throws {
    try withTemporaryDirectory { folder in
      let exported = try Text(clips: try clip("ma.mkv", #""in": 1"#)).export(
        to: "out.mkv", in: folder)
      #expect(try sounds(exported).map { $0["tags.title"] } == [nil, "Kommentar"])
    }
  }

  @Test(
    "labels that a container does not hold are named",
    arguments: [
      ("mov", "language 'nob'; disposition comment"),
      ("m4v", "title 'Kommentar'; disposition comment"), ("mp4", nil),
    ])
  func labelsThatAreLost(_ ending: String, _ lost: String?) throws {
    let plan = try Text(clips: try clip("ma.mkv")).plan("/tmp/o.\(ending)")
    let notes = plan.diagnostics.filter { $0.message.hasPrefix("of the sound's label") }
    #expect(
      notes.map { $0.message.components(separatedBy: "hold: ").last } == [lost].filter { $0 != nil }
    )
  }

  @Test(.needsSamples) func realTracksOfManyChannelsTravelAlong() throws {
    try withTemporaryDirectory { folder in
      let exported = try Text(clips: try sample("tracks/two-aac-5p1.mp4", #""out": "1s""#)).export(
        to: "out.mp4", in: folder)
      #expect(try sounds(exported).map { $0["channels"] } == ["6", "6"])
    }
  }
}
