import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

struct ReaderBudgetTests {
  @Test func roomIsTakenByFilesAndGivenBack() {
    let budget = ReaderBudget(files: 2, bytes: 1 << 30)
    var shares = [budget.open(pictureBytes: 3456)]
    #expect(!budget.lacksRoom())
    shares.append(budget.open(pictureBytes: 3456))
    #expect(budget.lacksRoom())
    shares.removeLast()
    #expect(!budget.lacksRoom())
  }

  @Test func roomIsTakenByPictures() {
    // Eight pictures of 1920 × 1080 with half a byte of chroma a pixel: 24.9 MB; twice that deep.
    let budget = ReaderBudget(files: 64, bytes: 60_000_000)
    let first = budget.open(pictureBytes: 3_110_400)
    #expect(!budget.lacksRoom(pictureBytes: 3_110_400))
    #expect(budget.lacksRoom(pictureBytes: 6_220_800))
    withExtendedLifetime(first) {}
  }

  /// Clips of many files, with room for one: the pictures are the same.
  @Test(.needsFFmpeg) func littleRoomChangesNoPicture() throws {
    try withTemporaryDirectory { folder in
      var clips: [String] = []
      for number in 0..<6 {
        let copy = folder.appending(path: "\(number).mp4")
        try FileManager.default.copyItem(at: try Fixtures.file("count25.mp4"), to: copy)
        clips.append("{source: '\(copy.path)', in: '\(number)s', duration: '5f'}")
      }
      let text = SourceText(
        file: "a.json",
        text: """
          {format: 'cutroom/1', tracks: [{clips: [\((clips + clips).joined(separator: ","))]}],
           export: {mode: 'render', audio: false, video: {codec: 'ffv1'}}}
          """)
      let checked = Engine.check(text: text, baseDirectory: "")
      var hashes: [[String]] = []
      for memory in [0, 512 << 20] {
        let url = folder.appending(path: "\(memory).mkv")
        let plan = try #require(Engine.plan(checked, output: url.path).plan)
        _ = try Engine.export(plan, memory: memory)
        hashes.append(try DecodedPictures.hashes(url))
      }
      #expect(hashes[0].count == 60)
      #expect(hashes[0] == hashes[1])
    }
  }
}
