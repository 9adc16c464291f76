import CutroomMedia
import Foundation
import Testing

@Suite struct EncoderTests {
  @Test func forcedKeyframesAreKeyframes() throws {
    var settings = try filmSettings("libx264")
    settings.gopSize = 250
    settings.options.append(KeyValue("forced-idr", "1"))
    let encoder = try Encoder(video: settings)
    var packets: [Packet] = []
    for (index, frame) in try testPictures(10).enumerated() {
      #expect(try encoder.send(frame, forcingKeyframe: index == 6))
      packets += try drain(encoder.receive).values
    }
    #expect(try encoder.send(nil))
    packets += try drain(encoder.receive).values
    #expect(packets.filter(\.isKeyframe).compactMap(\.pts).sorted() == [0, 6])
  }

  @Test func pictureTypesOfTheSourceAreNotPassedOn() throws {
    try withTemporaryDirectory { directory in
      try writeFilm(directory + "/a.mp4")
      let frames = try decodeAll(directory + "/a.mp4").frames
      #expect(frames.filter { $0.pictureType == "I" }.count == 5)
      for (index, frame) in frames.enumerated() { frame.pts = Int64(index) }
      var settings = try filmSettings("libx264")
      settings.gopSize = 250
      let packets = try encodeAll(Encoder(video: settings), frames)
      #expect(packets.filter(\.isKeyframe).count == 1)
    }
  }

  @Test func parametersTellWhatIsMade() throws {
    var settings = try filmSettings("libx264")
    settings.options = [KeyValue("preset", "medium")]
    settings.maxBFrames = 2
    settings.profile = "high"
    let encoder = try Encoder(video: settings)
    let parameters = encoder.parameters
    #expect(parameters.codecName == "h264")
    #expect(parameters.extradata.count > 8)
    #expect(parameters.colorTags.primaries == "bt709")
    #expect(encoder.reorderDelay == 2)
    let copy = try parameters.copy()
    try copy.setExtradata([1, 2, 3])
    #expect(copy.extradata == [1, 2, 3])
    #expect(parameters.extradata.count > 8)
    try copy.setExtradata([])
    #expect(copy.extradata.isEmpty)
  }

  @Test func parametersOutliveTheEncoder() throws {
    var encoder: Encoder? = try Encoder(video: filmSettings("libx264"))
    let parameters = try #require(encoder?.parameters)
    encoder = nil
    #expect(parameters.width == 160)
    #expect(parameters.extradata.count > 8)
  }

  @Test func mistakesAreNamed() throws {
    var unknown = try filmSettings("no_such_encoder")
    #expect(throws: LibAVError.self) { try Encoder(video: unknown) }
    unknown = try filmSettings("libx264")
    unknown.options.append(KeyValue("no_such_option", "1"))
    let option = #expect(throws: LibAVError.self) { try Encoder(video: unknown) }
    #expect(option?.description.contains("'no_such_option'") == true)
    unknown = try filmSettings("libx264")
    unknown.options.append(KeyValue("x264-params", "no-such-parameter=1"))
    let parameter = #expect(throws: LibAVError.self) { try Encoder(video: unknown) }
    #expect(parameter?.description.contains("no-such-parameter") == true)
    unknown = try filmSettings("libx264")
    unknown.format = try pixelFormat("pal8")
    #expect(throws: LibAVError.self) { try Encoder(video: unknown) }
    unknown = try filmSettings("aac")
    #expect(throws: LibAVError.self) { try Encoder(video: unknown) }
    unknown = try filmSettings("libx264")
    unknown.colorTags.matrix = "nonsense"
    #expect(throws: LibAVError.self) { try Encoder(video: unknown) }
    let drained = try Encoder(video: filmSettings("libx264"))
    #expect(try drained.send(nil))
    let frame = try testPictures(1)[0]
    #expect(throws: LibAVError.self) { try drained.send(frame) }
  }

  @Test func encodersTellWhatTheyTake() throws {
    let x264 = try #require(Encoder.info(encoder: "libx264"))
    #expect(x264.codecName == "h264")
    #expect(x264.pixelFormats.contains(try pixelFormat("yuv420p")))
    #expect(x264.isAvailable)
    let opus = try #require(Encoder.info(encoder: "libopus"))
    #expect(opus.sampleRates.contains(48000))
    #expect(opus.sampleFormats.contains("s16"))
    #expect(Encoder.info(encoder: "no_such_encoder") == nil)
  }

  struct SoundFile: CustomTestStringConvertible, Sendable {
    var format: String
    var encoder: String
    var sampleFormat: String
    var testDescription: String { format }
  }

  @Test(arguments: [
    SoundFile(format: "flac", encoder: "flac", sampleFormat: "s16"),
    SoundFile(format: "wav", encoder: "pcm_s16le", sampleFormat: "s16"),
    SoundFile(format: "mp3", encoder: "libmp3lame", sampleFormat: "fltp"),
    SoundFile(format: "opus", encoder: "libopus", sampleFormat: "flt"),
    SoundFile(format: "ogg", encoder: "libvorbis", sampleFormat: "fltp"),
    SoundFile(format: "ipod", encoder: "aac", sampleFormat: "fltp"),
  ])
  func soundKeepsItsLength(file: SoundFile) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/sound"
      let encoder = try Encoder(
        audio: AudioEncoderSettings(
          encoder: file.encoder, sampleRate: 48000, channelLayout: "stereo",
          sampleFormat: file.sampleFormat))
      let tone = testTone(count: 50_001)
      let size = encoder.frameSize == 0 ? 1000 : encoder.frameSize
      let frames = try stride(from: 0, to: tone.count, by: size).map { start in
        let frame = try tone.frame(
          from: start, count: min(size, tone.count - start), sampleRate: 48000,
          channelLayout: "stereo", sampleFormat: file.sampleFormat)
        frame.pts = Int64(start)
        return frame
      }
      let packets = try encodeAll(encoder, frames)
      let sink = try ByteSink(path: path)
      let muxer = try Muxer(format: file.format, sink: sink)
      _ = try muxer.addStream(encoder.parameters, .init(timeBase: encoder.timeBase))
      let bases = try muxer.begin()
      for packet in packets {
        try muxer.write(packet.rescaled(from: encoder.timeBase, to: bases[0]), stream: 0)
      }
      try muxer.finish()
      try sink.sync()
      try sink.close()
      let (decoded, errors) = try decodeAll(path)
      #expect(errors == 0)
      let count = decoded.map(\.sampleCount).reduce(0, +)
      let exact = ["flac", "wav", "mp3", "opus", "ogg"].contains(file.format)
      if exact { #expect(count == 50_001) } else { #expect((50_001..<52_100).contains(count)) }
    }
  }
}

@Suite struct DecoderTests {
  @Test func damagedPacketsAreCountedAndDecodingGoesOn() throws {
    let encoder = try Encoder(video: filmSettings("libx264"))
    let packets = try encodeAll(encoder, testPictures(30))
    let decoder = try Decoder(parameters: encoder.parameters, timeBase: encoder.timeBase)
    var frames = 0
    for (index, packet) in packets.enumerated() {
      let sent = index == 5 ? try Packet(bytes: [UInt8](repeating: 0xff, count: 100)) : packet
      #expect(try decoder.send(sent))
      frames += try drain(decoder.receive).values.count
    }
    #expect(try decoder.send(nil))
    let (rest, ended) = try drain(decoder.receive)
    #expect(ended)
    #expect(frames + rest.count >= 29)
    #expect(decoder.errorCount == 1)
    #expect(decoder.lastError != nil)
  }

  @Test func aDrainedDecoderTakesPacketsAfterAFlush() throws {
    let encoder = try Encoder(video: filmSettings("libx264"))
    let packets = try encodeAll(encoder, testPictures(5))
    let decoder = try Decoder(parameters: encoder.parameters, timeBase: encoder.timeBase)
    for _ in 0..<2 {
      var count = 0
      for packet in packets {
        #expect(try decoder.send(packet))
        count += try drain(decoder.receive).values.count
      }
      #expect(try decoder.send(nil))
      #expect(try decoder.send(nil))
      #expect(try count + drain(decoder.receive).values.count == 5)
      #expect(throws: LibAVError.self) { try decoder.send(packets[0]) }
      decoder.flush()
    }
  }

  @Test func moreThreadsGiveTheSameFrames() throws {
    try withTemporaryDirectory { directory in
      try writeFilm(directory + "/a.mp4")
      let one = try decodeAll(directory + "/a.mp4").frames.map { $0.digest() }
      let four = try decodeAll(directory + "/a.mp4", threads: 4).frames.map { $0.digest() }
      #expect(one == four)
      #expect(Set(one).count > 40)
    }
  }

  @Test func framesOutliveTheDecoder() throws {
    try withTemporaryDirectory { directory in
      try writeFilm(directory + "/a.mp4", pictures: 5)
      let frames = try decodeAll(directory + "/a.mp4").frames
      #expect(frames.count == 5)
      #expect(frames.allSatisfy { !$0.isCorrupt && $0.digest().count == 32 })
    }
  }

  @Test func aCodecWithoutADecoderIsNamed() throws {
    let parameters = try Encoder(video: filmSettings("libx264")).parameters
    let error = #expect(throws: LibAVError.self) {
      try Decoder(
        parameters: parameters, timeBase: TimeBase(1, 25), options: [("no_such_option", "1")])
    }
    #expect(error?.description.contains("h264") == true)
  }

  @Test(.enabled(if: hasMedia, "the folder of real media is not there"))
  func firstFramesOfRealFilesDecodeWithoutACrash() throws {
    let manifest = try String(contentsOfFile: mediaFolder + "/MANIFEST.tsv", encoding: .utf8)
    var decoded = 0
    for line in manifest.split(whereSeparator: \.isNewline).dropFirst() {
      let path = mediaFolder + "/" + line.prefix { $0 != "\t" }
      do throws(LibAVError) {
        decoded += try firstFrames(of: path) > 0 ? 1 : 0
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
    #expect(decoded > 80)
  }

  private func firstFrames(of path: String) throws(LibAVError) -> Int {
    let demuxer = try Demuxer(path: path)
    guard let stream = demuxer.streams.first(where: { $0.kind == .video || $0.kind == .audio })
    else { return 0 }
    demuxer.select([stream.index])
    let decoder = try Decoder(demuxer: demuxer, stream: stream.index)
    var frames = 0
    for _ in 0..<20 {
      guard let packet = try demuxer.read() else { break }
      guard try decoder.send(packet) else { break }
      while case .value(let frame) = try decoder.receive() {
        _ = frame.digest()
        frames += 1
      }
    }
    return frames
  }
}

@Suite struct LogCaptureTests {
  @Test func aFailedCallKeepsWhatLibavSaid() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/cut.mp4"
      try writeFilm(directory + "/a.mp4", pictures: 5)
      let data = try Data(contentsOf: URL(filePath: directory + "/a.mp4"))
      try data.prefix(data.count / 2).write(to: URL(filePath: path))
      let error = #expect(throws: LibAVError.self) { try Demuxer(path: path) }
      #expect(error?.log.isEmpty == false)
      #expect(error?.log.allSatisfy { !$0.contains("0x") } == true)
      let mark = LogCapture.mark()
      #expect(LogCapture.lines(since: mark).isEmpty)
    }
  }
}
