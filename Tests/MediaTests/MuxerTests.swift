import CutroomMedia
import Foundation
import Testing

@Suite struct MuxerTests {
  @Test func aWrittenFilmReadsBackAsWritten() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/film %03d *?.mp4"
      try writeFilm(path)
      let demuxer = try Demuxer(path: path)
      #expect(demuxer.streams.map(\.kind) == [.video, .audio])
      let video = demuxer.streams[0]
      #expect(video.codecName == "h264")
      #expect(video.timeBase == TimeBase(1, 12800))
      #expect(video.frameCount == 50)
      #expect(video.language == "eng")
      #expect(video.colorTags.matrix == "bt709")
      #expect(video.colorTags.range == "tv")
      #expect(demuxer.streams[1].channelLayout == "stereo")
      let index = demuxer.index(of: 0)
      #expect(index.count == 50)
      #expect(index.filter(\.isKeyframe).count == 5)
      let (frames, errors) = try decodeAll(path)
      #expect(errors == 0)
      #expect(frames.map(\.pts) == (0..<50).map { $0 * 512 })
    }
  }

  @Test func twoRunsWriteTheSameBytes() throws {
    try withTemporaryDirectory { directory in
      try writeFilm(directory + "/a.mp4")
      try writeFilm(directory + "/b.mp4")
      let first = try Data(contentsOf: URL(filePath: directory + "/a.mp4"))
      #expect(try first == Data(contentsOf: URL(filePath: directory + "/b.mp4")))
      #expect(first.count > 1000)
    }
  }

  @Test(arguments: ["mov", "matroska", "mpegts"])
  func otherContainersTakeTheSameStreams(format: String) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/film"
      try writeFilm(path, format: format)
      let (frames, errors) = try decodeAll(path)
      #expect(frames.count == 50)
      #expect(errors == 0)
    }
  }

  @Test func writingKeepsTheCallersPacket() throws {
    try withTemporaryDirectory { directory in
      let encoder = try Encoder(video: filmSettings("libx264"))
      let packets = try encodeAll(encoder, testPictures(5))
      let before = packets.map { $0.digest() }
      let muxer = try Muxer(format: "mp4", sink: ByteSink(path: directory + "/a.mp4"))
      _ = try muxer.addStream(
        encoder.parameters, Muxer.StreamSettings(timeBase: TimeBase(1, 25)))
      let bases = try muxer.begin(options: [("video_track_timescale", "25000")])
      #expect(bases == [TimeBase(1, 25000)])
      let scaled = try packets.map { try $0.rescaled(from: encoder.timeBase, to: bases[0]) }
      for packet in scaled { try muxer.write(packet, stream: 0) }
      try muxer.finish()
      #expect(scaled.map { $0.digest() } == before)
      #expect(packets.map { $0.digest() } == before)
    }
  }

  @Test(arguments: [("moov_size", "100000"), ("movflags", "faststart")])
  func theIndexCanBePutInFront(option: String, value: String) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/a.mp4"
      let encoder = try Encoder(video: filmSettings("libx264"))
      let packets = try encodeAll(encoder, testPictures(20))
      let muxer = try Muxer(format: "mp4", sink: ByteSink(path: path))
      _ = try muxer.addStream(encoder.parameters, .init(timeBase: TimeBase(1, 25)))
      let bases = try muxer.begin(options: [(option, value)])
      for packet in packets {
        try muxer.write(packet.rescaled(from: encoder.timeBase, to: bases[0]), stream: 0)
      }
      try muxer.finish()
      let data = try Data(contentsOf: URL(filePath: path))
      let index = try #require(data.range(of: Data("moov".utf8)))
      let samples = try #require(data.range(of: Data("mdat".utf8)))
      #expect(index.lowerBound < samples.lowerBound)
      #expect(try decodeAll(path).frames.count == 20)
    }
  }

  @Test func anUnfinishedFileLeavesNothingOpen() throws {
    try withTemporaryDirectory { directory in
      let encoder = try Encoder(video: filmSettings("libx264"))
      let packets = try encodeAll(encoder, testPictures(5))
      for format in ["mp4", "matroska", "mpegts", "mov"] {
        let muxer = try Muxer(format: format, sink: ByteSink(path: directory + "/" + format))
        _ = try muxer.addStream(encoder.parameters, .init(timeBase: TimeBase(1, 25)))
        let bases = try muxer.begin()
        try muxer.write(packets[0].rescaled(from: encoder.timeBase, to: bases[0]), stream: 0)
        #expect(throws: LibAVError.self) { try muxer.begin() }
      }
    }
  }

  @Test func unknownOptionsAreNamed() throws {
    try withTemporaryDirectory { directory in
      let encoder = try Encoder(video: filmSettings("libx264"))
      let muxer = try Muxer(format: "mp4", sink: ByteSink(path: directory + "/a.mp4"))
      _ = try muxer.addStream(encoder.parameters, .init(timeBase: TimeBase(1, 25)))
      let error = #expect(throws: LibAVError.self) {
        try muxer.begin(options: [("no_such_option", "1")])
      }
      #expect(error?.description.contains("'no_such_option'") == true)
    }
  }

  @Test func unknownContainersAndListsOfFilesAreRefused() throws {
    try withTemporaryDirectory { directory in
      for format in ["nonsense", "hls", "segment"] {
        #expect(throws: LibAVError.self) {
          try Muxer(format: format, sink: ByteSink(path: directory + "/\(format)"))
        }
      }
    }
  }

  @Test func stepsOutOfOrderAreRefused() throws {
    try withTemporaryDirectory { directory in
      let muxer = try Muxer(format: "mp4", sink: ByteSink(path: directory + "/a.mp4"))
      #expect(throws: LibAVError.self) { try muxer.write(Packet(), stream: 0) }
      #expect(throws: LibAVError.self) { try muxer.finish() }
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full here"))
  func aFullDiskIsReportedWithItsReason() throws {
    let encoder = try Encoder(video: filmSettings("libx264"))
    let packets = try encodeAll(encoder, testPictures(5))
    let sink = try ByteSink(path: "/dev/full", isExclusive: false)
    let muxer = try Muxer(format: "matroska", sink: sink)
    _ = try muxer.addStream(encoder.parameters, .init(timeBase: TimeBase(1, 25)))
    let error = #expect(throws: LibAVError.self) {
      let bases = try muxer.begin()
      for packet in packets {
        try muxer.write(packet.rescaled(from: encoder.timeBase, to: bases[0]), stream: 0)
      }
      try muxer.finish()
    }
    #expect(error?.systemErrorNumber == ENOSPC)
    #expect(sink.failure == ENOSPC)
  }

  @Test func theDisplayMatrixSurvives() throws {
    try withTemporaryDirectory { directory in
      let encoder = try Encoder(video: filmSettings("libx264"))
      let packets = try encodeAll(encoder, testPictures(2))
      let muxer = try Muxer(format: "mp4", sink: ByteSink(path: directory + "/a.mp4"))
      let quarter: [Int32] = [0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30]
      _ = try muxer.addStream(
        encoder.parameters, .init(timeBase: TimeBase(1, 25), displayMatrix: quarter))
      let bases = try muxer.begin()
      for packet in packets {
        try muxer.write(packet.rescaled(from: encoder.timeBase, to: bases[0]), stream: 0)
      }
      try muxer.finish()
      let matrix = try Demuxer(path: directory + "/a.mp4").streams[0].displayMatrix
      #expect(matrix.map { Array($0.prefix(5)) } == Array(quarter.prefix(5)))
    }
  }

  @Test func chaptersAndTagsAreWritten() throws {
    try withTemporaryDirectory { directory in
      let encoder = try Encoder(video: filmSettings("libx264"))
      let packets = try encodeAll(encoder, testPictures(5))
      let muxer = try Muxer(format: "matroska", sink: ByteSink(path: directory + "/a.mkv"))
      _ = try muxer.addStream(encoder.parameters, .init(timeBase: TimeBase(1, 1000)))
      muxer.setMetadata([("title", "Ein Film")])
      try muxer.setChapters([
        (0, 100, TimeBase(1, 1000), "eins"), (100, 200, TimeBase(1, 1000), "zwei"),
      ])
      let bases = try muxer.begin()
      for packet in packets {
        try muxer.write(packet.rescaled(from: encoder.timeBase, to: bases[0]), stream: 0)
      }
      try muxer.finish()
      let demuxer = try Demuxer(path: directory + "/a.mkv")
      #expect(demuxer.chapters.map(\.title) == ["eins", "zwei"])
      #expect(demuxer.metadata.contains { $0.0 == "title" && $0.1 == "Ein Film" })
    }
  }

  @Test func aSinkDoesNotReplaceAFile() throws {
    try withTemporaryDirectory { directory in
      _ = try ByteSink(path: directory + "/a")
      let error = #expect(throws: LibAVError.self) { try ByteSink(path: directory + "/a") }
      #expect(error?.systemErrorNumber == EEXIST)
    }
  }
}
