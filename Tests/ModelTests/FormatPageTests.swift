import Foundation
import TestSupport
import Testing

@testable import CutroomModel

/// A page of the documentation: what people wrote, and a part that is written from the code.
private struct Page {
  static let mark =
    "<!-- Written by the test FormatPageTests; record it with RECORD_GOLDEN=1. -->\n"

  var url: URL
  var text: String

  init(_ name: String) throws {
    url = PackageFolder.root.appending(path: "Sources/Cutroom/Cutroom.docc/\(name).md")
    text = try String(contentsOf: url, encoding: .utf8)
  }

  /// Compares the written part with `tables`, or records them.
  func expect(_ tables: String) throws {
    let parts = text.components(separatedBy: Self.mark)
    try #require(parts.count == 2)
    guard ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" else {
      #expect(parts[1] == "\n" + tables, "record with RECORD_GOLDEN=1, and read the difference")
      return
    }
    try Data((parts[0] + Self.mark + "\n" + tables).utf8).write(to: url)
    Issue.record("recorded; read the difference, and run again without RECORD_GOLDEN")
  }

  /// The code blocks of a language.
  func blocks(_ language: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }
}

struct FormatPageTests {
  @Test func everyExampleIsAComposition() throws {
    let page = try Page("Format")
    #expect(page.blocks("json").count == 1 && page.blocks("json5").count >= 7)
    for block in page.blocks("json") + page.blocks("json5") {
      let read = CompositionReader.read(
        SourceText(file: "Format.md", text: Self.composition(block)))
      #expect(read.diagnostics == [], "\(block)")
      let document = try #require(read.document)
      let again = CompositionReader.read(
        SourceText(file: "Format.md", text: CompositionWriter.text(document)))
      #expect(again.document == document)
    }
  }

  /// An example as a whole file: some are clips of a track, some are members of the file.
  private static func composition(_ block: String) -> String {
    if block.contains("cutroom/1") { return block }
    if block.hasPrefix("{") { return "{format: 'cutroom/1', tracks: [{clips: [\(block)]}]}" }
    let tracks = block.contains("\"tracks\"") ? "" : "tracks: [],"
    return "{format: 'cutroom/1', \(tracks) \(block)}"
  }

  @Test func theTablesOfKeysAreThoseOfTheReader() throws {
    var tables = KeyTables()
    tables.add(CompositionFormat.top)
    try Page("Format").expect(tables.sections.joined(separator: "\n"))
  }

  @Test func theTableOfCodesIsComplete() throws {
    var table = "| code | AVFoundation | means |\n|---|---|---|\n"
    for code in DiagnosticCode.allCases {
      let number = code.avFoundationNumber.map { "−\(-$0)" } ?? ""
      table += "| `\(code.rawValue)` | \(number) | \(code.summary) |\n"
    }
    try Page("Diagnostics").expect(table)
  }

  @Test func everyCodeHasASentenceOfItsOwn() {
    let summaries = DiagnosticCode.allCases.map(\.summary)
    #expect(summaries.allSatisfy { $0.hasSuffix(".") })
    #expect(Set(summaries).count == summaries.count)
  }
}

/// The tables of all objects that can be reached from one.
private struct KeyTables {
  var sections: [String] = []
  private var seen: Set<String> = []

  mutating func add(_ format: ObjectFormat) {
    guard seen.insert(format.name).inserted else { return }
    var text = "### \(Self.title(format))\n\n\(format.summary).\n\n"
    text += "| key | value | default | meaning |\n|---|---|---|---|\n"
    for key in format.keys {
      let neutral = key.neutral.map { "`\($0.encoded())`" } ?? (key.isRequired ? "required" : "")
      text += "| `\(key.name)` | \(Self.words(key.value)) | \(neutral) | \(key.summary) |\n"
    }
    sections.append(text)
    for key in format.keys { follow(key.value) }
  }

  private mutating func follow(_ value: ValueFormat) {
    switch value {
    case .object(let format): add(format)
    case .list(let inner, _), .map(let inner): follow(inner)
    case .animated(let inner):
      follow(inner)
    case .either(let forms): for form in forms { follow(form) }
    default: break
    }
  }

  private static func title(_ format: ObjectFormat) -> String {
    var title = ""
    for character in format.name {
      title += character.isUppercase ? " " + character.lowercased() : String(character)
    }
    return title.prefix(1).uppercased() + title.dropFirst()
  }

  private static func words(_ value: ValueFormat) -> String {
    switch value {
    case .text, .name: return "text"
    case .path: return "path"
    case .flag: return "true or false"
    case .never: return "`false`"
    case .word(let words, _):
      return words.count > 24 ? "name" : words.map { "`\($0)`" }.joined(separator: ", ")
    case .integer(let bounds, _):
      return "whole number, \(bounds.lowerBound) to \(bounds.upperBound)"
    case .rational(let bounds, let isAbove):
      let lower = bounds.lowerBound.decimalText
      return "number, \(isAbove ? "above " : "")\(lower) to \(bounds.upperBound.decimalText)"
    case .point: return "[x, y]"
    case .time: return "time"
    case .length: return "time above 0"
    case .timecode: return "timecode"
    case .frameRate: return "rate"
    case .size: return "[width, height]"
    case .color: return "colour"
    case .gain: return "factor or decibels"
    case .bitrate: return "bits per second"
    case .scalar: return "text, number, true or false"
    case .date: return "ISO 8601 date"
    case .object(let format): return title(format).lowercased()
    case .list(let inner, _): return "list of " + words(inner)
    case .map(let inner): return "object of " + words(inner)
    case .animated(let inner): return words(inner) + "; keyframes"
    case .either(let forms): return forms.map(words).joined(separator: ", or ")
    }
  }
}
