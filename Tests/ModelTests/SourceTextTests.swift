import Testing

@testable import CutroomModel

struct SourceTextTests {
  @Test func acceptsWhatPeopleWriteByHand() {
    let text = SourceText(
      file: "a.json",
      text: """
        \u{FEFF}// a comment
        {name: 'it''s', /* another */ "a\\u00e9\\ud83c\\udfac": [1, -2.5e+3, true, null,],
         $key_1: "\\"\\\\\\/\\b\\f\\n\\r\\t'",}
        """.replacingOccurrences("''", with: "\\'"))
    #expect(text.syntaxDiagnostics.isEmpty)
    let members = text.tree.members(0)
    #expect(members.map(\.name) == ["name", "aé🎬", "$key_1"])
    #expect(text.tree.string(members[0].value) == "it's")
    #expect(text.tree.string(members[2].value) == "\"\\/\u{8}\u{C}\n\r\t'")
    let numbers = text.tree.elements(members[1].value)
    #expect(numbers.map(text.tree.kind) == [.number, .number, .true, .null])
    #expect(text.tree.number(numbers[1]) == "-2.5e+3")
  }

  struct Mistake: CustomTestStringConvertible {
    var text: String
    var code: DiagnosticCode
    var line = 1
    var column: Int
    var testDescription: String { text }

    init(_ text: String, _ code: DiagnosticCode, line: Int = 1, column: Int) {
      (self.text, self.code, self.line, self.column) = (text, code, line, column)
    }
  }

  @Test(arguments: [
    Mistake("", .syntaxEnd, column: 1), Mistake(" // only\n", .syntaxEnd, column: 1),
    Mistake("{\n  \"a\": 1,\n  \"a\": 2}", .syntaxDuplicateKey, line: 3, column: 3),
    Mistake("{a: 1, \"\\u0061\": 2}", .syntaxDuplicateKey, column: 8),
    Mistake("[NaN]", .syntaxNumber, column: 2), Mistake("[-Infinity]", .syntaxNumber, column: 2),
    Mistake("[Infinity]", .syntaxNumber, column: 2), Mistake("[+1]", .syntaxNumber, column: 2),
    Mistake("[.5]", .syntaxNumber, column: 2), Mistake("[5.]", .syntaxNumber, column: 2),
    Mistake("[012]", .syntaxNumber, column: 2), Mistake("[0x10]", .syntaxNumber, column: 2),
    Mistake("[12f]", .syntaxNumber, column: 2), Mistake("[1e]", .syntaxNumber, column: 2),
    Mistake("[\(String(repeating: "1", count: 65))]", .syntaxNumber, column: 2),
    Mistake("[\"\\x\"]", .syntaxString, column: 3),
    Mistake("[\"\\u12\"]", .syntaxString, column: 3),
    Mistake("[\"\\ud800\"]", .syntaxString, column: 3),
    Mistake("[\"\\udc00\\ud800\"]", .syntaxString, column: 3),
    Mistake("[\"a\tb\"]", .syntaxString, column: 4), Mistake("[\"a\n\"]", .syntaxString, column: 2),
    Mistake("[\"abc", .syntaxEnd, column: 2), Mistake("[1, 2", .syntaxEnd, column: 1),
    Mistake("{\"a\": ", .syntaxEnd, column: 7), Mistake("[1 2]", .syntaxUnexpected, column: 3),
    Mistake("[1}", .syntaxUnexpected, column: 3), Mistake("[1] 2", .syntaxUnexpected, column: 5),
    Mistake("{\"a\" 1}", .syntaxUnexpected, column: 6),
    Mistake("[,]", .syntaxUnexpected, column: 2),
    Mistake("[True]", .syntaxUnexpected, column: 2), Mistake("[abc]", .syntaxUnexpected, column: 2),
    Mistake("{a: 1,5}", .syntaxUnexpected, column: 7),
    Mistake("{x-a: 1}", .syntaxUnexpected, column: 2),
    Mistake("{1: 1}", .syntaxUnexpected, column: 2),
    Mistake("[1] # no", .syntaxUnexpected, column: 5), Mistake("[/]", .syntaxUnexpected, column: 2),
    Mistake("[] /* open", .syntaxEnd, column: 4), Mistake("é\u{0}", .syntaxUnexpected, column: 1),
    Mistake("[\"é\", 🎬, x y]", .syntaxUnexpected, column: 7),
    Mistake(String(repeating: "[", count: 65), .syntaxDepth, column: 65),
  ])
  func reportsEachMistakeAtItsPlace(mistake: Mistake) {
    let text = SourceText(file: "a.json", text: mistake.text)
    let first = text.syntaxDiagnostics.first
    #expect(first?.code == mistake.code.rawValue, "\(first?.message ?? "nothing")")
    #expect(first?.place == Place(file: "a.json", line: mistake.line, column: mistake.column))
    #expect(first?.severity == .error)
  }

  @Test func reportsSeveralMistakesOfOneFile() {
    let text = SourceText(
      file: "a.json", text: "{\"a\": NaN,\n\"b\": .5 \"c\": \"\\q\",\n\"a\": True}")
    #expect(
      text.syntaxDiagnostics.map(\.code) == [
        "syntax.number", "syntax.number", "syntax.unexpected", "syntax.string",
        "syntax.duplicate-key", "syntax.unexpected",
      ])
    #expect(text.tree.root != nil)
  }

  @Test func refusesOtherEncodings() {
    for bytes: [UInt8] in [
      [0xFF, 0xFE, 0x7B, 0], [0x5B, 0x22, 0xC3, 0x28, 0x22, 0x5D], [0x22, 0xED, 0xA0, 0x80, 0x22],
    ] {
      let text = SourceText(file: "a.json", bytes: bytes)
      #expect(text.syntaxDiagnostics.map(\.code) == ["syntax.encoding"])
    }
  }

  @Test func refusesHugeFilesWithoutReadingThem() {
    let text = SourceText(file: "a", bytes: [UInt8](repeating: 0x20, count: (64 << 20) + 1))
    #expect(text.syntaxDiagnostics.map(\.code) == ["syntax.too-large"])
  }

  @Test func stopsAfterFiftyMistakes() {
    let text = SourceText(
      file: "a", text: "[" + String(repeating: "NaN,", count: 1000) + "1]")
    #expect(text.syntaxDiagnostics.count == 50)
    #expect(text.tree.root == nil)
  }

  @Test func findsPlacesOfPointers() {
    let text = SourceText(
      file: "a.json", text: "{\n  \"é/~\": {\"b\": [1, {\"c\": 2}]},\n  \"d\": 3\n}")
    #expect(text.place(ofPointer: "") == Place(file: "a.json", line: 1, column: 1))
    #expect(text.place(ofPointer: "/é~1~0/b/1/c") == Place(file: "a.json", line: 2, column: 26))
    #expect(text.place(ofPointer: "/é~1~0/b/7/c") == Place(file: "a.json", line: 2, column: 16))
    #expect(text.place(ofPointer: "/d") == Place(file: "a.json", line: 3, column: 8))
    #expect(text.place(ofPointer: "/nothing") == Place(file: "a.json", line: 1, column: 1))
    for pointer in ["/é~1~0/b/1/c", "/d", "", "/é~1~0"] {
      let node = text.tree.nodes.indices.first {
        text.tree.pointer(to: $0) == pointer
          && text.place(atOffset: text.tree.offset($0))
            == text.place(ofPointer: pointer)
      }
      #expect(node != nil, "\(pointer)")
    }
  }

  @Test func findsKeysThatBeginWithACombiningMark() {
    let text = SourceText(file: "a", text: "{\"\u{301}~a\": [\n1]}")
    #expect(text.place(ofPointer: "/\u{301}~0a/0") == Place(file: "a", line: 2, column: 1))
  }

  @Test func findsLinesOfLongTexts() {
    let line = "\"" + String(repeating: "é", count: 5000) + "\",\n"
    let text = SourceText(file: "a", text: "[\n" + line + line + "7]")
    let elements = text.tree.elements(0)
    #expect(text.place(ofPointer: "/2") == Place(file: "a", line: 4, column: 1))
    #expect(
      text.place(atOffset: text.tree.offset(elements[1]) + 9000)
        == Place(file: "a", line: 3, column: 4502))
    for offset in stride(from: 0, to: text.bytes.count, by: 501) {
      let place = text.place(atOffset: offset)
      let excerpt = text.excerpt(at: place)
      #expect((excerpt?.text.count ?? .max) <= 121)
    }
  }

  @Test func showsTheLineOfAPlace() throws {
    let text = SourceText(file: "a", text: "{\n\t\"name\": 12, // x\n}")
    let excerpt = try #require(text.excerpt(at: Place(file: "a", line: 2, column: 10)))
    #expect(excerpt == (" \"name\": 12, // x", 10))
    #expect(text.excerpt(at: Place(file: "a", line: 9, column: 1)) == nil)
  }
}

extension String {
  fileprivate func replacingOccurrences(_ target: String, with text: String) -> String {
    split(separator: target, omittingEmptySubsequences: false).joined(separator: text)
  }
}
