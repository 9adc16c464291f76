import CutroomMedia
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Reading and merging the parameter sets of H.264.
@Suite(.needsFFmpeg)
struct H264ParameterSetTests {
  private func settings(_ name: String) throws -> [UInt8] {
    let demuxer = try Demuxer(path: try Fixtures.file(name).path)
    return try #require(demuxer.streams.first { $0.kind == .video }).extradata
  }

  @Test(arguments: [
    ("count25.mp4", "high"), ("ten25.mp4", "high10"), ("count25_nobf.mp4", "high"),
    ("count25.ts", "high"),
  ])
  func readsWhatFFprobeReads(name: String, profile: String) throws {
    let sets = try #require(H264ParameterSets(try settings(name)))
    let parameters = try #require(sets.parameters)
    let video = try ProbedFile(try Fixtures.file(name)).stream("video")
    #expect(parameters.level == video["level"].flatMap { UInt8($0) })
    #expect(parameters.reorderDepth == video["has_b_frames"].flatMap { Int($0) })
    #expect(parameters.bitDepth == (profile == "high10" ? 10 : 8))
    #expect(parameters.profile == (profile == "high10" ? 110 : 100))
    #expect(parameters.isFrameOnly)
    #expect(sets.ids == [0])
    #expect((sets.lengthSize == nil) == name.hasSuffix(".ts"))
  }

  @Test func setsOfTwoNumbersStandInOneRecord() throws {
    let first = try #require(H264ParameterSets(try settings("count25.mp4")))
    let second = try #require(H264ParameterSets(try settings("second25.mp4")))
    #expect(second.ids == [1])
    let merged = try #require(first.settings(adding: second).flatMap { H264ParameterSets($0) })
    #expect(merged.ids == [0, 1])
    #expect(merged.sequences == first.sequences + second.sequences)
    #expect(merged.pictures == first.pictures + second.pictures)
    #expect(merged.lengthSize == 4)
    // The same number cannot stand for two sets.
    #expect(first.settings(adding: first) == nil)
    #expect(merged.settings(adding: second) == nil)
  }

  @Test func damagedSetsAreRefusedWithoutHarm() throws {
    let whole = try settings("count25.mp4")
    for length in 0..<whole.count {
      let part = H264ParameterSets(Array(whole[..<length]))
      _ = part?.ids
      _ = part?.parameters
    }
    var state: UInt64 = 25
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
      }
      let sets = H264ParameterSets(bytes)
      _ = sets?.ids
      _ = sets?.parameters
    }
    #expect(H264ParameterSets([]) == nil)
    #expect(H264ParameterSets([1, 100, 0, 12, 0xFF, 0xE1]) == nil)
  }

  @Test func unitsKeepTheirBytesInBothForms() throws {
    let units: [[UInt8]] = [[0x67, 1, 2, 3], [0x68, 9], [0x65, 0, 0, 3, 1]]
    let started = try #require(NALUnits.joined(units, lengthSize: nil))
    #expect(NALUnits.separatedByStartCodes(started) == units)
    let prefixed = try #require(NALUnits.joined(units, lengthSize: 3))
    #expect(NALUnits.prefixed(prefixed, lengthSize: 3) == units)
    #expect(NALUnits.prefixed([0, 0, 9, 1], lengthSize: 3) == nil)
    #expect(NALUnits.joined([[UInt8](repeating: 1, count: 256)], lengthSize: 1) == nil)
  }
}
