import CutroomMedia
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Reading, renumbering and merging the parameter sets of HEVC.
@Suite(.needsFFmpeg)
struct HEVCParameterSetTests {
  private func settings(_ name: String) throws -> [UInt8] {
    let demuxer = try Demuxer(path: try Fixtures.file(name).path)
    return try #require(demuxer.streams.first { $0.kind == .video }).extradata
  }

  @Test(arguments: [
    ("hevc25.mp4", 1, 8), ("hevcten25.mp4", 2, 10), ("hevc25.ts", 1, 8), ("hlg.mp4", 2, 10),
  ])
  func readsWhatFFprobeReads(name: String, profile: Int, depth: Int) throws {
    let sets = try #require(HEVCParameterSets(try settings(name)))
    let parameters = try #require(sets.parameters)
    let video = try ProbedFile(try Fixtures.file(name)).stream("video")
    #expect(parameters.level == video["level"].flatMap { Int($0) })
    #expect(parameters.reorderDepth == video["has_b_frames"].flatMap { Int($0) })
    #expect(parameters.profile == profile)
    #expect(parameters.bitDepth == depth)
    #expect(parameters.chromaFormat == 1)
    #expect(sets.ids(HEVCUnit.videoSet) == [0])
    #expect(sets.ids(HEVCUnit.sequenceSet) == [0])
    #expect(sets.ids(HEVCUnit.pictureSet) == [0])
    #expect((sets.lengthSize == nil) == name.hasSuffix(".ts"))
  }

  @Test func renumberedSetsStandBesideTheOriginalsInOneRecord() throws {
    let sets = try #require(HEVCParameterSets(try settings("hevc25.mp4")))
    let numbers = try #require(HEVCNumbers(besides: sets))
    let units = sets.sets.compactMap { numbers.renumbered($0) }
    #expect(units.count == 3)
    let other = try #require(
      NALUnits.joined(units, lengthSize: nil).flatMap { HEVCParameterSets($0) })
    #expect(other.ids(HEVCUnit.videoSet) == [1])
    #expect(other.ids(HEVCUnit.sequenceSet) == [1])
    #expect(other.ids(HEVCUnit.pictureSet) == [30])
    #expect(other.parameters?.level == sets.parameters?.level)
    #expect(other.parameters?.videoSet == 1)
    let merged = try #require(sets.settings(adding: other).flatMap { HEVCParameterSets($0) })
    #expect(merged.ids(HEVCUnit.pictureSet) == [0, 30])
    #expect(merged.parameters == sets.parameters)
    // Numbers that are taken cannot be given again.
    #expect(sets.settings(adding: sets) == nil)
    #expect(try #require(HEVCNumbers(besides: merged)).sequenceSet == 2)
  }

  /// Slices with other numbers are decoded as before, and nothing but the number's bits changes.
  @Test func aRenumberedStreamDecodesToTheSamePictures() throws {
    let file = try Fixtures.file("hevc25.ts")
    let demuxer = try Demuxer(path: file.path)
    let stream = try #require(demuxer.streams.first { $0.kind == .video })
    demuxer.select([stream.index])
    let numbers = try #require(
      HEVCParameterSets(stream.extradata).flatMap { HEVCNumbers(besides: $0) })
    var bytes: [UInt8] = []
    while let packet = try demuxer.read() {
      let units = NALUnits.separatedByStartCodes(packet.bytes)
      let renumbered = units.compactMap { numbers.renumbered($0) }
      #expect(renumbered.count == units.count)
      bytes += try #require(NALUnits.joined(renumbered, lengthSize: nil))
    }
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "renumbered.hevc")
      try Data(bytes).write(to: url)
      #expect(try DecodedPictures.hashes(url) == DecodedPictures.hashes(file))
    }
  }

  @Test func damagedSetsAreRefusedWithoutHarm() throws {
    let whole = try settings("hevc25.mp4")
    func tryAll(_ bytes: [UInt8]) {
      guard let sets = HEVCParameterSets(bytes) else { return }
      _ = sets.parameters
      guard let numbers = HEVCNumbers(besides: sets) else { return }
      _ = sets.sets.map { numbers.renumbered($0) }
      _ = sets.settings(adding: sets)
    }
    for length in 0..<whole.count { tryAll(Array(whole[..<length])) }
    var state: UInt64 = 25
    for _ in 0..<5_000 {
      var bytes = whole
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
      }
      tryAll(bytes)
    }
    #expect(HEVCParameterSets([]) == nil)
  }

  @Test func writtenBitsReadBack() {
    var writer = BitWriter()
    for value in [0, 1, 2, 14, 15, 30, 255, 65_535] { writer.addUnsigned(value) }
    writer.add(0, bits: 40)
    writer.add(5, bits: 3)
    let unit = writer.unit(header: [0x42, 1])
    #expect(NALUnits.separatedByStartCodes([0, 0, 1] + unit) == [unit])
    var reader = BitReader(unit: unit, header: 2)
    for value in [0, 1, 2, 14, 15, 30, 255, 65_535] { #expect(reader.unsigned() == value) }
    #expect(reader.remaining == 43)
    reader.skip(40)
    #expect(reader.bits(3) == 5)
    #expect(reader.remaining == 0)
  }
}
