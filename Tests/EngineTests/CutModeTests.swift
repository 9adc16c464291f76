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

  /// A field of a pair of fixtures, what is said of it, and a word of what follows.
  struct Compared: CustomTestStringConvertible {
    var files: [String]
    var field: String
    var values: [String]
    var effect: CopyComparison.Effect
    var consequence: String
    var testDescription: String { "\(files): \(field)" }
  }

  @Test(arguments: [
    Compared(
      files: ["count25.mp4", "tb90.mp4"], field: "timescale", values: ["12800", "90000"],
      effect: .harmless, consequence: "1/2880000 s"),
    Compared(
      files: ["count25.mp4", "rot90.mp4"], field: "rotation", values: ["none", "270"],
      effect: .matters, consequence: "on its side"),
    Compared(
      files: ["count25.mp4", "count2997.mp4"], field: "frame rate", values: ["25", "30000/1001"],
      effect: .matters, consequence: "passthrough keeps both"),
    Compared(
      files: ["count25.mp4", "base.mp4"], field: "profile", values: ["100", "578"],
      effect: .matters, consequence: "may refuse"),
    Compared(
      files: ["count25.mp4", "count25_nobf.mp4"], field: "reorder depth", values: ["2", "0"],
      effect: .harmless, consequence: "the greater"),
    Compared(
      files: ["count25.mp4", "a441.mp4"], field: "rate", values: ["48000", "44100"],
      effect: .matters, consequence: "one sample rate"),
    Compared(
      files: ["count25.mp4", "noaudio.mp4"], field: "stream", values: ["one", "none"],
      effect: .matters, consequence: "silence"),
  ])
  func everyFieldSaysWhatFollows(_ compared: Compared) throws {
    let paths = try compared.files.map { try Fixtures.file($0).path }
    let comparison = try Engine.compareForCopying(paths[0], paths[1])
    let field = try #require(comparison.fields.first { $0.field == compared.field })
    #expect([field.first, field.second] == compared.values)
    #expect(field.effect == compared.effect)
    #expect(field.consequence.contains(compared.consequence))
    #expect(comparison.text.contains("\(field.first) ≠ \(field.second)"))
  }
}
