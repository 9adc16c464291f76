@testable import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Nothing that is empty, missing or damaged ever counts as equal.
@Suite struct GoldenClosedTests {
  /// A way to damage a golden.
  struct Damage: Sendable, CustomTestStringConvertible {
    var name: String
    var change: @Sendable (String) -> String
    var testDescription: String { name }

    init(_ name: String, _ change: @escaping @Sendable (String) -> String) {
      self.name = name
      self.change = change
    }
  }

  static let damages: [Damage] = [
    Damage("empty") { _ in "" },
    Damage("an empty object") { _ in "{}" },
    Damage("an empty array") { _ in "[]" },
    Damage("cut in the middle") { String($0.prefix($0.count / 2)) },
    Damage("cut at the end") { String($0.dropLast(3)) },
    Damage("another format") { $0.replacing("cutroom-golden/1", with: "cutroom-golden/2") },
    Damage("no tiers") { without("tiers", $0, "[]") },
    Damage("one tier less") { $0.replacing("\"frames\",", with: "") },
    Damage("no streams") { text in
      edited(text) { $0["structure"] = ["streams": []] }
    },
    Damage("no sums of frames") { without("frames", $0, "[]") },
    Damage("no sums of samples") { without("samples", $0, "[]") },
    Damage("no pictures") { without("picture", $0, "[]") },
    Damage("no levels") { without("sound", $0, "[]") },
    Damage("no metadata") { without("metadata", $0, "{}") },
    Damage("frames without sums") { text in
      without("frames", text, #"[{"stream": 0, "count": 0, "group": 1, "hashes": []}]"#)
    },
    Damage("fewer sums than counted") { text in
      without(
        "frames", text,
        #"[{"stream": 0, "count": 25, "group": 1, "hashes": ["0123456789abcdef*24"]}]"#)
    },
    Damage("a run of endless length") { text in
      without(
        "frames", text,
        #"[{"stream": 0, "count": 9999999999, "group": 1, "hashes": ["0123456789abcdef*9999999999"]}]"#
      )
    },
  ]

  private static func edited(_ text: String, _ change: (inout [String: Any]) -> Void) -> String {
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    var members = object ?? [:]
    change(&members)
    let data = (try? JSONSerialization.data(withJSONObject: members)) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  private static func without(_ key: String, _ text: String, _ value: String) -> String {
    edited(text) { members in
      members[key] = try? JSONSerialization.jsonObject(with: Data(value.utf8))
    }
  }

  @Test func damagedGoldensNeverPass() throws {
    try withGoldenFolder { folder in
      let composition = try folder.composition("a")
      let golden = try folder.record(composition)
      let output = try folder.export(composition, "a.mkv")
      let whole = try String(contentsOfFile: golden, encoding: .utf8)
      for damage in Self.damages {
        let text = damage.change(whole)
        #expect(text != whole, "\(damage.name)")
        try Data(text.utf8).write(to: URL(filePath: golden))
        let error = #expect(throws: CutroomError.self, "\(damage.name)") {
          try Engine.compare(output: output, golden: golden)
        }
        #expect(error?.code == .input, "\(damage.name)")
        let check = try Engine.checkGoldens(directory: folder.path("golden"))
        #expect(!check.isEqual, "\(damage.name)")
        #expect(check.results.first?.failure != nil, "\(damage.name)")
        #expect(check.junit.contains("errors=\"1\""), "\(damage.name)")
        #expect(check.html.contains("Not as recorded"), "\(damage.name)")
      }
    }
  }

  @Test func damagedOutputsNeverPass() throws {
    try withGoldenFolder { folder in
      for (name, export) in [
        ("a.mkv", GoldenFolder.lossless), ("b.mp4", GoldenFolder.lossy(crf: 30)),
      ] {
        let composition = try folder.composition("\(name.prefix(1))", export: export)
        let golden = try folder.record(composition)
        let output = try folder.export(composition, name)
        let whole = try Data(contentsOf: URL(filePath: output))
        for length in [0, 1, 100, whole.count / 2, whole.count - whole.count / 8] {
          try whole.prefix(length).write(to: URL(filePath: output))
          #expect(!passes(output, golden), "\(name) cut to \(length) bytes")
        }
        try FileManager.default.removeItem(atPath: output)
        #expect(!passes(output, golden))
        #expect(!passes(composition, golden))
        #expect(!passes(folder.root.path, golden))
      }
    }
  }

  /// Whether a comparison says yes; errors do not.
  private func passes(_ output: String, _ golden: String) -> Bool {
    do { return try Engine.compare(output: output, golden: golden).isEqual } catch { return false }
  }

  @Test func foldersWithoutOrWithSeveralGoldensAreRefused() throws {
    try withGoldenFolder { folder in
      let composition = try folder.composition("a")
      let output = try folder.export(composition, "a.mkv")
      for path in [folder.root.path, folder.path("missing"), folder.path("missing.golden.json")] {
        #expect(throws: CutroomError.self) { try Engine.compare(output: output, golden: path) }
        #expect(throws: CutroomError.self) { try Engine.checkGoldens(directory: path) }
      }
      _ = try folder.record(composition)
      #expect(try Engine.compare(output: output, golden: folder.path("golden")).isEqual)
      _ = try folder.record(folder.composition("b"))
      let error = #expect(throws: CutroomError.self) {
        try Engine.compare(output: output, golden: folder.path("golden"))
      }
      #expect(error?.stableCode == "golden.several")
    }
  }

  @Test func nothingComparedIsNotEqual() {
    let skipped = Tier.allCases.map { TierResult(tier: $0, result: .skipped, detail: "") }
    #expect(!ComparisonReport(name: "a", output: "a").isEqual)
    #expect(!ComparisonReport(name: "a", output: "a", tiers: skipped).isEqual)
    #expect(!GoldenCheckReport(directory: "d", results: []).isEqual)
  }

  @Test func whatDoesNotExportIsNotRecorded() throws {
    try withGoldenFolder { folder in
      let broken = try folder.write("{\"format\": \"cutroom/1\"", "broken.json")
      for compositions in [[], [broken], [folder.path("missing.json")]] {
        #expect(throws: CutroomError.self) {
          try Engine.recordGoldens(
            compositions: compositions, directory: folder.path("golden"))
        }
      }
      let golden = try folder.record(folder.composition("a"))
      try folder.edit(folder.path("a.json")) { $0.replacing("testsrc2", with: "nothing") }
      let check = try Engine.checkGoldens(directory: folder.path("golden"))
      #expect(!check.isEqual)
      #expect(check.results.first?.failure?.message.contains("cannot be exported") == true)
      #expect(FileManager.default.fileExists(atPath: golden))
    }
  }
}
