import CutroomMedia
import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Cuts between keyframes: the middle is copied, the edges are rendered so that they join.
@Suite(.needsFFmpeg)
struct SmartCutTests {
  /// A cut, and what must come out.
  struct Case: CustomTestStringConvertible {
    var source: String
    var container: String
    var start: String
    var end: String
    /// The numbers of the shown pictures.
    var frames: Range<Int>
    /// Those of them that are the source's own packets.
    var copied: Range<Int>
    var testDescription: String { "\(source) [\(start), \(end)) to \(container)" }
  }

  static let cases = [
    Case(
      source: "count25.mp4", container: "mp4", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<150),
    Case(
      source: "count25.mp4", container: "mov", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<150),
    Case(
      source: "count25.mp4", container: "mkv", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<150),
    Case(
      source: "count25.ts", container: "mp4", start: "75f", end: "175f", frames: 75..<175,
      copied: 101..<150),
    Case(
      source: "count2997.mp4", container: "mp4", start: "90f", end: "210f", frames: 90..<210,
      copied: 120..<180),
    // In milliseconds a joint may seem to be behind its place.
    Case(
      source: "count2997.mp4", container: "mkv", start: "91f", end: "211f", frames: 91..<211,
      copied: 120..<180),
    // Milliseconds, in a movie's ticks and in those of the container; cut at the timestamps.
    Case(
      source: "ms2997.mp4", container: "mp4", start: "90f", end: "210f", frames: 90..<210,
      copied: 120..<180),
    Case(
      source: "ms2997.mp4", container: "mov", start: "3.036s", end: "7.04s", frames: 91..<211,
      copied: 120..<180),
    Case(
      source: "count2997.mkv", container: "mkv", start: "3.036s", end: "7.04s", frames: 91..<211,
      copied: 120..<180),
    Case(
      source: "ms30.flv", container: "mp4", start: "3.033s", end: "7.033s", frames: 91..<211,
      copied: 120..<180),
    Case(
      source: "count25_nobf.mp4", container: "mp4", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<175),
    Case(
      source: "ten25.mp4", container: "mp4", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<150),
    Case(
      source: "hevc25.mp4", container: "mp4", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<150),
    Case(
      source: "hevc25.mp4", container: "mkv", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<150),
    Case(
      source: "hevcten25.mp4", container: "mov", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<150),
    Case(
      source: "hevcopen25.mp4", container: "mp4", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<170),
    Case(
      source: "hevc25.ts", container: "mp4", start: "75f", end: "175f", frames: 75..<175,
      copied: 101..<150),
    Case(
      source: "hevc25.ts", container: "ts", start: "75f", end: "175f", frames: 75..<175,
      copied: 101..<150),
    Case(
      source: "count25.mp4", container: "ts", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<150),
    Case(
      source: "fields25.mp4", container: "mp4", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<150),
    // The reordered pictures before a keyframe of MPEG-2 come after it.
    Case(
      source: "mpeg25.mp4", container: "mkv", start: "3s", end: "7s", frames: 75..<175,
      copied: 99..<165),
    Case(
      source: "mpegfields25.ts", container: "ts", start: "3s", end: "7s", frames: 75..<175,
      copied: 99..<165),
    Case(
      source: "vp925.webm", container: "webm", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<175),
    Case(
      source: "av125.mp4", container: "mp4", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<175),
    Case(
      source: "prores25.mov", container: "mov", start: "3s", end: "7s", frames: 75..<175,
      copied: 75..<175),
    Case(
      source: "second25.mp4", container: "mp4", start: "3s", end: "7s", frames: 75..<175,
      copied: 100..<150),
  ]

  @Test(arguments: cases)
  func cutsBetweenKeyframesAreExactAndMostlyCopied(_ test: Case) throws {
    let source = try Fixtures.file(test.source)
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip(test.source, #""in": "\#(test.start)", "out": "\#(test.end)""#),
        timeline: test.source.hasSuffix("25.ts") ? #""frameRate": 25"# : ""
      ).export(to: "cut.\(test.container)", in: folder)
      let isWhole = test.copied == test.frames
      #expect(made.actions["video"] == (isWhole ? ["copy"] : ["copy", "render"]))
      // A transport stream starts when its sound does, a picture before its own first.
      let shift = ["count25.ts", "hevc25.ts"].contains(test.source) ? 1 : 0
      let shown = try DecodedPictures.numbers(made.url)
      #expect(shown == Array(test.frames).map { $0 - shift })
      #expect(try messages(made.url).isEmpty)
      #expect(!made.report.warnings.contains { $0.code == "copy.seam" })
      let all = try DecodedPictures.hashes(source)
      let hashes = try DecodedPictures.hashes(made.url)
      for number in test.copied {
        #expect(hashes[number - test.frames.lowerBound] == all[number - shift], "\(number)")
      }
      try expectEvenTimes(made.url, test.container)
      let first = test.frames.lowerBound - shift
      let psnr = try DecodedPictures.psnr(
        made.url, source,
        filters: (
          "settb=1/1000,setpts=N",
          "trim=start_frame=\(first):end_frame=\(first + test.frames.count),"
            + "settb=1/1000,setpts=N"
        ))
      #expect(psnr >= 40)
    }
  }

  @Test func theMiddleIsTheSourcesPackets() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(clips: try clip("count25.mp4", #""in": "3s", "out": "7s""#))
        .export(to: "cut.mp4", in: folder)
      let packets = try DecodedPictures.packetHashes(try Fixtures.file("count25.mp4"))
      let own = try DecodedPictures.packetHashes(made.url)
      #expect(own.count == 100)
      #expect(Array(own[25..<75]) == Array(packets[100..<150]))
      let probed = try ProbedFile(made.url)
      let video = probed.stream("video")
      #expect(video["time_base"] == "1/12800")
      #expect(video["duration"] == "4.000000")
      #expect(video["avg_frame_rate"] == "25/1")
      #expect(video["codec_tag_string"] == "avc1")
    }
  }

  @Test(arguments: ["hevc25.mp4", "hevcopen25.mp4"])
  func hevcKeepsItsTagAndTellsDecodersAllParameterSets(source: String) throws {
    try withTemporaryDirectory { folder in
      let clips = try [("1s", "5s"), ("3s", "8s"), ("4s", "6s")].map {
        try clip(source, #""in": "\#($0.0)", "out": "\#($0.1)", "audio": false"#)
      }
      let made = try Text(clips: clips.joined(separator: ",")).export(to: "x.mp4", in: folder)
      let expected = Array(25..<125) + Array(75..<200) + Array(100..<150)
      #expect(try DecodedPictures.numbers(made.url) == expected)
      #expect(try messages(made.url).isEmpty)
      let video = try ProbedFile(made.url).stream("video")
      #expect(video["codec_tag_string"] == "hvc1")
      #expect(video["profile"] == "Main")
      let known = Set(try DecodedPictures.packetHashes(try Fixtures.file(source)))
      let own = try DecodedPictures.packetHashes(made.url)
      // All but the last packet before an open group are the source's bytes.
      #expect(own.filter { known.contains($0) }.count >= 150)
      let demuxer = try Demuxer(path: made.url.path)
      let stream = try #require(demuxer.streams.first)
      let sets = try #require(HEVCParameterSets(stream.extradata))
      #expect(sets.ids(HEVCUnit.videoSet) == [0, 1])
      #expect(sets.ids(HEVCUnit.sequenceSet) == [0, 1])
      #expect(sets.ids(HEVCUnit.pictureSet) == [0, 30])
    }
  }

  @Test func aPlanNamesWhatIsRenderedAndWhy() throws {
    try withTemporaryDirectory { folder in
      let plan = try Text(
        clips: try clip("count25_nobf.mp4", #""in": "3s", "out": "7s", "audio": false"#)
      ).plan(folder.path + "/cut.mp4")
      let text = plan.jsonValue.encoded()
      #expect(text.contains(#""reasons":["cut.not-keyframe"]"#))
      #expect(text.contains(#""copiedFrames":75,"renderedFrames":25"#))
      let chunks = try #require(plan.video).chunks
      #expect(chunks.map(\.count) == [25, 75])
      #expect(chunks.map(\.start) == [0, 1])
      if case .copy(let range) = chunks[1].action {
        #expect(range.sourceStart == 4)
      } else {
        Issue.record("the second chunk is not copied")
      }
    }
  }

  @Test func theResultDoesNotDependOnTheNumberOfWorkers() throws {
    try withTemporaryDirectory { folder in
      let text = Text(
        clips: try [(1, 5), (3, 8), (2, 7)].map {
          try clip("count25.mp4", #""in": \#($0.0), "out": \#($0.1)"#)
        }.joined(separator: ","))
      let one = try text.export(to: "one.mp4", in: folder, jobs: 1)
      let four = try text.export(to: "four.mp4", in: folder, jobs: 4)
      #expect(try Data(contentsOf: one.url) == Data(contentsOf: four.url))
      let numbers = Array(25..<125) + Array(75..<200) + Array(50..<175)
      #expect(try DecodedPictures.numbers(one.url) == numbers)
      #expect(try messages(one.url).isEmpty)
    }
  }

  @Test func onlyWhatADissolveTouchesIsRendered() throws {
    let clips = [
      try clip("count25.mp4", #""in": "1s", "out": "5s""#),
      #"{"transition": "dissolve", "duration": "0.4s"}"#,
      try clip("count25b.mp4", #""in": "3s", "out": "8s""#),
    ]
    try withTemporaryDirectory { folder in
      let made = try Text(clips: clips.joined(separator: ",")).export(to: "x.mp4", in: folder)
      let sources = try ["count25.mp4", "count25b.mp4"].flatMap {
        try DecodedPictures.packetHashes(try Fixtures.file($0))
      }
      let own = try DecodedPictures.packetHashes(made.url)
      #expect(own.count == 225)
      let known = Set(sources)
      #expect(own.filter { known.contains($0) }.count >= 225 * 6 / 10)
      let numbers = try DecodedPictures.numbers(made.url)
      #expect(Array(numbers[..<95]) == Array(25..<120))
      #expect(Array(numbers[105...]) == Array(80..<200))
      #expect(try messages(made.url).isEmpty)
    }
  }

  @Test func theLargestSetOfAlikeClipsGivesTheCoding() throws {
    let clips = try [
      clip("ten25.mp4", #""in": "3s", "out": "5s""#),
      clip("count25.mp4", #""in": "1s", "out": "5s""#),
      clip("ten25.mp4", #""in": "0s", "out": "1s""#),
    ]
    try withTemporaryDirectory { folder in
      let made = try Text(clips: clips.joined(separator: ",")).export(to: "x.mp4", in: folder)
      #expect(try ProbedFile(made.url).stream("video")["pix_fmt"] == "yuv420p")
      let expected = Array(75..<125) + Array(25..<125) + Array(0..<25)
      #expect(try DecodedPictures.numbers(made.url) == expected)
      let chunks = made.report.plan.video?.chunks ?? []
      #expect(chunks.first?.action == .render(reasons: ["signature.differs"]))
      #expect(chunks.contains { $0.isCopied })
      #expect(try messages(made.url).isEmpty)
    }
  }

  @Test func openGroupsAreRenderedUpToAClosedOne() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(clips: try clip("open25.mp4", #""in": "3s", "out": "7s""#))
        .export(to: "cut.mp4", in: folder)
      #expect(try DecodedPictures.numbers(made.url) == Array(75..<175))
      #expect(
        made.report.plan.video?.chunks.allSatisfy {
          $0.action == .render(reasons: ["cut.not-closed"])
        } == true)
      #expect(try messages(made.url).isEmpty)
      // From its start on, the file is closed.
      let start = try Text(clips: try clip("open25.mp4", #""out": "7s""#))
        .export(to: "start.mp4", in: folder)
      #expect(start.actions["video"]?.contains("copy") == true)
      #expect(try DecodedPictures.numbers(start.url) == Array(0..<175))
    }
  }

  @Test(arguments: [
    #""video": {"codec": "hevc", "preset": "ultrafast"}"#, #""video": {"pixelFormat": "yuv444p"}"#,
    #""video": {"bitrate": "2M"}"#, #""video": {"options": {"bf": 0}}"#, #""mode": "render""#,
  ])
  func settingsThatTheSourceIsNotAreRendered(export: String) throws {
    try withTemporaryDirectory { folder in
      let plan = try Text(
        clips: try clip("count25.mp4", #""in": "3s", "out": "7s""#), export: export
      ).plan(folder.path + "/x.mp4")
      #expect(plan.video?.chunks.contains { $0.isCopied } == false)
    }
  }

  /// A copy of a source without its table of keyframes.
  private static func withoutKeyframeTable(_ source: String, in folder: URL) throws -> URL {
    var bytes = try Data(contentsOf: try Fixtures.file(source))
    let table = try #require(bytes.range(of: Data("stss".utf8)))
    bytes.replaceSubrange(table, with: Data("skip".utf8))
    let lying = folder.appending(path: "lying.mp4")
    try bytes.write(to: lying)
    return lying
  }

  /// Without its table of keyframes, a file says that each picture is one.
  @Test(arguments: ["count25.mp4", "hevc25.mp4"])
  func keyframesThatAreNoneAreNotCutAt(source: String) throws {
    try withTemporaryDirectory { folder in
      let lying = try Self.withoutKeyframeTable(source, in: folder)
      let text = Text(
        clips: #"{"source": "\#(lying.path)", "in": "3s", "out": "7s", "audio": false}"#)
      let made = try text.export(to: "cut.mp4", in: folder)
      #expect(try DecodedPictures.numbers(made.url) == Array(75..<175))
      #expect(made.report.plan.video?.chunks.first { $0.isCopied }?.start == 1)
      #expect(made.report.warnings.isEmpty)
      #expect(try messages(made.url).isEmpty)
    }
  }

  /// Without its table of keyframes, every picture of a movie file counts as one.
  @Test(arguments: ["mpeg425.mp4", "mpeg25.mp4"])
  func readingNeverBeginsAtAKeyframeThatIsNone(source: String) throws {
    try withTemporaryDirectory { folder in
      let lying = try Self.withoutKeyframeTable(source, in: folder)
      let clips = [(80, 95), (30, 45)].map {
        #"{"source": "\#(lying.path)", "in": "\#($0.0)f", "out": "\#($0.1)f"}"#
      }
      let made = try Text(
        clips: clips.joined(separator: ","), timeline: #""frameRate": 25"#, export: Text.quick
      ).export(to: "cut.mp4", in: folder)
      #expect(try DecodedPictures.numbers(made.url) == Array(80..<95) + Array(30..<45))
    }
  }

  @Test func titlesAndTransitionsAreRenderedIntoIntraCodecs() throws {
    let clips = [
      try clip("prores25.mov", #""in": "1s", "out": "3s""#),
      #"{"transition": "dissolve", "duration": "0.4s"}"#,
      try clip("prores25.mov", #""in": "5s", "out": "7s""#),
    ]
    try withTemporaryDirectory { folder in
      let made = try Text(clips: clips.joined(separator: ",")).export(to: "x.mov", in: folder)
      let video = try ProbedFile(made.url).stream("video")
      #expect(video["profile"] == "LT")
      let numbers = try DecodedPictures.numbers(made.url)
      #expect(numbers.count == 100)
      #expect(Array(numbers[..<45]) == Array(25..<70))
      #expect(Array(numbers[55...]) == Array(130..<175))
      let known = Set(try DecodedPictures.packetHashes(try Fixtures.file("prores25.mov")))
      let own = try DecodedPictures.packetHashes(made.url)
      #expect(own.filter { known.contains($0) }.count == 90)
    }
  }

  /// Copied packets of another place decode without a word, but are not the pictures that were cut.
  @Test func aCopyOfTheWrongPicturesIsRendered() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "cut.mp4")
      var plan = try Text(clips: try clip("count25.mp4", #""in": "3s", "out": "7s""#))
        .plan(url.path)
      let index = try #require(plan.video?.chunks.firstIndex { $0.isCopied })
      guard case .copy(var range)? = plan.video?.chunks[index].action else { return }
      range.sourceStart -= 2
      plan.video?.chunks[index].action = .copy(range)
      let report = try Engine.export(plan)
      let warning = try #require(report.warnings.first)
      #expect(warning.code == "copy.seam")
      #expect(warning.message.contains("is not the source's"))
    }
  }

  @Test func aJointThatDoesNotDecodeIsRenderedOnce() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "cut.mp4")
      var plan = try Text(clips: try clip("count25.mp4", #""in": "3s", "out": "7s""#))
        .plan(url.path)
      // Decoders are told the wrong entropy coding for the copied pictures.
      var settings = try #require(plan.video?.join?.settings)
      let set = try #require(H264ParameterSets(settings)?.pictures.first)
      let place = try #require(settings.firstRange(of: set)).lowerBound
      settings[place + 1] ^= 0x20
      plan.video?.join?.settings = settings
      let report = try Engine.export(plan)
      #expect(report.warnings.map(\.code) == ["copy.seam"])
      #expect(report.jsonValue.encoded().contains(#""reasons":["seam.failed"]"#))
      #expect(try DecodedPictures.numbers(url) == Array(75..<175))
      #expect(try messages(url).isEmpty)
    }
  }

  /// What ffmpeg says while decoding.
  private func messages(_ url: URL) throws -> String {
    try Program.ffmpeg(["-v", "warning", "-i", url.path, "-map", "0:v", "-f", "null", "-"]).errors
  }

  /// Presentation in equal steps from 0, decoding in strictly rising ones that are never late.
  private func expectEvenTimes(_ url: URL, _ container: String) throws {
    let packets = try ProbedFile(url, shows: ["packets"], options: ["-select_streams", "v"]).packets
    let shown = packets.compactMap { ProbedFile.number($0, "pts") }.sorted()
    #expect(shown.count == packets.count)
    // Transport streams have no times before 0, in which the first pictures could be decoded.
    #expect(container == "ts" || shown.first == 0)
    guard container != "mkv", container != "webm" else { return }
    #expect(Set(zip(shown.dropFirst(), shown).map { $0 - $1 }).count == 1)
    let decoded = packets.compactMap { ProbedFile.number($0, "dts") }
    #expect(decoded.count == packets.count)
    #expect(zip(decoded.dropFirst(), decoded).allSatisfy { $0 > $1 })
    #expect(
      packets.allSatisfy {
        ProbedFile.number($0, "pts") ?? 0 >= ProbedFile.number($0, "dts") ?? 0
      })
  }
}
