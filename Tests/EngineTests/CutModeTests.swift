import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Cuts that are moved to keyframes, hidden by edit lists, or rounded by their container.
@Suite(.needsFFmpeg)
struct CutModeTests {
  private func passthrough(_ cut: String) -> String { #""mode": "passthrough", "cut": "\#(cut)""# }

  @Test(arguments: ["mp4", "mov", "mkv"])
  func keyframeCutsHoldAllThatWasAskedForAndSayWhatTheyHold(container: String) throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip("count25.mp4", #""in": "3s", "out": "7s""#),
        export: passthrough("keyframe")
      ).export(to: "cut.\(container)", in: folder)
      let shown = try DecodedPictures.numbers(made.url)
      // From the keyframe at 2 s to the next place at which the order of decoding is closed.
      #expect(shown == Array(50..<50 + shown.count))
      #expect((125...129).contains(shown.count))
      let packets = try DecodedPictures.packetHashes(try Fixtures.file("count25.mp4"))
      #expect(
        try Set(DecodedPictures.packetHashes(made.url))
          == Set(packets[50..<50 + shown.count]))
      #expect(made.report.plan.duration == Rational(Int64(shown.count), 25))
      let note = try #require(made.diagnostics.first { $0.code == "cut.moved" })
      #expect(note.message.contains("becomes 2s to "))
      #expect(note.pointer == "/tracks/0/clips/0")
    }
  }

  @Test func clipsBehindAMovedCutMoveAlongWithTheirSound() throws {
    try withTemporaryDirectory { folder in
      let clips = try [(3, 6), (5, 8)].map {
        try clip("count25_nobf.mp4", #""in": \#($0.0), "out": \#($0.1)"#)
      }
      let made = try Text(clips: clips.joined(separator: ","), export: passthrough("keyframe"))
        .export(to: "cut.mp4", in: folder)
      #expect(try DecodedPictures.numbers(made.url) == Array(50..<150) + Array(100..<200))
      let sound = try DecodedSound(made.url)
      // Second 2 of the source sounds with 400 Hz, second 4 with 600.
      #expect(sound.tone(at: 0.5) == 400)
      #expect(sound.tone(at: 4.5) == 600)
    }
  }

  @Test func otherSoundStandsAgainstMovingCuts() throws {
    let tracks = try """
    {"kind": "video", "clips": [\(clip("count25.mp4", #""in": 3, "out": 7"#))]},
    {"kind": "audio", "clips": [\(clip("sine440.wav", #""out": 4"#))]}
    """
    try withTemporaryDirectory { folder in
      let errors = try Text(tracks: tracks, export: passthrough("keyframe")).refusal(in: folder)
      #expect(errors == ["passthrough.cut /export/cut"])
    }
  }

  @Test(arguments: ["mp4", "mov"])
  func editListsHideWhatLiesBeforeTheCut(container: String) throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip("count25.mp4", #""in": "3s", "out": "8s""#),
        export: passthrough("editList")
      ).export(to: "cut.\(container)", in: folder)
      #expect(made.actions["video"] == ["copy"])
      #expect(try DecodedPictures.numbers(made.url) == Array(75..<200))
      let all = try DecodedPictures.packetHashes(made.url, options: ["-ignore_editlist", "1"])
      let packets = try DecodedPictures.packetHashes(try Fixtures.file("count25.mp4"))
      #expect(all == Array(packets[50..<200]))
      let probed = try ProbedFile(made.url)
      #expect(probed.stream("video")["start_time"] == "0.000000")
      #expect(made.report.plan.video?.frameCount == 125)
      let sound = try DecodedSound(made.url)
      #expect(sound.tone(at: 0.5) == 500)
    }
  }

  @Test func containersWithoutEditListsRefuseToHide() throws {
    try withTemporaryDirectory { folder in
      let errors = try Text(
        clips: try clip("count25.mp4", #""in": "3s", "out": "8s""#),
        export: passthrough("editList")
      ).refusal(to: "cut.mkv", in: folder)
      #expect(errors == ["capability.container /export/cut"])
    }
  }

  @Test func roundedTimestampsAreCutAtTheirKeyframes() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip("count2997.mkv", #""in": "60f", "out": "180f", "audio": false"#),
        export: Text.passthrough
      ).export(to: "cut.mkv", in: folder)
      #expect(try DecodedPictures.numbers(made.url) == Array(60..<180))
      let packets = try DecodedPictures.packetHashes(try Fixtures.file("count2997.mp4"))
      #expect(try DecodedPictures.packetHashes(made.url) == Array(packets[60..<180]))
    }
  }

  @Test func twoFilesAreComparedFieldByField() throws {
    let same = try Engine.compareForCopying(
      Fixtures.file("count25.mp4").path, Fixtures.file("count25b.mp4").path)
    #expect(same.differences.isEmpty)
    #expect(same.fields.allSatisfy { $0.effect == .same && $0.consequence.isEmpty })
    #expect(same.fields.contains { $0.field == "reorder depth" && $0.first == "2" })
    let other = try Engine.compareForCopying(
      Fixtures.file("count25.mp4").path, Fixtures.file("ten25.mp4").path)
    let fields = Dictionary(
      uniqueKeysWithValues: other.differences.filter { $0.kind == "video" }.map {
        ($0.field, [$0.first, $0.second])
      })
    #expect(fields["profile"] == ["100", "110"])
    #expect(fields["format"] == ["yuv420p", "yuv420p10le"])
    #expect(other.jsonValue.encoded().contains(#""copyable":false"#))
  }

  /// A field of `count25.mp4` and of another fixture, what is said of it, and a word of what follows.
  struct Compared: CustomTestStringConvertible {
    var other: String
    var field: String
    var first: String
    var second: String
    var effect: CopyComparison.Effect
    var consequence: String
    var testDescription: String { "\(other): \(field)" }

    init(
      _ other: String, _ field: String, _ first: String, _ second: String,
      _ effect: CopyComparison.Effect, _ consequence: String
    ) {
      (self.other, self.field, self.first, self.second) = (other, field, first, second)
      (self.effect, self.consequence) = (effect, consequence)
    }
  }

  @Test(arguments: [
    Compared("tb90.mp4", "timescale", "12800", "90000", .harmless, "1/2880000 s"),
    Compared("rot90.mp4", "rotation", "none", "270", .matters, "on its side"),
    Compared("count2997.mp4", "frame rate", "25", "30000/1001", .harmless, "copies both"),
    Compared("base.mp4", "profile", "100", "578", .matters, "may refuse"),
    Compared("count25_nobf.mp4", "reorder depth", "2", "0", .harmless, "the greater"),
    Compared("a441.mp4", "rate", "48000", "44100", .matters, "one sample rate"),
    Compared("noaudio.mp4", "stream", "one", "none", .matters, "silence"),
  ])
  func everyFieldSaysWhatFollows(_ compared: Compared) throws {
    let paths = try ["count25.mp4", compared.other].map { try Fixtures.file($0).path }
    let comparison = try Engine.compareForCopying(paths[0], paths[1])
    let field = try #require(comparison.fields.first { $0.field == compared.field })
    #expect([field.first, field.second] == [compared.first, compared.second])
    #expect(field.effect == compared.effect)
    #expect(field.consequence.contains(compared.consequence))
    #expect(comparison.text.contains("\(field.first) ≠ \(field.second)"))
  }

  @Test(arguments: ["count25.mp4", "hevc25.mp4", "prores25.mov", "a441.mp4"])
  func everyPartOfASignatureHasAConsequence(name: String) throws {
    for track in try AssetInfo.open(try Fixtures.file(name).path).tracks {
      for field in Signature.fields(of: track.signature) {
        #expect(TrackComparison.consequences[field.key] != nil, "\(field.key)")
      }
    }
  }
}
