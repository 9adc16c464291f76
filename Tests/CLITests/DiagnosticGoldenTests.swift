import Cutroom
import Foundation
import TestSupport
import Testing

/// A composition with mistakes, and the findings that were recorded for it.
private struct BrokenComposition: Sendable, CustomTestStringConvertible {
  var url: URL

  var name: String { url.deletingPathExtension().lastPathComponent }
  var testDescription: String { name }
  var golden: URL { Self.goldens.appending(path: name + ".json") }

  static let folder = PackageFolder.root.appending(path: "compositions/invalid")
  static let goldens = PackageFolder.root.appending(path: "golden/diagnostics")

  static var all: [BrokenComposition] {
    get throws {
      try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "json" }
        .sorted { $0.lastPathComponent < $1.lastPathComponent }.map(BrokenComposition.init)
    }
  }

  /// The findings as they are recorded.
  ///
  /// Files stand beside the composition by their names, so that no message holds a machine's path.
  func findings() throws -> String {
    let text = SourceText(file: name + ".json", bytes: Array(try Data(contentsOf: url)))
    let checked = Engine.check(text: text, baseDirectory: "").checkedForExport
    let findings = checked.diagnostics.map { finding -> JSONValue in
      guard case .object(let members) = finding.jsonValue else { return .null }
      return .object(members.filter { $0.key != "file" })
    }
    return JSONValue.array(findings).encoded(pretty: true) + "\n"
  }
}

struct DiagnosticGoldenTests {
  private static let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"

  @Test(arguments: try BrokenComposition.all)
  private func findingsAreTheRecordedOnes(_ broken: BrokenComposition) throws {
    let findings = try broken.findings()
    #expect(findings.contains("\"severity\": \"error\""), "nothing is wrong with \(broken.name)")
    if Self.isRecording {
      try FileManager.default.createDirectory(
        at: BrokenComposition.goldens, withIntermediateDirectories: true)
      try Data(findings.utf8).write(to: broken.golden)
      Issue.record("recorded; read the difference, and run again without RECORD_GOLDEN")
      return
    }
    let recorded = try String(contentsOf: broken.golden, encoding: .utf8)
    #expect(findings == recorded, "record with RECORD_GOLDEN=1, and read the difference")
  }

  @Test func thereAreManyAndNoGoldenIsLeftOver() throws {
    let broken = try BrokenComposition.all
    #expect(broken.count >= 120)
    let goldens = try FileManager.default.contentsOfDirectory(
      at: BrokenComposition.goldens, includingPropertiesForKeys: nil)
    #expect(Set(goldens.map(\.lastPathComponent)) == Set(broken.map(\.url.lastPathComponent)))
  }
}
