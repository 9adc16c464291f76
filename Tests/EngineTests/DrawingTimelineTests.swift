import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// A composition of generators with everything that is drawn.
private let everything = """
  {"format": "cutroom/1", "name": "A <b> & \\"c\\"",
   "timeline": {"frameRate": 25, "size": [64, 36], "sampleRate": 48000, "channelLayout": "mono"},
   "sources": {"a": {"generator": "testsrc2", "size": [64, 36], "duration": "20s"},
               "tone": {"generator": "sine=frequency=440", "duration": "20s"}},
   "tracks": [
     {"id": "low", "kind": "video", "clips": [
       {"source": "a", "in": "1s", "out": "4s", "name": "first"},
       {"transition": "dissolve", "duration": "1s"},
       {"source": "a", "in": "6s", "out": "9s", "name": "漢字 \\u001b[31m"},
       {"gap": "2s"}, {"source": "a", "in": "2s", "out": "4s"}]},
     {"id": "high", "kind": "video", "clips": [{"source": "a", "at": "2s", "out": "1s"}]},
     {"id": "hum", "kind": "audio", "clips": [{"source": "tone", "out": "10s"}]}],
   "chapters": [{"at": "0s", "title": "Intro"}, {"at": "5s", "title": "More"}]}
  """

private func checked(_ text: String = everything) -> CheckedComposition {
  Engine.check(text: SourceText(file: "folder/t.json", text: text), baseDirectory: "")
}

struct DrawingTimelineTests {
  @Test func theTerminalShowsTracksFromTheTop() throws {
    let text = try Engine.drawing(of: checked()).text(columns: 60)
    let lines = text.split(separator: "\n").map(String.init)
    func line(_ name: String) throws -> Int {
      try #require(lines.firstIndex { $0.hasPrefix(name) })
    }
    #expect(try line("high") < line("low"))
    #expect(try line("low") < line("hum"))
    #expect(try line("hum") < line("picture, "))
    #expect(lines[try line("low")].contains("[first"))
    #expect(lines[try line("low")].contains("╳"))
    #expect(lines[try line("low")].contains("····"))
    #expect(lines[try line("chapters")].contains("▸Intro"))
    #expect(lines[try line("picture, ")].contains("[rendered 250 frames"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test(arguments: [40, 60, 80, 100, 200])
  func noLineIsWiderThanTheTerminal(_ columns: Int) throws {
    let text = try Engine.drawing(of: checked()).text(columns: columns)
    for line in text.split(separator: "\n").dropLast() {
      let wide = line.unicodeScalars.count { (0x3041...0xA4CF).contains($0.value) }
      #expect(line.count + wide <= columns, "\(line)")
    }
  }

  @Test func onlyOurOwnCodesReachATerminal() throws {
    let text = try Engine.drawing(of: checked()).text(columns: 100, usesColor: true)
    #expect(text.contains("\u{1B}[30;104m"))
    #expect(!text.contains("\u{1B}[31m"))
    #expect(text.hasSuffix("\u{1B}[0m"))
  }

  @Test(arguments: ["svg", "html"])
  func aPageNeedsNothingElse(_ ending: String) throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "t.\(ending)")
      let report = try Engine.draw(checked(), output: url.path)
      #expect(report.warnings.isEmpty)
      let text = try String(contentsOf: url, encoding: .utf8)
      #expect(text.contains("A &lt;b&gt; &amp; "))
      #expect(!text.contains("<b>"))
      #expect(!text.contains("\u{1B}"))
      #expect(text.contains("data:image/jpeg;base64,"))
      let links = text.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!links.contains("http"))
      #expect(!links.contains("url("))
      if ending == "svg" {
        let parser = XMLScan()
        #expect(parser.isWellFormed(text))
      } else {
        #expect(text.contains("<td class=\"time\">8s</td>"))
        #expect(text.contains("dissolve"))
      }
    }
  }

  @Test func lettersDoNotOverlap() throws {
    try withTemporaryDirectory { folder in
      for width in [320, 600, 1200] {
        let url = folder.appending(path: "t\(width).svg")
        _ = try Engine.draw(checked(), output: url.path, width: width)
        let boxes = TextBox.all(try String(contentsOf: url, encoding: .utf8))
        #expect(boxes.count > 8)
        for (index, box) in boxes.enumerated() {
          #expect(box.from >= 0 && box.to <= Double(width) + 1, "\(width): \(box)")
          for other in boxes[(index + 1)...] where abs(box.y - other.y) < 9 {
            #expect(box.to <= other.from || other.to <= box.from, "\(width): \(box) \(other)")
          }
        }
      }
    }
  }

  @Test func aPictureHasTheSizeThatIsReported() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "t.png")
      let report = try Engine.draw(checked(), output: url.path, width: 640)
      let bytes = [UInt8](try Data(contentsOf: url))
      let numbers = [16, 20].map { place in
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      }
      #expect(numbers == [report.size.width, report.size.height])
      #expect(numbers[0] == 640)
    }
  }

  @Test func anInvalidCompositionIsNotDrawn() throws {
    let error = #expect(throws: CutroomError.self) {
      try Engine.drawing(of: checked(everything.replacing("\"tone\",", with: "\"tune\",")))
    }
    #expect(error?.diagnostics.contains { $0.code == "reference.unknown-source" } == true)
  }

  @Test func whatCannotBePlannedIsStillDrawn() throws {
    let text = everything.replacing(
      "\"chapters\"", with: "\"export\": {\"mode\": \"passthrough\"}, \"chapters\"")
    let drawing = try Engine.drawing(of: checked(text))
    #expect(drawing.warnings.count == 1)
    #expect(!drawing.text(columns: 80).contains("picture, "))
  }

  @Test(.needsFFmpeg)
  func copiedStretchesAndKeyframesAreMarked() throws {
    let text = Text(
      clips: try clip("count25.mp4", #""in": "2s", "out": "6s""#),
      export: Text.passthrough)
    let drawing = try Engine.drawing(of: checked(text.json))
    let lines = drawing.text(columns: 100).split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("picture, h264 [copied 100 frames") })
    let marks = try #require(lines.first { $0.contains("╵") && !$0.contains("keyframe") })
    #expect(marks.count { $0 == "╵" } == 2)
  }

  @Test func tenThousandClipsAreDrawnInLinearSize() throws {
    let clips = (0..<10_000).map {
      "{\"source\": \"a\", \"in\": \"\($0 % 20 * 25)f\", \"duration\": \"3f\"}"
    }
    let text = """
      {"format": "cutroom/1", "timeline": {"frameRate": 25, "size": [64, 36]},
       "sources": {"a": {"generator": "testsrc2", "size": [64, 36], "duration": "30s"}},
       "tracks": [{"kind": "video", "clips": [\(clips.joined(separator: ","))]}]}
      """
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "t.svg")
      _ = try Engine.draw(checked(text), output: url.path)
      #expect(try Data(contentsOf: url).count < 1_000_000)
    }
  }
}

/// The place of a text in an SVG, by a generous estimate of its letters' widths.
private struct TextBox: CustomStringConvertible {
  var text: String
  var from: Double
  var to: Double
  var y: Double
  var description: String { "'\(text)' \(from)…\(to) at \(y)" }

  static func all(_ svg: String) -> [TextBox] {
    svg.matches(
      of: /<text x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)"([^>]*)>([^<]*)<\/text>/
    ).map { match in
      let (x, y, size) = (Double(match.1) ?? 0, Double(match.2) ?? 0, Double(match.3) ?? 0)
      let text = match.5.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        .replacing("&amp;", with: "&").replacing("&quot;", with: "'")
      let letter = match.4.contains("bold") ? 0.62 : 0.55
      let width = Double(text.count) * letter * size
      let from =
        match.4.contains("middle") ? x - width / 2 : match.4.contains("\"end\"") ? x - width : x
      return TextBox(text: String(text), from: from, to: from + width, y: y)
    }
  }
}

/// A check that every element of a text is closed in order.
private struct XMLScan {
  func isWellFormed(_ text: String) -> Bool {
    var open: [Substring] = []
    for match in text.matches(of: /<(\/?)([a-z]+)[^>]*?(\/?)>/) {
      if match.1 == "/" {
        guard open.popLast() == match.2 else { return false }
      } else if match.3.isEmpty {
        open.append(match.2)
      }
    }
    return open.isEmpty
  }
}
