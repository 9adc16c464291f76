import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Joins that other tools give wrong times, lengths or sound.
@Suite(.needsFFmpeg)
struct FaultCopyTests {
  private func joined(
    _ names: [String], _ export: String = Text.passthrough, to name: String = "joined.mp4",
    in folder: URL
  ) throws -> Exported {
    try Text(clips: try names.map { try clip($0) }.joined(separator: ","), export: export)
      .export(to: name, in: folder)
  }

  @Test func joiningFilesOfOtherTimescalesKeepsTheirTimes() throws {
    let names = ["count25.mp4", "tb90.mp4", "count25.mp4"]
    try withTemporaryDirectory { folder in
      let made = try joined(names, in: folder)
      let numbers = Array(0..<250)
      #expect(try DecodedPictures.numbers(made.url) == numbers + numbers + numbers)
      let probed = try ProbedFile(made.url, shows: ["packets"], options: ["-select_streams", "v"])
      #expect(probed.stream("video")["duration"] == "30.000000")
      let times = probed.packets.compactMap { ProbedFile.number($0, "pts") }.sorted()
      #expect(Set(zip(times.dropFirst(), times).map { $0 - $1 }).count == 1)
      let packets = try names.flatMap { try DecodedPictures.packetHashes(Fixtures.file($0)) }
      #expect(try DecodedPictures.packetHashes(made.url) == packets)
    }
  }

  @Test func decodingTimesRiseAndKeepTheirDistanceToPresentation() throws {
    try withTemporaryDirectory { folder in
      let made = try joined(Array(repeating: "count25.mp4", count: 3), in: folder)
      func distances(_ url: URL) throws -> [Double] {
        let packets = try ProbedFile(url, shows: ["packets"], options: ["-select_streams", "v"])
          .packets
        let decoding = packets.compactMap { $0["dts_time"].flatMap { Double($0) } }
        #expect(zip(decoding.dropFirst(), decoding).allSatisfy { $0 > $1 })
        return packets.compactMap { packet in
          guard let pts = packet["pts_time"].flatMap({ Double($0) }),
            let dts = packet["dts_time"].flatMap({ Double($0) })
          else { return nil }
          return ((pts - dts) * 1000).rounded()
        }
      }
      let source = try distances(try Fixtures.file("count25.mp4"))
      #expect(try distances(made.url) == source + source + source)
    }
  }

  @Test(arguments: [Text.passthrough, Text.quick])
  func bothStreamsStartAtZeroWithPrimingInTheirOwnEditList(export: String) throws {
    try withTemporaryDirectory { folder in
      let made = try joined(["count25.mp4", "count25b.mp4"], export, in: folder)
      let probed = try ProbedFile(made.url)
      #expect(probed.stream("video")["start_time"] == "0.000000")
      #expect(probed.stream("audio")["start_time"] == "0.000000")
      #expect(probed.format["start_time"] == "0.000000")
      let edits = try EditList.all(in: made.url)
      #expect(edits.count == 2)
      #expect(edits.last?.mediaTimes == [1024])
      #expect(try DecodedPictures.numbers(made.url) == Array(0..<250) + Array(0..<250))
    }
  }

  @Test func soundOfAnotherRateIsRenderedAndThePictureCopied() throws {
    try withTemporaryDirectory { folder in
      let made = try joined(["count25.mp4", "a441.mp4"], "", in: folder)
      #expect(made.actions == ["video": ["copy"], "audio": ["render"]])
      let probed = try ProbedFile(made.url)
      #expect(probed.stream("audio")["duration"] == "20.000000")
      #expect(try DecodedSound(made.url).tone(at: 13.5) == 500)
      let packets = try DecodedPictures.packetHashes(try Fixtures.file("count25.mp4"))
      #expect(try DecodedPictures.packetHashes(made.url) == packets + packets)
    }
  }

  @Test func soundStaysWithThePictureOverManyJoins() throws {
    let clips = try (0..<37).map { index in
      try clip("count24.mp4", #""in": "\#(index)s", "duration": "0.73s""#)
    }
    let source = try DecodedSound(try Fixtures.file("count24.mp4"))
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: clips.joined(separator: ","),
        export: """
          "mode": "render", "video": {"codec": "h264", "preset": "ultrafast"},
          "audio": {"codec": "flac"}
          """, more: #""audio": {"declick": 0}"#
      ).export(to: "joins.mkv", in: folder)
      // The start of output frame n, in the clip that holds it.
      let expected = (0..<649).map { frame -> Int in
        let clip = min(frame * 100 / (73 * 24), 36)
        let time = Rational(Int64(frame), 24) - Rational(Int64(clip) * 73, 100)
        return Int(((time + Rational(Int64(clip))) * 24).floor)
      }
      #expect(try DecodedPictures.numbers(made.url) == expected)
      let sound = try DecodedSound(made.url)
      #expect(sound.count == 37 * 35040)
      for index in 0..<37 {
        let (join, from) = (index * 35040, index * 48000)
        let alike = DecodedSound.correlation(
          sound.channels[0][join..<join + 4000], source.channels[0][from..<from + 4000])
        #expect(alike > 0.9999, "join \(index)")
      }
    }
  }

  @Test func contiguousJoinsOfRenderedSoundDoNotClick() throws {
    let clips = try [0, 2, 4].map { try clip("tone.mp4", #""in": \#($0), "out": \#($0 + 2)"#) }
    try withTemporaryDirectory { folder in
      for (name, export) in [
        ("joined.mp4", Text.quick),
        ("joined.mkv", #""mode": "render", "video": false, "audio": {"codec": "flac"}"#),
      ] {
        let made = try Text(clips: clips.joined(separator: ","), export: export)
          .export(to: name, in: folder)
        let sound = try DecodedSound(made.url)
        let usual = sound.largestStep(40000, 50000)
        for join in [96000, 192000] {
          #expect(sound.largestStep(join - 6000, join + 6000) <= usual * 1.05)
        }
        let duration = try ProbedFile(made.url).stream("audio")["duration_ts"]
        if name.hasSuffix("mp4") {
          #expect(duration == "288000")
        } else {
          #expect(sound.count == 288000)
        }
      }
    }
  }

  @Test func soundLongerThanItsPictureHoldsNothing() throws {
    try withTemporaryDirectory { folder in
      let made = try joined(Array(repeating: "alonger.mp4", count: 3), Text.quick, in: folder)
      let numbers = Array(0..<250)
      #expect(try DecodedPictures.numbers(made.url) == numbers + numbers + numbers)
      #expect(try ProbedFile(made.url).stream("audio")["duration"] == "30.000000")
      let sound = try DecodedSound(made.url)
      let source = try DecodedSound(try Fixtures.file("alonger.mp4"))
      for start in [0, 441_000, 882_000] {
        let alike = DecodedSound.correlation(
          sound.channels[0][start + 500..<start + 9000], source.channels[0][500..<9000])
        #expect(alike > 0.99)
      }
    }
  }

  @Test(arguments: [
    (#""video": {"opacity": 0.5}"#, "passthrough.effect /tracks/0/clips/0/video/opacity"),
    (#""audio": {"gain": 0.5}"#, "passthrough.effect /tracks/0/clips/0/audio/gain"),
    (#""audio": {"fadeIn": "1s"}"#, "passthrough.effect /tracks/0/clips/0/audio/fadeIn"),
  ])
  func passthroughNamesTheEffectThatNeedsRendering(effect: String, error: String) throws {
    try withTemporaryDirectory { folder in
      let text = Text(clips: try clip("count25.mp4", effect), export: Text.passthrough)
      #expect(try text.refusal(in: folder) == [error])
    }
  }

  @Test func passthroughNamesATransitionAndAnotherSize() throws {
    try withTemporaryDirectory { folder in
      let (a, b) = try (
        clip("count25.mp4", #""out": "4s""#), clip("count25b.mp4", #""in": "4s", "out": "8s""#)
      )
      let fade = #"{"transition": "dissolve", "duration": "1s"}"#
      let dissolve = try Text(clips: "\(a), \(fade), \(b)", export: Text.passthrough)
        .refusal(in: folder)
      #expect(dissolve.contains("passthrough.transition /tracks/0/clips/1"))
      let size = try Text(
        clips: a, timeline: #""size": [640, 360]"#, export: Text.passthrough
      ).refusal(in: folder)
      #expect(size == ["passthrough.settings /timeline/size"])
    }
  }

  @Test func sixtyCutsInOnePassStayInOrder() throws {
    let clips = try (0..<60).map { index in
      try clip("count25.mp4", #""in": "\#(index * 15)/100", "duration": "0.5s""#)
    }
    try withTemporaryDirectory { folder in
      let made = try Text(clips: clips.joined(separator: ","), export: Text.quick)
        .export(to: "batch.mp4", in: folder)
      let expected = (0..<750).map { frame -> Int in
        let clip = frame * 2 / 25
        let time = Rational(Int64(frame), 25) - Rational(Int64(clip), 2)
        return Int(((time + Rational(Int64(clip) * 15, 100)) * 25).floor)
      }
      #expect(try DecodedPictures.numbers(made.url) == expected)
      #expect(try ProbedFile(made.url).stream("video")["duration"] == "30.000000")
    }
  }

  @Test(arguments: ["count25.mp4", "count25_nobf.mp4", "neg.mp4"])
  func reorderedPicturesStartWithTheFirst(name: String) throws {
    try withTemporaryDirectory { folder in
      let rendered = try Text(clips: try clip(name, #""out": "2s""#), export: Text.quick)
        .export(to: "rendered.mp4", in: folder)
      let copied = try Text(clips: try clip(name, #""out": "2s""#), export: Text.passthrough)
        .export(to: "copied.mp4", in: folder)
      for url in [rendered.url, copied.url] {
        #expect(try DecodedPictures.numbers(url) == Array(0..<50))
        let frames = try ProbedFile(url, shows: ["frames"], options: ["-select_streams", "v"])
          .frames
        let times = frames.compactMap { $0["pts_time"] }
        #expect(times == (0..<50).map { String(format: "%.6f", Double($0) / 25) })
      }
    }
  }

  @Test(arguments: ["mp4", "mov", "mkv"])
  func soundAndPictureBeginTogetherInEveryContainer(container: String) throws {
    let onset = { (sound: DecodedSound) in sound.channels[0].firstIndex { abs($0) > 0.1 } ?? 0 }
    let source = onset(try DecodedSound(try Fixtures.file("sync.mp4")))
    #expect(abs(source - 96000) <= 24)
    try withTemporaryDirectory { folder in
      let made = try Text(clips: try clip("sync.mp4"), export: Text.quick)
        .export(to: "sync.\(container)", in: folder)
      let hidden = try MatroskaFile.hiddenSamples(made.url, rate: 48000)
      #expect(hidden == (container == "mkv" ? 1024 : 0))
      #expect(abs(onset(try DecodedSound(made.url)) - hidden - 96000) <= 24)
      let luma = try DecodedPictures.bytes(
        made.url, filter: "scale=2:2,format=gray", size: 4)
      #expect(luma.firstIndex { $0[0] > 125 } == 50)
      let probed = try ProbedFile(made.url)
      #expect(probed.stream("video")["start_time"] == "0.000000")
    }
  }
}

/// The edit list of a track in an MP4 file.
struct EditList {
  var mediaTimes: [Int]

  /// Those of all tracks in order.
  static func all(in url: URL) throws -> [EditList] {
    let bytes = [UInt8](try Data(contentsOf: url))
    let mark = Array("elst".utf8)
    var lists: [EditList] = []
    for place in 4..<max(4, bytes.count - 16)
    where bytes[place] == mark[0] && Array(bytes[place..<place + 4]) == mark {
      func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
      guard number(place + 4) == 0, number(place - 4) == 16 + 12 * number(place + 8) else {
        continue
      }
      lists.append(
        EditList(mediaTimes: (0..<number(place + 8)).map { number(place + 16 + 12 * $0) }))
    }
    return lists
  }
}
