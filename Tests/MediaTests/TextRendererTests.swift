@testable import CutroomMedia
import Foundation
import Testing

private let hasFont = TextRenderer.hasFont("DejaVu Sans")

@Suite(.enabled(if: hasFont, "the font DejaVu Sans is not installed"))
struct TextRendererTests {
  private func draw(
    _ text: String, font: String = "DejaVu Sans", size: Double = 40,
    color: (UInt8, UInt8, UInt8, UInt8) = (255, 0, 0, 255), alignment: String = "center",
    box: (UInt8, UInt8, UInt8, UInt8)? = nil, maxWidth: Int = 640
  ) throws -> Frame {
    try TextRenderer.render(
      text: text, font: font, size: size, color: color, alignment: alignment, box: box,
      maxWidth: maxWidth)
  }

  private func pixels(_ frame: Frame) -> [[UInt8]] {
    frame.withPlane(0) { bytes, stride in
      var result: [[UInt8]] = []
      for row in 0..<frame.height {
        for column in 0..<frame.width {
          let start = row * stride + column * 4
          result.append([bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3]])
        }
      }
      return result
    }
  }

  @Test func theBoxIsTightAndTheColourIsExact() throws {
    let frame = try draw("H")
    #expect(frame.format?.name == "rgba")
    let all = pixels(frame)
    #expect(all.allSatisfy { $0[0] == 255 && $0[1] == 0 && $0[2] == 0 })
    #expect(all.contains { $0[3] == 255 })
    let firstRow = all.prefix(frame.width)
    #expect(firstRow.contains { $0[3] > 0 })
    #expect(frame.height < 40 && frame.height > 20)
  }

  @Test func aBoxSurroundsTheLetters() throws {
    let frame = try draw("H", box: (0, 0, 255, 128))
    let bare = try draw("H")
    #expect(frame.width == bare.width + 20)
    #expect(frame.height == bare.height + 20)
    #expect(pixels(frame)[0] == [0, 0, 255, 128])
    #expect(pixels(frame).contains([255, 0, 0, 255]))
  }

  @Test func aLineGoesAroundTheLetters() throws {
    let bare = try draw("I")
    let outline = TextRenderer.Outline(color: (0, 255, 0, 255), width: 4)
    for box: (UInt8, UInt8, UInt8, UInt8)? in [nil, (0, 0, 255, 255)] {
      let frame = try TextRenderer.render(
        text: "I", font: "DejaVu Sans", size: 40, color: (255, 0, 0, 128), alignment: "center",
        box: box, outline: outline, maxWidth: 640)
      let padding = box == nil ? 0 : 20
      #expect(abs(frame.width - bare.width - padding - 8) <= 1)
      #expect(abs(frame.height - bare.height - padding - 8) <= 1)
      let row = pixels(frame)[frame.height / 2 * frame.width..<(frame.height / 2 + 1) * frame.width]
      // The line does not show through the letter.
      #expect(row.contains([0, 255, 0, 255]))
      #expect(row.contains(box == nil ? [255, 0, 0, 128] : [128, 0, 127, 255]))
    }
  }

  @Test func paragraphsRunTheWayTheirLettersDo() throws {
    // A full stop at the end of Hebrew lies at the left.
    let word = try draw("שלום", alignment: "right")
    let sentence = try draw("שלום.", alignment: "right")
    let (first, second) = (pixels(word), pixels(sentence))
    func column(_ all: [[UInt8]], _ width: Int, _ x: Int) -> [UInt8] {
      stride(from: x, to: all.count, by: width).map { all[$0][3] }.filter { $0 > 0 }
    }
    #expect(sentence.width > word.width)
    #expect(
      column(second, sentence.width, sentence.width - 1)
        == column(first, word.width, word.width - 1))
    #expect(column(second, sentence.width, 1).count < 10)
  }

  @Test(arguments: [
    ("漢字", 1), ("かな", 1), ("漢a", 1), ("ab", 0), ("漢。", 0), ("「漢", 0), ("漢っ", 0), ("한국", 0),
    ("漢 字", 0), ("漢字かな", 3), ("か\u{3099}", 0),
  ])
  func linesMayBreakBetweenIdeographs(_ text: String, count: Int) {
    let parts = TextRenderer.escaped(text).split(separator: LineBreaks.opportunity)
    #expect(parts.count == count + 1)
    #expect(parts.joined() == text)
  }

  @Test func newlinesAndLongLinesBreak() throws {
    let one = try draw("word")
    #expect(try draw("word\nword").height > one.height + 20)
    #expect(try draw("word\r\nword").digest() == draw("word\nword").digest())
    let wrapped = try draw("word word word word", maxWidth: 150)
    #expect(wrapped.height > one.height + 20)
    #expect(wrapped.width <= 150)
  }

  @Test(arguments: [
    ("{\\b1}x", "x"), ("a\\Nb", "a\nb"), ("{x}", "x"), ("\\hx", " x"), ("a\\{b", "a{b"),
    ("{\u{301}\\b1}x", "x"),
  ])
  func nothingInTheTextIsACommand(text: String, meaning: String) throws {
    #expect(try draw(text).digest() != draw(meaning).digest())
    #expect(try draw(text).width > draw(meaning).width)
  }

  @Test func twoRunsDrawTheSame() throws {
    #expect(try draw("Kapitel 1").digest() == draw("Kapitel 1").digest())
  }

  @Test func alignmentMovesShortLines() throws {
    let digests = try ["left", "center", "right"].map {
      try draw("a long line\nx", alignment: $0).digest()
    }
    #expect(Set(digests).count == 3)
  }

  @Test func anUnknownFamilyIsNamed() throws {
    let error = #expect(throws: LibAVError.self) { try draw("x", font: "No Such Family") }
    #expect(error?.description.contains("'No Such Family'") == true)
  }

  @Test func missingCharactersAreListed() throws {
    let error = #expect(throws: LibAVError.self) { try draw("a\u{1F9FF}b\u{13000}") }
    #expect(error?.description.contains("U+13000") == true)
  }

  @Test(arguments: ["", " ", "\n"])
  func textWithoutLettersIsRefused(text: String) {
    #expect(throws: LibAVError.self) { try draw(text) }
  }

  @Test func textThatDoesNotFitIsRefused() {
    #expect(throws: LibAVError.self) {
      try draw(String(repeating: "m", count: 200), maxWidth: 100)
    }
    #expect(throws: LibAVError.self) {
      try draw(String(repeating: "x\n", count: 600), size: 100)
    }
    #expect(throws: LibAVError.self) { try draw("x", size: 0) }
    #expect(throws: LibAVError.self) { try draw("x", alignment: "middle") }
  }
}
