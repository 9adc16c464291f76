import CutroomMedia
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
