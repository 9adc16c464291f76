@testable import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Small compositions, their goldens, and files that differ from them in one thing.
struct GoldenFolder {
  let root: URL

  func path(_ name: String) -> String { root.appending(path: name).path }

  /// Writes a composition of a second of moving pictures and a tone, and gives its path.
  ///
  /// The further tracks, metadata items and export settings are JSON.
  func composition(
    _ name: String, tracks: String = "", gain: String = "-6dB", items: String = "",
    export: String = Self.lossless
  ) throws -> String {
    let text = """
      {"format": "cutroom/1",
       "timeline": {"frameRate": 25, "size": [160, 90], "sampleRate": 48000},
       "sources": {
         "pattern": {"generator": "testsrc2", "size": [160, 90], "frameRate": 25, "duration": "2s"},
         "tone": {"generator": "sine=frequency=440:sample_rate=48000", "duration": "2s"},
         "white": {"color": "#FFFFFF"}},
       "tracks": [
         {"id": "picture", "kind": "video", "clips": [{"source": "pattern", "duration": "1s"}]},
         {"id": "sound", "kind": "audio", "clips": [
           {"source": "tone", "duration": "1s", "audio": {"gain": "\(gain)"}}]}\(tracks)],
       "metadata": {"items": {\(items)}},
       "export": \(export)}
      """
    return try write(text, "\(name).json")
  }

  static let lossless =
    #"{"container": "mkv", "video": {"codec": "ffv1"}, "audio": {"codec": "flac"}}"#

  static func lossy(crf: Int) -> String {
    #"{"container": "mp4", "video": {"codec": "h264", "crf": \#(crf), "preset": "veryfast"}, "#
      + #""audio": {"codec": "aac"}}"#
  }

  func write(_ text: String, _ name: String) throws -> String {
    try Data(text.utf8).write(to: root.appending(path: name))
    return path(name)
  }

  /// Records a composition, and gives the golden's path.
  func record(_ composition: String) throws -> String {
    let report = try Engine.recordGoldens(
      compositions: [composition], directory: path("golden"), scratch: root.path)
    return try #require(report.files.first)
  }

  /// Exports a composition to a file here.
  func export(_ composition: String, _ name: String) throws -> String {
    let planned = Engine.plan(Engine.check(path: composition), output: path(name))
    let plan = try #require(planned.plan, "\(planned.diagnostics.map(\.message))")
    _ = try Engine.export(plan, jobs: 1)
    return path(name)
  }

  /// Changes a text file.
  func edit(_ path: String, _ change: (String) -> String) throws {
    let old = try String(contentsOfFile: path, encoding: .utf8)
    let new = change(old)
    #expect(new != old)
    try Data(new.utf8).write(to: URL(filePath: path))
  }
}

func withGoldenFolder<Result>(_ body: (GoldenFolder) throws -> Result) throws -> Result {
  try withTemporaryDirectory { try body(GoldenFolder(root: $0)) }
}

extension ComparisonReport {
  func result(_ tier: Tier) -> TierResult.Result? { tiers.first { $0.tier == tier }?.result }
  func detail(_ tier: Tier) -> String { tiers.first { $0.tier == tier }?.detail ?? "" }

  /// The tiers that differ.
  var differing: [Tier] { tiers.filter { $0.result == .differs }.map(\.tier) }
}

/// Runs a program of the system; `false` where it fails.
func runTool(_ arguments: [String]) throws -> Bool {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = arguments
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  try process.run()
  process.waitUntilExit()
  return process.terminationStatus == 0
}
