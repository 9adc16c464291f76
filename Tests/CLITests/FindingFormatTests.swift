import Foundation
import TestSupport
import Testing

@testable import cutroom_cli

struct FindingFormatTests {
  private static let file = PackageFolder.root
    .appending(path: "compositions/invalid/several-times.json").path

  @Test func githubAnnotationsNameTheFileAndThePlace() {
    let console = CapturedConsole()
    #expect(console.run(["check", Self.file, "--format", "github"]) == 2)
    let lines = console.results.split(separator: "\n")
    #expect(lines.count == 4)
    let first =
      "::error file=\(Self.file),line=10,col=45,title=range.reversed::the range ends at 1s"
    #expect(lines.first?.hasPrefix(first) == true)
    #expect(lines.dropFirst(2).first?.hasPrefix("::notice file=") == true)
  }

  @Test func aSARIFLogHasARuleAndAPlaceForEachFinding() throws {
    let console = CapturedConsole()
    #expect(console.run(["check", "--format=sarif", Self.file]) == 2)
    let log = try #require(try console.document())
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    #expect(rules.first?["id"] as? String == "range.reversed")
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.map { $0["level"] as? String } == ["error", "error", "note", "error"])
    let location = try #require((results[0]["locations"] as? [[String: Any]])?.first)
    let physical = try #require(location["physicalLocation"] as? [String: Any])
    #expect((physical["region"] as? [String: Int]) == ["startLine": 10, "startColumn": 45])
    let related = try #require(results[3]["relatedLocations"] as? [[String: Any]])
    #expect(related.count == 1)
  }

  /// The workflow commands of GitHub: `%`, line ends, and in properties `:` and `,` are escaped.
  @Test func githubAnnotationsEscapeWhatWouldEndThem() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "50%, a:b.json")
      try Data("{format: 'cutroom/1', tracks: [], 'a%0A::b': 1}".utf8).write(to: file)
      let console = CapturedConsole()
      #expect(console.run(["check", file.path, "--format", "github"]) == 2)
      let lines = console.results.split(separator: "\n")
      let line = try #require(lines.first { $0.contains("shape.unknown-key") })
      #expect(line.contains("/50%25%2C a%3Ab.json,line=1,col=35,title=shape.unknown-key::"))
      #expect(line.contains("'a%250A::b'"))
    }
  }

  /// What the schema of SARIF 2.1.0 asks of the objects that occur, over every broken composition.
  @Test func aSARIFLogHasTheShapeOfTheStandard() throws {
    let folder = PackageFolder.root.appending(path: "compositions/invalid")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).map(\.path).sorted()
    let console = CapturedConsole()
    #expect(console.run(["check", "--format=sarif"] + files) == 2)
    let log = try #require(try console.document())
    #expect(Set(log.keys) == ["$schema", "version", "runs"])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    #expect(Set(run.keys) == ["tool", "columnKind", "results"])
    #expect(run["columnKind"] as? String == "unicodeCodePoints")
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    #expect(Set(driver.keys) == ["name", "version", "rules"])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let ids = rules.compactMap { $0["id"] as? String }
    #expect(Set(ids).count == rules.count)
    for rule in rules {
      #expect(Set(rule.keys) == ["id", "shortDescription"])
      #expect(Self.text(rule["shortDescription"])?.hasSuffix(".") == true)
    }
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count >= files.count)
    for result in results {
      let known: Set = ["ruleId", "level", "message", "locations", "relatedLocations"]
      #expect(Set(result.keys).subtracting(known).isEmpty)
      #expect(ids.contains(result["ruleId"] as? String ?? ""))
      #expect(["none", "note", "warning", "error"].contains(result["level"] as? String))
      #expect(Self.text(result["message"])?.isEmpty == false)
      let own = try #require(result["locations"] as? [[String: Any]])
      #expect(own.count == 1)
      for location in own { try expectLocation(location) }
      for (index, other) in (result["relatedLocations"] as? [[String: Any]] ?? []).enumerated() {
        #expect(other["id"] as? Int == index + 1)
        #expect(Self.text(other["message"])?.isEmpty == false)
        try expectLocation(other)
      }
    }
  }

  private static func text(_ message: Any?) -> String? {
    (message as? [String: Any])?["text"] as? String
  }

  private func expectLocation(_ location: [String: Any]) throws {
    let known: Set = ["id", "message", "physicalLocation", "logicalLocations"]
    #expect(Set(location.keys).subtracting(known).isEmpty)
    let place = try #require(location["physicalLocation"] as? [String: Any])
    let artifact = try #require(place["artifactLocation"] as? [String: Any])
    let uri = try #require(artifact["uri"] as? String)
    #expect(URL(string: uri)?.scheme == "file")
    #expect(uri.allSatisfy { $0.isASCII && !$0.isWhitespace })
    if let region = place["region"] as? [String: Int] {
      #expect(Set(region.keys) == ["startLine", "startColumn"])
      #expect(region.values.allSatisfy { $0 >= 1 })
    }
    for logical in location["logicalLocations"] as? [[String: Any]] ?? [] {
      #expect((logical["fullyQualifiedName"] as? String)?.hasPrefix("/") == true)
      #expect(logical["kind"] as? String == "member")
    }
  }

  @Test func jsonIsTheDocumentOfTheOption() throws {
    let (format, option) = (CapturedConsole(), CapturedConsole())
    #expect(format.run(["check", Self.file, "--format", "json"]) == 2)
    #expect(option.run(["check", Self.file, "--json"]) == 2)
    #expect(format.results == option.results)
  }

  @Test func jsonAndAnotherFormatExcludeEachOther() {
    let console = CapturedConsole()
    #expect(console.run(["check", Self.file, "--json", "--format", "sarif"]) == 2)
    #expect(console.results.contains("usage.conflict"))
  }
}
