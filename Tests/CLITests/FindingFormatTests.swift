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
