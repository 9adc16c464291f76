import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Frames of files, as other programs read them.
private enum Shot {
  /// The number that the 16 bars of a counting fixture's picture spell.
  static func number(_ url: URL, filter: String? = nil) throws -> Int {
    try #require(try DecodedPictures.numbers(url, filter: filter).first)
  }

  static func seconds(_ times: Rational...) -> [TimeExpression] { times.map { .seconds($0) } }

  static func size(_ url: URL) throws -> [String?] {
    let stream = try ProbedFile(url).stream("video")
    return [stream["width"], stream["height"]]
  }
}

@Suite(.needsFFmpeg)
struct DrawingFrameTests {
  struct Request: Sendable, CustomTestStringConvertible {
    var fixture: String
    var time: Rational
    var number: Int
    var actual: Rational
    var testDescription: String { "\(fixture) at \(time)" }
  }

  @Test(arguments: [
    Request(fixture: "count25.mp4", time: Rational(33, 10), number: 82, actual: Rational(82, 25)),
    Request(fixture: "count25.mp4", time: 0, number: 0, actual: 0),
    Request(fixture: "count25.mp4", time: 3, number: 75, actual: 3),
    Request(
      fixture: "count25.mp4", time: Rational(999, 100), number: 249, actual: Rational(249, 25)),
    Request(
      fixture: "count2997.mp4", time: Rational(1001 * 100, 30000), number: 100,
      actual: Rational(1001 * 100, 30000)),
    Request(
      fixture: "count2997.mp4", time: Rational(1001 * 100 - 1, 30000), number: 99,
      actual: Rational(1001 * 99, 30000)),
    // Its sound begins 1024 samples earlier, and with it source time.
    Request(
      fixture: "count25.ts", time: Rational(33, 10), number: 81,
      actual: Rational(81, 25) + Rational(1024, 48000)),
  ])
  func theFrameThatHoldsTheTimeIsWritten(_ request: Request) throws {
    try withTemporaryDirectory { folder in
      let output = folder.appending(path: "f.png")
      let report = try Engine.frames(
        of: .file(try Fixtures.file(request.fixture).path), at: [.seconds(request.time)],
        output: output.path)
      #expect(report.frames.map(\.requested) == [request.time])
      #expect(report.frames.map(\.actual) == [request.actual])
      #expect(try Shot.number(output) == request.number)
    }
  }

  @Test func severalFramesAreNumberedInTheOrderAskedFor() throws {
    try withTemporaryDirectory { folder in
      let report = try Engine.frames(
        of: .file(try Fixtures.file("count25.mp4").path), at: Shot.seconds(5, 1, 2),
        output: folder.appending(path: "f.png").path)
      let names = report.frames.map { URL(filePath: $0.output).lastPathComponent }
      #expect(names == ["f-1.png", "f-2.png", "f-3.png"])
      let numbers = try report.frames.map { try Shot.number(URL(filePath: $0.output)) }
      #expect(numbers == [125, 25, 50])
    }
  }

  @Test(arguments: [Rational(10), Rational(11), Rational(-1)])
  func aTimeWithoutAPictureIsAnError(_ time: Rational) throws {
    let source = try Fixtures.file("count25.mp4").path
    try withTemporaryDirectory { folder in
      let error = #expect(throws: CutroomError.self) {
        try Engine.frames(
          of: .file(source), at: Shot.seconds(1, time),
          output: folder.appending(path: "f.png").path)
      }
      #expect(error?.stableCode == "frame.none")
      #expect(error?.exitStatus == 2)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(files.isEmpty)
    }
  }

  @Test(arguments: [
    ("rot90.mp4", ["180", "320"], "transpose=cclock"),
    ("rot270.mp4", ["180", "320"], "transpose=clock"),
  ])
  func aPictureIsTurnedAsItIsDisplayed(_ name: String, _ size: [String], _ back: String) throws {
    try withTemporaryDirectory { folder in
      let output = folder.appending(path: "f.jpg")
      _ = try Engine.frames(
        of: .file(try Fixtures.file(name).path), at: Shot.seconds(2), output: output.path)
      #expect(try Shot.size(output) == size)
      // Turned back by the other direction, or upside down: the bars are spelled as before.
      let number = try Shot.number(output, filter: back)
      let reversed = try Shot.number(output, filter: "\(back),hflip,vflip")
      #expect([number, reversed].contains(50))
    }
  }

  @Test func aFrameOfACompositionIsTheOneThatItsExportShows() throws {
    try withTemporaryDirectory { folder in
      let text = Text(
        clips: try clip("count25.mp4", #""in": "3s", "out": "5s""#) + ", "
          + (try clip("count25b.mp4", #""in": "1s", "out": "2s""#)))
      let checked = Engine.check(
        text: SourceText(file: "t.json", text: text.json), baseDirectory: "")
      let report = try Engine.frames(
        of: .composition(checked), at: [.frames(10, rate: nil), .seconds(Rational(201, 100))],
        output: folder.appending(path: "f.png").path)
      #expect(report.frames.map(\.actual) == [Rational(2, 5), 2])
      let numbers = try report.frames.map { try Shot.number(URL(filePath: $0.output)) }
      #expect(numbers == [85, 25])
      #expect(throws: CutroomError.self) {
        try Engine.frames(
          of: .composition(checked), at: Shot.seconds(3),
          output: folder.appending(path: "g.png").path)
      }
    }
  }

  @Test(arguments: ["png", "jpg"])
  func coloursAreThoseOfTheSource(_ ending: String) throws {
    try withTemporaryDirectory { folder in
      for name in ["full.mp4", "limited.mp4"] {
        let output = folder.appending(path: "\(name).\(ending)")
        _ = try Engine.frames(
          of: .file(try Fixtures.file(name).path), at: Shot.seconds(0), output: output.path)
        let pixels = try #require(
          try DecodedPictures.bytes(output, filter: "format=rgb24", size: 320 * 180 * 3).first)
        #expect(pixels.allSatisfy { abs(Int($0) - 0x40) <= 2 }, "\(name): \(pixels[0...2])")
      }
    }
  }

  @Test func aStillHasNoEnd() throws {
    try withTemporaryDirectory { folder in
      let output = folder.appending(path: "f.png")
      let source = try Fixtures.file("scene.png")
      let report = try Engine.frames(
        of: .file(source.path), at: Shot.seconds(1000), output: output.path)
      #expect(report.frames.first?.actual == 0)
      let hashes = try [output, source].map { try DecodedPictures.hashes($0) }
      #expect(hashes[0] == hashes[1])
    }
  }

  @Test func filesThatExistAndInputsAreKept() throws {
    try withTemporaryDirectory { folder in
      let source = folder.appending(path: "s.png")
      try FileManager.default.copyItem(at: try Fixtures.file("scene.png"), to: source)
      let before = try Data(contentsOf: source)
      for (overwrite, code) in [(false, "output.is-input"), (true, "output.is-input")] {
        let error = #expect(throws: CutroomError.self) {
          try Engine.frames(
            of: .file(source.path), at: Shot.seconds(0), output: source.path, overwrite: overwrite)
        }
        #expect(error?.stableCode == code)
      }
      let other = folder.appending(path: "o.png")
      try Data("mine".utf8).write(to: other)
      let error = #expect(throws: CutroomError.self) {
        try Engine.frames(of: .file(source.path), at: Shot.seconds(0), output: other.path)
      }
      #expect(error?.stableCode == "output.exists")
      #expect(try Data(contentsOf: source) == before)
      #expect(try Data(contentsOf: other) == Data("mine".utf8))
    }
  }
}
