import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Files with damaged bits: read or refused, quickly, and unchanged when refused.
@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct BitFlipTests {
  static let samples = [
    "real/quodlibet-silence-2s-PCM-16000-08-ID3v23.wav", "real/taglib-rf64.wav",
    "real/quodlibet-with-id3.aif", "fixtures/full.flac", "real/beetbox-coverart.ogg",
    "real/taglib-correctness_gain_silent_output.opus", "fixtures/full.mp3",
  ]

  @Test(arguments: samples) func fiveHundredDamagedFilesAreReadOrRefused(name: String) throws {
    let folder = try TemporaryFolder()
    let whole = try SharedMedia.bytes(name)
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    var generator = Seeded(state: UInt64(name.utf8.count))
    var read = 0
    for round in 0..<500 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        // Most of the structure stands at the ends.
        let near = min(bytes.count, 4096)
        let index = Int.random(in: 0..<near, using: &generator)
        let place = Bool.random(using: &generator) ? index : bytes.count - 1 - index
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
      let path = try folder.file("f." + ending, bytes).path
      let time = try ContinuousClock().measure {
        do {
          _ = try TagStore.read(path)
          read += 1
          // Every tenth is written as well, which costs far more.
          guard round % 10 == 0 else { return }
          _ = try TagStore.retag(path, changes: [.set(key: "title", values: ["T"])])
        } catch is MetadataError {
          #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes), "\(name), \(round)")
        }
      }
      #expect(time < .seconds(2), "\(name), round \(round)")
    }
    #expect(read > 0)
  }
}
