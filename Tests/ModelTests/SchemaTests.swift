import Foundation
import TestSupport
import Testing

@testable import CutroomModel

/// Python's `jsonschema`, an independent validator.
private enum SchemaValidator {
  /// Whether it can be used here.
  static let isInstalled = {
    do {
      return try Program.result(of: "python3", ["-c", "import jsonschema"]).status == 0
    } catch {
      return false
    }
  }()

  private static let script = """
    import json, sys, jsonschema
    schema = json.load(open(sys.argv[1]))
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    def unique(pairs):
        if len(dict(pairs)) < len(pairs): raise ValueError("a key stands twice")
        return dict(pairs)
    def refuse(word): raise ValueError(word)
    def load(path):
        value = json.load(open(path), object_pairs_hook=unique, parse_constant=refuse)
        json.dumps(value, ensure_ascii=False).encode()
        return value
    for path in sys.argv[2:]:
        try:
            errors = [e.message for e in validator(schema).iter_errors(load(path))]
        except ValueError as error:
            errors = [str(error)]
        print(json.dumps([path, errors[:1]]))
    """

  /// The first thing that is wrong with each file, by path; empty for a valid one.
  static func findings(_ files: [URL]) throws -> [String: [String]] {
    try withTemporaryDirectory { directory in
      let (schema, script) = (
        directory.appending(path: "schema.json"), directory.appending(path: "validate.py")
      )
      try Data(CompositionSchema.json.encoded().utf8).write(to: schema)
      try Data(Self.script.utf8).write(to: script)
      let run = try Program.run("python3", [script.path, schema.path] + files.map(\.path))
      var findings: [String: [String]] = [:]
      for line in run.lines {
        let pair = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any]
        let path = try #require(pair?.first as? String)
        findings[path] = try #require(pair?.last as? [String])
      }
      return findings
    }
  }
}

@Suite(.enabled(if: SchemaValidator.isInstalled, "python3 with jsonschema is not installed"))
struct SchemaTests {
  /// The codes of mistakes that a schema can see.
  private static func isStructural(_ diagnostic: Diagnostic) -> Bool {
    guard diagnostic.severity == .error else { return false }
    let codes: Set<String> = ["time.syntax", "time.rate", "time.negative"]
    return diagnostic.code.hasPrefix("shape.") || diagnostic.code.hasPrefix("syntax.")
      || codes.contains(diagnostic.code)
  }

  @Test func everySampleIsValid() throws {
    let findings = try SchemaValidator.findings(PackageFolder.samples)
    #expect(!findings.isEmpty)
    for (path, messages) in findings { #expect(messages.isEmpty, "\(path)") }
  }

  @Test func everythingTheReaderAcceptsIsValid() throws {
    try withTemporaryDirectory { directory in
      var files: [URL] = []
      for (index, text) in [CompositionReaderTests.full, CompositionReaderTests.rest].enumerated() {
        let document = try #require(CompositionReaderTests.read(text).document)
        files.append(directory.appending(path: "full\(index).json"))
        try Data(CompositionWriter.text(document).utf8).write(to: files[index])
      }
      for seed in 0..<100 {
        var generator = DocumentGenerator(seed: UInt64(seed))
        let file = directory.appending(path: "\(seed).json")
        try Data(CompositionWriter.text(generator.document()).utf8).write(to: file)
        files.append(file)
      }
      for (path, messages) in try SchemaValidator.findings(files) {
        #expect(messages.isEmpty, "\(path)")
      }
    }
  }

  @Test func whatIsWrongInItsStructureFailsInBoth() throws {
    let folder = PackageFolder.root.appending(path: "compositions/invalid")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "json" }
    let findings = try SchemaValidator.findings(files)
    for file in files {
      let text = SourceText(file: file.path, bytes: Array(try Data(contentsOf: file)))
      let isWrong = CompositionReader.read(text).diagnostics.contains(where: Self.isStructural)
      let messages = try #require(findings[file.path])
      #expect(messages.isEmpty != isWrong, "\(file.lastPathComponent): \(messages)")
    }
  }
}
