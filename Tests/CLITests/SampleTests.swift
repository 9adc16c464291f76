import Foundation
import TestSupport
import Testing

/// A sample, with the samples that make the files it reads.
private struct Sample: Sendable, CustomTestStringConvertible {
  var url: URL
  var needs: [String: String]

  var testDescription: String { url.lastPathComponent }

  static var all: [Sample] {
    get throws {
      try PackageFolder.samples.map { url in
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
        let needs = (object as? [String: Any])?["x-needs"] as? [String: String]
        return Sample(url: url, needs: needs ?? [:])
      }
    }
  }
}

struct SampleTests {
  @Test func thereIsASampleForEachThingThatCutroomDoes() throws {
    let names = try Sample.all.map { $0.url.deletingPathExtension().lastPathComponent }
    for name in [
      "demo", "cut", "join", "overlay", "dissolve", "mix", "title", "audio-only", "passthrough",
    ] {
      #expect(names.contains(name))
    }
  }

  @Test(arguments: try Sample.all)
  private func everySampleIsPlanned(_ sample: Sample) throws {
    try withTemporaryDirectory { directory in
      for (file, maker) in sample.needs {
        let source = sample.url.deletingLastPathComponent().appending(path: maker)
        let made = try Binary.run("export", source.path, "-o", file, in: directory)
        #expect(made.status == 0, "\(made.messages)")
      }
      let name = sample.url.lastPathComponent
      let folder = sample.url.deletingLastPathComponent()
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where file == name || !file.hasSuffix(".json") && file != "invalid"
        || file.contains("-stage.")
      {
        try FileManager.default.copyItem(
          at: folder.appending(path: file), to: directory.appending(path: file))
      }
      let run = try Binary.run("plan", name, "-o", "out", "--json", in: directory)
      #expect(run.status == 0, "\(run.messages)\(run.results)")
    }
  }

  @Test func everySampleHasAGolden() throws {
    let folder = PackageFolder.root.appending(path: "golden")
    for sample in try Sample.all {
      let name = sample.url.deletingPathExtension().lastPathComponent
      let golden = folder.appending(path: "\(name).golden.json")
      #expect(FileManager.default.fileExists(atPath: golden.path), "\(name) has no golden")
    }
  }

  @Test func theReadmesCompositionIsExported() throws {
    let readme = try String(
      contentsOf: PackageFolder.root.appending(path: "README.md"), encoding: .utf8)
    let parts = readme.split(separator: "```json\n")
    let text = try #require(parts.dropFirst().first?.split(separator: "```").first)
    try withTemporaryDirectory { directory in
      try Data(text.utf8).write(to: directory.appending(path: "bars.json"))
      let run = try Binary.run("export", "bars.json", "-o", "bars.mp4", in: directory)
      #expect(run.status == 0, "\(run.messages)")
      #expect(FileManager.default.fileExists(atPath: directory.appending(path: "bars.mp4").path))
    }
  }
}
