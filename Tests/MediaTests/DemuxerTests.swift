import CutroomMedia
import Foundation
import Synchronization
import Testing

@Suite struct DemuxerTests {
  @Test func seekingLandsAtAKeyframeAtOrBefore() throws {
    try withTemporaryDirectory { directory in
      try writeFilm(directory + "/a.mp4")
      let demuxer = try Demuxer(path: directory + "/a.mp4")
      demuxer.select([0])
      for frame in [49, 25, 10, 9, 0] {
        try demuxer.seek(stream: 0, to: Int64(frame * 512))
        let packet = try #require(try demuxer.read())
        #expect(packet.isKeyframe)
        #expect(packet.streamIndex == 0)
        #expect(packet.pts == Int64(frame / 10 * 10 * 512))
      }
      try demuxer.seek(stream: 0, to: -100_000)
      #expect(try demuxer.read()?.pts == 0)
    }
  }

  @Test func unselectedStreamsAreNotRead() throws {
    try withTemporaryDirectory { directory in
      try writeFilm(directory + "/a.mp4")
      let demuxer = try Demuxer(path: directory + "/a.mp4")
      demuxer.select([1])
      var streams: Set<Int> = []
      while let packet = try demuxer.read() { streams.insert(packet.streamIndex) }
      #expect(streams == [1])
    }
  }

  @Test(arguments: ["", "/", "/dev/zero", "/no/such/file.mp4", "a\0b"])
  func whatIsNoRegularFileIsRefused(path: String) {
    #expect(throws: LibAVError.self) { try Demuxer(path: path) }
  }

  @Test func rubbishIsRefusedWithAReason() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/rubbish.mp4"
      try Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7919) }).write(
        to: URL(filePath: path))
      let error = #expect(throws: LibAVError.self) { try Demuxer(path: path) }
      #expect(error?.isInvalidData == true)
      #expect(error?.action.contains(path) == true)
    }
  }

  @Test func aListOfOtherFilesIsNoMedia() throws {
    try withTemporaryDirectory { directory in
      try writeFilm(directory + "/a.mp4")
      let path = directory + "/list.txt"
      try Data("ffconcat version 1.0\nfile a.mp4\n".utf8).write(to: URL(filePath: path))
      #expect(throws: LibAVError.self) { try Demuxer(path: path) }
    }
  }

  @Test func unknownOptionsAreNamed() throws {
    try withTemporaryDirectory { directory in
      try writeFilm(directory + "/a.mp4")
      let error = #expect(throws: LibAVError.self) {
        try Demuxer(path: directory + "/a.mp4", options: [("no_such_option", "1")])
      }
      #expect(error?.description.contains("'no_such_option'") == true)
    }
  }

  @Test func cancellingEndsTheCall() throws {
    try withTemporaryDirectory { directory in
      try writeFilm(directory + "/a.mp4")
      let error = #expect(throws: LibAVError.self) {
        try Demuxer(path: directory + "/a.mp4", isCancelled: { true })
      }
      #expect(error?.isCancelled == true)
    }
  }

  @Test func manyOpeningsLeaveNothingOpen() throws {
    try withTemporaryDirectory { directory in
      try writeFilm(directory + "/a.mp4", pictures: 5)
      func openFiles() throws -> Int {
        let folder = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"))?
            .hasPrefix(directory) == true
        }.count
      }
      for _ in 0..<300 { _ = try Demuxer(path: directory + "/a.mp4").streams.count }
      #expect(try openFiles() == 0)
    }
  }

  @Test func parametersAndPacketsOutliveTheDemuxer() throws {
    try withTemporaryDirectory { directory in
      try writeFilm(directory + "/a.mp4")
      var demuxer: Demuxer? = try Demuxer(path: directory + "/a.mp4")
      let parameters = try #require(try demuxer?.parameters(of: 0))
      let packet = try #require(try demuxer?.read())
      demuxer = nil
      #expect(parameters.codecName == "h264")
      #expect(parameters.extradata.count > 8)
      #expect(packet.size == packet.bytes.count)
      #expect(packet.withBytes { $0.byteCount } == packet.size)
    }
  }

  @Test func streamsThatAreNotThereAreRefused() throws {
    try withTemporaryDirectory { directory in
      try writeFilm(directory + "/a.mp4", pictures: 5)
      let demuxer = try Demuxer(path: directory + "/a.mp4")
      #expect(throws: LibAVError.self) { try demuxer.parameters(of: 7) }
      #expect(throws: LibAVError.self) { try demuxer.parameters(of: -1) }
      #expect(demuxer.index(of: 9).isEmpty)
    }
  }

  @Test(.enabled(if: hasMedia, "the folder of real media is not there"))
  func everyRealFileOpensOrIsRefusedWithoutACrash() throws {
    let manifest = try String(contentsOfFile: mediaFolder + "/MANIFEST.tsv", encoding: .utf8)
    var opened = 0
    for line in manifest.split(whereSeparator: \.isNewline).dropFirst() {
      let path = mediaFolder + "/" + line.prefix { $0 != "\t" }
      do throws(LibAVError) {
        let demuxer = try Demuxer(path: path)
        opened += 1
        for stream in demuxer.streams { _ = demuxer.index(of: stream.index).count }
        for _ in 0..<50 {
          guard let packet = try demuxer.read() else { break }
          _ = packet.digest()
        }
      } catch {
        #expect(!error.reason.isEmpty)
      }
    }
    #expect(opened > 80)
  }
}
