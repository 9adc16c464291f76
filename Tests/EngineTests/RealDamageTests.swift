import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Damaged and unsupported files as sources: a clear error or a right result, soon.
@Suite(.needsFFmpeg, .needsSamples, .serialized)
struct RealDamageTests {
  static let names = ProbeFolder.names.filter {
    $0.hasPrefix("corrupt/") || $0.hasPrefix("unsupported/")
  }

  @Test(arguments: names)
  func everyDamagedFileGivesAnErrorOrAResultWithinFiveSeconds(name: String) throws {
    try withTemporaryDirectory { folder in
      let isStill = name.hasSuffix(".jpg")
      let text = Text(
        clips: try sample(name, isStill ? #""duration": "0.2s""# : ""),
        export: Text.quick + #", "range": {"in": 0, "out": "0.2s"}"#)
      for (kind, text) in [
        ("start", text),
        ("whole", Text(clips: try sample(name, isStill ? #""duration": "0.2s""# : ""))),
      ] {
        let began = ContinuousClock.now
        let outcome = outcome(of: text, kind, in: folder)
        let elapsed = ContinuousClock.now - began
        #expect(elapsed < .seconds(5), "\(name) \(kind): \(outcome)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.allSatisfy { !$0.contains("partial") })
      }
    }
  }

  private func outcome(of text: Text, _ kind: String, in folder: URL) -> String {
    do {
      let made = try text.export(to: kind + ".mp4", in: folder)
      // What was made reads to its end.
      try Program.ffmpeg(["-i", made.url.path, "-f", "null", "-"])
      let probed = try ProbedFile(made.url)
      #expect(!probed.streams.isEmpty)
      return "made \(probed.format["duration"] ?? "?")"
    } catch let refusal as Refusal {
      #expect(!refusal.errors.isEmpty)
      return refusal.description
    } catch let error as CutroomError {
      #expect([.media, .unsupported, .input].contains(error.code), "\(error)")
      #expect(!error.message.isEmpty)
      return "\(error.stableCode): \(error.message)"
    } catch {
      Issue.record("\(error)")
      return "\(error)"
    }
  }

  @Test func encryptedFilesAreNamedAsSuch() throws {
    try withTemporaryDirectory { folder in
      let errors = try Text(
        clips: try sample("unsupported/encrypted-cenc-clearkey.mp4")
      ).refusal(in: folder)
      #expect(errors == ["unsupported /tracks/0/clips/0/source"])
    }
  }
}
