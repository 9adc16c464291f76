@testable import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// The weights of dissolves in exported pictures.
@Suite struct DissolveTests {
  /// Brightness of each frame of an export of one worker, so that one renderer draws all of it.
  private func brightness(_ clips: String) throws -> [Int] {
    try withGoldenFolder { folder in
      let composition = try folder.write(
        """
        {"format": "cutroom/1", "timeline": {"frameRate": 25, "size": [64, 36]},
         "sources": {"white": {"color": "#FFFFFF"}, "black": {"color": "#000000"}},
         "tracks": [{"kind": "video", "clips": [\(clips)]}],
         "export": {"container": "mkv", "video": {"codec": "ffv1"}}}
        """, "a.json")
      let output = try folder.export(composition, "a.mkv")
      let fingerprint = try FingerprintReader(path: output, cancellation: Cancellation()).read()
      let pictures = try #require(fingerprint.streams.first?.thumbnails)
      return pictures.pictures.map { Int($0[0]) }
    }
  }

  @Test func frameKOfAnyDissolveHasTheWeightKOverItsLength() throws {
    let levels = try brightness(
      """
      {"source": "white", "duration": "10f"},
      {"transition": "dissolve", "duration": "5f", "alignment": "start"},
      {"source": "black", "duration": "10f"},
      {"transition": "dissolve", "duration": "4f", "alignment": "start"},
      {"source": "white", "duration": "10f"}
      """)
    let down = (0..<5).map { 235 - 219 * $0 / 5 }
    let up = (0..<4).map { 16 + 219 * $0 / 4 }
    let expected =
      Array(repeating: 235, count: 10) + down + Array(repeating: 16, count: 5) + up
      + Array(repeating: 235, count: 6)
    #expect(levels.count == expected.count)
    for (frame, (level, wanted)) in zip(levels, expected).enumerated() {
      #expect(abs(level - wanted) <= 1, "frame \(frame)")
    }
  }
}
