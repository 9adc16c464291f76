import Cutroom
import Testing

@testable import cutroom_cli

/// What a wrong command line is answered with.
struct ErrorCase: Sendable, CustomTestStringConvertible {
  var id: String
  var arguments: [String]
  var code: String
  var message: String
  var fix: String?

  var testDescription: String { id }
}

private let flag = Option("flag", short: "f", help: "a flag")
private let name = Option("name", short: "n", value: "NAME", help: "a value")
private let many = Option("many", value: "KEY", isRepeatable: true, help: "values")
private let choice = Option("choice", choices: ["alpha", "beta"], help: "one of two")
private let parser = ArgumentParser(options: [flag, name, many, choice])

struct ArgumentParserTests {
  @Test(arguments: [
    ["x", "--name", "v", "y", "--flag"],
    ["--name=v", "--flag", "x", "y"],
    ["-n", "v", "x", "-f", "y"],
    ["-nv", "-f", "x", "y"],
    ["-n=v", "x", "--flag", "--", "y"],
  ])
  func optionsStandAnywhereAndInAnySpelling(_ arguments: [String]) throws {
    let parsed = try parser.parse(arguments)
    #expect(parsed.operands == ["x", "y"])
    #expect(parsed.value(of: name) == "v")
    #expect(parsed.has(flag))
  }

  @Test func twoDashesEndTheOptions() throws {
    let parsed = try parser.parse(["--", "--flag", "-n", "--"])
    #expect(parsed.operands == ["--flag", "-n", "--"])
    #expect(!parsed.has(flag))
  }

  @Test func aSingleDashIsAnOperand() throws {
    #expect(try parser.parse(["-"]).operands == ["-"])
  }

  @Test func valuesMayBeginWithADashOrBeEmpty() throws {
    #expect(try parser.parse(["--name", "-x"]).value(of: name) == "-x")
    #expect(try parser.parse(["--name=--flag"]).value(of: name) == "--flag")
    #expect(try parser.parse(["--name="]).value(of: name) == "")
    #expect(try parser.parse(["--name", "a=b=c"]).value(of: name) == "a=b=c")
  }

  @Test func repeatableOptionsKeepTheirOrder() throws {
    let parsed = try parser.parse(["--many", "b", "--many=a", "--flag", "--many", "b"])
    #expect(parsed.occurrences.filter { $0.option == many }.map(\.value) == ["b", "a", "b"])
  }

  @Test(arguments: [
    ErrorCase(
      id: "a misspelt option", arguments: ["--flga"], code: "usage.unknown-option",
      message: "unknown option '--flga'", fix: "did you mean '--flag'?"),
    ErrorCase(
      id: "an option like nothing there is", arguments: ["--zzzzzzzz"],
      code: "usage.unknown-option", message: "unknown option '--zzzzzzzz'"),
    ErrorCase(
      id: "a long option with one dash", arguments: ["-flag"], code: "usage.unknown-option",
      message: "unknown option '-flag'", fix: "did you mean '--flag'?"),
    ErrorCase(
      id: "no value at the end", arguments: ["--name"], code: "usage.missing-value",
      message: "option '--name' needs a value: NAME"),
    ErrorCase(
      id: "an option instead of a value", arguments: ["-n", "--flag"],
      code: "usage.missing-value", message: "option '-n' needs a value: NAME"),
    ErrorCase(
      id: "the end of options instead of a value", arguments: ["-n", "--", "x"],
      code: "usage.missing-value", message: "option '-n' needs a value: NAME"),
    ErrorCase(
      id: "a value for a flag", arguments: ["--flag=yes"], code: "usage.unexpected-value",
      message: "option '--flag' takes no value, but 'yes' was given"),
    ErrorCase(
      id: "given twice", arguments: ["--name", "a", "-n", "b"], code: "usage.repeated-option",
      message: "option '-n' may be given only once"),
    ErrorCase(
      id: "a misspelt choice", arguments: ["--choice", "alhpa"], code: "usage.invalid-value",
      message: "'alhpa' is not a value of '--choice': expected alpha, beta",
      fix: "did you mean 'alpha'?"),
  ])
  func mistakesAreNamed(_ mistake: ErrorCase) throws {
    let error = #expect(throws: UsageError.self) { try parser.parse(mistake.arguments) }
    #expect(error?.code == mistake.code)
    #expect(error?.message == mistake.message)
    #expect(error?.fix == mistake.fix)
  }

  @Test(arguments: ["0", "-1", "1.5", "x", "", "99999999999999999999"])
  func countsAreWholeNumbersOfAtLeastOne(_ text: String) throws {
    let parsed = try parser.parse(["--name=\(text)"])
    #expect(throws: UsageError.self) { try parsed.count(of: name) }
  }
}
