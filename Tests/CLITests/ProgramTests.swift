import Cutroom
import Foundation
import Testing

@testable import cutroom_cli

/// A command line that is refused before any work.
struct UsageCase: Sendable, CustomTestStringConvertible {
  var arguments: String
  var code: String

  var words: [String] { arguments.split(separator: " ").map(String.init) }
  var testDescription: String { "cutroom \(arguments)" }
}

private let refused = [
  UsageCase(arguments: "", code: "usage.missing-command"),
  UsageCase(arguments: "--quiet", code: "usage.missing-command"),
  UsageCase(arguments: "exprot", code: "usage.unknown-command"),
  UsageCase(arguments: "trim a.mp4 -o b.mp4", code: "usage.missing-option"),
  UsageCase(arguments: "trim a.mp4 --from 1s", code: "usage.missing-option"),
  UsageCase(arguments: "trim a.mp4 --from 1s --too 2s -o b.mp4", code: "usage.unknown-option"),
  UsageCase(arguments: "trim a.mp4 --from soon -o b.mp4", code: "usage.invalid-value"),
  UsageCase(arguments: "trim a.mp4 --from 1s -o b.mp4 --print", code: "usage.conflict"),
  UsageCase(arguments: "join -o b.mp4", code: "usage.missing-argument"),
  UsageCase(arguments: "join a.mp4", code: "usage.missing-option"),
  UsageCase(arguments: "frame a.mp4 -o b.png", code: "usage.missing-option"),
  UsageCase(arguments: "frame a.mp4 --at 1:99 -o b.png", code: "usage.invalid-value"),
  UsageCase(arguments: "show", code: "usage.missing-argument"),
  UsageCase(arguments: "show a.json --overwrite", code: "usage.no-effect"),
  UsageCase(arguments: "waveform a.mp4", code: "usage.missing-option"),
  UsageCase(arguments: "waveform a.mp4 -o w.json --width 0", code: "usage.invalid-value"),
  UsageCase(arguments: "waveform a.mp4 -o w.json --width 9 --block 9", code: "usage.conflict"),
  UsageCase(arguments: "schema a.json", code: "usage.unexpected-argument"),
  UsageCase(arguments: "check", code: "usage.missing-argument"),
  UsageCase(arguments: "check a.json --quiet --verbose", code: "usage.conflict"),
  UsageCase(arguments: "check a.json --jsn", code: "usage.unknown-option"),
  UsageCase(arguments: "resolve a.json b.json", code: "usage.unexpected-argument"),
  UsageCase(arguments: "plan a.json", code: "usage.missing-option"),
  UsageCase(arguments: "export a.json", code: "usage.missing-option"),
  UsageCase(arguments: "export -o out.mp4", code: "usage.missing-argument"),
  UsageCase(arguments: "export a.json -o", code: "usage.missing-value"),
  UsageCase(arguments: "export a.json -o b.mp4 --mode fast", code: "usage.invalid-value"),
  UsageCase(arguments: "export a.json -o b.mp4 --jobs 0", code: "usage.invalid-value"),
  UsageCase(arguments: "export a.json -o b.mp4 --range 5s", code: "usage.invalid-value"),
  UsageCase(arguments: "export a.json -o b.mp4 --range 1s..x", code: "usage.invalid-value"),
  UsageCase(arguments: "export a.json -o b.mp4 --preset High", code: "usage.invalid-value"),
  UsageCase(arguments: "export a.json -o b.mp4 --report a.json", code: "usage.invalid-value"),
  UsageCase(arguments: "export a.json -o b.mp4 --report no/r.json", code: "usage.invalid-value"),
  UsageCase(arguments: "probe", code: "usage.missing-argument"),
  UsageCase(arguments: "golden", code: "usage.missing-command"),
  UsageCase(arguments: "golden rekord x -d d", code: "usage.unknown-command"),
  UsageCase(arguments: "golden record a.json", code: "usage.missing-option"),
  UsageCase(arguments: "golden check", code: "usage.missing-argument"),
  UsageCase(arguments: "compare a.mp4", code: "usage.missing-argument"),
  UsageCase(arguments: "tag", code: "usage.missing-argument"),
  UsageCase(arguments: "tag a.mp3 --set title", code: "usage.invalid-value"),
  UsageCase(arguments: "tag a.mp3 --set title=", code: "usage.invalid-value"),
  UsageCase(arguments: "tag a.mp3 --add =x", code: "usage.invalid-value"),
  UsageCase(arguments: "tag a.mp4 b.mp4 --set a=b", code: "usage.unexpected-argument"),
  UsageCase(arguments: "tag a.mp4 --chapter 1s", code: "usage.invalid-value"),
  UsageCase(arguments: "tag a.mp4 --chapter 25f=A", code: "usage.invalid-value"),
  UsageCase(arguments: "tag a.mp4 --chapter 2s=A --chapter 1s=B", code: "usage.invalid-value"),
  UsageCase(arguments: "tag a.mp3 --id3 2.3", code: "usage.no-effect"),
  UsageCase(arguments: "tag a.mp3 --set a=b --id3 1", code: "usage.invalid-value"),
  UsageCase(arguments: "tag a.mp3 --id3v1", code: "usage.no-effect"),
  UsageCase(arguments: "tag a.mp3 --metadata-loss error", code: "usage.no-effect"),
  UsageCase(arguments: "tag a.mp3 --set a=b --metadata-loss no", code: "usage.invalid-value"),
  UsageCase(arguments: "tag a.mp3 --lint --set a=b", code: "usage.conflict"),
  UsageCase(arguments: "tag a.mp3 --lint -o b.mp3", code: "usage.conflict"),
]

struct ProgramTests {
  @Test(arguments: refused)
  func aWrongCommandLineIsRefusedWithAMessage(_ usage: UsageCase) {
    let console = CapturedConsole()
    #expect(console.run(usage.words) == 2)
    #expect(console.results.isEmpty)
    #expect(console.messages.hasPrefix("cutroom: error[\(usage.code)]: "))
  }

  @Test(arguments: refused)
  func aWrongCommandLineIsOneDocumentWithJSON(_ usage: UsageCase) throws {
    let console = CapturedConsole()
    #expect(console.run(usage.words + ["--json"]) == 2)
    #expect(console.messages.isEmpty)
    let document = try #require(try console.document())
    #expect(document["ok"] as? Bool == false)
    let findings = try #require(document["diagnostics"] as? [[String: Any]])
    #expect(findings.map { $0["code"] as? String } == [usage.code])
    #expect(findings.first?["severity"] as? String == "error")
  }

  @Test func jsonBehindTheEndOfOptionsIsAnOperand() {
    let console = CapturedConsole()
    #expect(console.run(["resolve", "a", "--", "--json"]) == 2)
    #expect(console.results.isEmpty)
  }

  @Test func helpNamesEveryCommand() {
    let console = CapturedConsole()
    #expect(console.run(["--help"]) == 0)
    for command in CommandList.all { #expect(console.results.contains("  \(command.name) ")) }
    #expect(console.messages.isEmpty)
  }

  @Test(arguments: CommandList.all.map { $0.name })
  func everyCommandExplainsItsOptions(_ name: String) throws {
    let console = CapturedConsole()
    #expect(console.run(name.split(separator: " ").map(String.init) + ["--help"]) == 0)
    let command = try #require(CommandList.all.first { $0.name == name })
    #expect(console.results.hasPrefix("usage: cutroom \(name) "))
    for option in command.allOptions where !option.isHidden {
      #expect(console.results.contains("--\(option.name)"))
    }
    #expect(console.results.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test(arguments: [["golden", "--help"], ["help", "golden"]])
  func aGroupExplainsItsCommands(_ arguments: [String]) {
    let console = CapturedConsole()
    #expect(console.run(arguments) == 0)
    #expect(console.results.contains("usage: cutroom golden record "))
    #expect(console.results.contains("usage: cutroom golden check "))
  }

  @Test func theVersionIsPrinted() throws {
    let console = CapturedConsole()
    #expect(console.run(["--version"]) == 0)
    #expect(console.results == "cutroom \(Help.version)\n")
    let json = CapturedConsole()
    #expect(json.run(["--version", "--json"]) == 0)
    #expect(try json.document()?["version"] as? String == Help.version)
  }

  @Test func optionsMayStandBeforeTheCommand() throws {
    let (command, rest) = try CommandList.find(in: ["--json", "-o", "golden", "plan", "a.json"])
    #expect(command.name == "plan")
    #expect(rest == ["--json", "-o", "golden", "a.json"])
    let golden = try CommandList.find(in: ["golden", "-d", "check", "record", "a.json"])
    #expect(golden.command.name == "golden record")
  }
}
