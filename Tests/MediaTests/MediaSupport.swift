import CutroomMedia
import Foundation
import Testing

/// Runs `body` with a new directory that is removed after.
func withTemporaryDirectory<R>(_ body: (String) throws -> R) throws -> R {
  let directory = FileManager.default.temporaryDirectory.appending(
    path: "cutroom-media-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  return try body(directory.path(percentEncoded: false))
}

/// The folder of real media; `CUTROOM_MEDIA`, or beside the package.
let mediaFolder: String = {
  if let folder = ProcessInfo.processInfo.environment["CUTROOM_MEDIA"] { return folder }
  let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  return package.deletingLastPathComponent().appending(path: "shared/media")
    .path(percentEncoded: false)
}()

let hasMedia = FileManager.default.fileExists(atPath: mediaFolder + "/MANIFEST.tsv")

func pixelFormat(_ name: String) throws -> PixelFormat {
  try #require(PixelFormat(name: name))
}

/// All that a stage has to give now, and whether it ended.
func drain<Value>(_ receive: () throws -> Answer<Value>) throws -> (values: [Value], ended: Bool) {
  var values: [Value] = []
  while true {
    switch try receive() {
    case .value(let value): values.append(value)
    case .needsInput: return (values, false)
    case .ended: return (values, true)
    }
  }
}

/// All frames of a stream, with the number of packets that the decoder refused.
func decodeAll(_ path: String, stream: Int = 0, threads: Int = 1) throws -> (
  frames: [Frame], errors: Int
) {
  let demuxer = try Demuxer(path: path)
  demuxer.select([stream])
  let decoder = try Decoder(demuxer: demuxer, stream: stream, threads: threads)
  var frames: [Frame] = []
  while let packet = try demuxer.read() {
    while try !decoder.send(packet) { frames += try drain(decoder.receive).values }
    frames += try drain(decoder.receive).values
  }
  _ = try decoder.send(nil)
  frames += try drain(decoder.receive).values
  return (frames, decoder.errorCount)
}

/// Pictures of a moving test source.
func testPictures(_ count: Int, size: String = "160x90", format: String = "yuv420p") throws
  -> [Frame]
{
  let graph = try FilterGraph.source(
    "testsrc2=size=\(size):rate=25", kind: .video, format: format)
  return try (0..<count).map { index in
    guard case .value(let frame) = try graph.pull() else {
      throw LibAVErrorExpectation.noFrame(index)
    }
    return frame
  }
}

enum LibAVErrorExpectation: Error {
  case noFrame(Int)
}

func encodeAll(_ encoder: Encoder, _ frames: [Frame]) throws -> [Packet] {
  var packets: [Packet] = []
  for frame in frames {
    #expect(try encoder.send(frame))
    packets += try drain(encoder.receive).values
  }
  #expect(try encoder.send(nil))
  packets += try drain(encoder.receive).values
  return packets
}

/// A sine of 1 kHz at 48 kHz.
func testTone(channels: Int = 2, count: Int) -> PlanarAudio {
  let tone = PlanarAudio(channels: channels, count: count)
  for channel in 0..<channels {
    for index in 0..<count {
      tone[channel, index] = Float(sin(Double(index) * 2 * .pi / 48)) * 0.5
    }
  }
  return tone
}

/// Writes a small film with pictures and sound.
func writeFilm(
  _ path: String, format: String = "mp4", video: String = "libx264", audio: String = "aac",
  pictures: Int = 50
) throws {
  let encoder = try Encoder(video: filmSettings(video))
  let videoPackets = try encodeAll(encoder, testPictures(pictures))
  let soundEncoder = try Encoder(
    audio: AudioEncoderSettings(
      encoder: audio, sampleRate: 48000, channelLayout: "stereo", sampleFormat: "fltp",
      bitRate: 96000))
  let sound = testTone(count: pictures * 1920)
  let size = soundEncoder.frameSize
  let frames = try stride(from: 0, to: sound.count, by: size).map { start in
    let frame = try sound.frame(
      from: start, count: min(size, sound.count - start), sampleRate: 48000,
      channelLayout: "stereo", sampleFormat: "fltp")
    frame.pts = Int64(start)
    return frame
  }
  let audioPackets = try encodeAll(soundEncoder, frames)
  let sink = try ByteSink(path: path)
  let muxer = try Muxer(format: format, sink: sink)
  var settings = Muxer.StreamSettings(timeBase: TimeBase(1, 12800), frameRate: (25, 1))
  settings.language = "eng"
  let first = try muxer.addStream(encoder.parameters, settings)
  let second = try muxer.addStream(
    soundEncoder.parameters, Muxer.StreamSettings(timeBase: TimeBase(1, 48000)))
  let bases = try muxer.begin()
  for packet in videoPackets {
    try muxer.write(packet.rescaled(from: encoder.timeBase, to: bases[first]), stream: first)
  }
  for packet in audioPackets {
    try muxer.write(packet.rescaled(from: soundEncoder.timeBase, to: bases[second]), stream: second)
  }
  try muxer.finish()
  try sink.close()
}

func filmSettings(_ encoder: String) throws -> VideoEncoderSettings {
  var settings = VideoEncoderSettings(
    encoder: encoder, width: 160, height: 90, format: try pixelFormat("yuv420p"),
    timeBase: TimeBase(1, 25), frameRate: (25, 1))
  settings.gopSize = 10
  settings.colorTags = ColorTags(
    primaries: "bt709", transfer: "bt709", matrix: "bt709", range: "tv", chromaLocation: "left")
  if encoder == "libx264" { settings.options = [KeyValue("preset", "ultrafast")] }
  return settings
}

extension Packet {
  func rescaled(from: TimeBase, to: TimeBase) throws -> Packet {
    let copy = try reference()
    func scale(_ time: Int64) -> Int64 {
      time * Int64(from.numerator) * Int64(to.denominator)
        / (Int64(from.denominator) * Int64(to.numerator))
    }
    copy.pts = pts.map(scale)
    copy.dts = dts.map(scale)
    copy.duration = scale(max(1, duration))
    return copy
  }
}
