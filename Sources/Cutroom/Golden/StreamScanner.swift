import CutroomMedia
import CutroomModel

/// Sums up one stream, packet by packet.
final class StreamScanner {
  private let stream: StreamInfo
  private let decoder: Decoder
  private let thumbnailer = Thumbnailer()
  private var shown: [TimestampTable.Row] = []
  private var decoded: [TimestampTable.Row] = []
  private var packets: [UInt64] = []
  private var frames: [UInt64] = []
  private var thumbnails = Thumbnails()
  private var meter = SoundMeter()
  private var damage = 0

  init(_ demuxer: Demuxer, _ stream: StreamInfo) throws(LibAVError) {
    self.stream = stream
    // The frames do not depend on the number of threads.
    let threads = stream.kind == .video ? min(4, FileSystem.availableCores) : 1
    decoder = try Decoder(demuxer: demuxer, stream: stream.index, threads: threads)
  }

  func add(_ packet: Packet) throws(LibAVError) {
    let flags: Int64 = (packet.isKeyframe ? 1 : 0) | (packet.isDiscard ? 2 : 0)
    let dts = packet.dts ?? .min
    let delay = packet.pts.map { $0 &- dts } ?? .min
    decoded.append(.init(time: dts, length: delay, flags: flags))
    if !packet.isDiscard {
      shown.append(.init(time: packet.pts ?? dts, length: packet.duration))
    }
    packets.append(HashList.shortened(packet.digest()))
    while !(try decoder.send(packet)) { try take() }
    try take()
  }

  /// The sums of all that was added.
  func finish() throws(LibAVError) -> Fingerprint.Stream {
    _ = try decoder.send(nil)
    try take()
    meter.finish()
    let isVideo = stream.kind == .video
    return Fingerprint.Stream(
      facts: stream.facts, codec: stream.codecName, isVideo: isVideo, timeBase: stream.timeBase,
      shown: TimestampTable(shown.sorted { $0.time < $1.time }), decoded: TimestampTable(decoded),
      packets: HashList(packets), content: HashList(isVideo ? frames : meter.blocks),
      thumbnails: isVideo ? thumbnails : nil, levels: isVideo ? nil : meter.levels,
      damage: decoder.errorCount + damage)
  }

  private func take() throws(LibAVError) {
    while case .value(let frame) = try decoder.receive() {
      if frame.isCorrupt { damage += 1 }
      guard stream.kind == .video else {
        try meter.add(frame)
        continue
      }
      if thumbnails.wants(frames.count) {
        thumbnails.append(try thumbnailer.thumbnail(of: frame).packedBytes())
      }
      frames.append(HashList.shortened(frame.digest()))
    }
  }
}

extension StreamInfo {
  /// What the container says of a stream.
  var facts: [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("index", .integer(Int64(index))), .init("kind", .string(kind.rawValue)),
      .init("codec", .string(codecName)), .init("tag", .string(codecTag)),
      .init("profile", .string(profileName)), .init("timeBase", .string(timeBase.description)),
      .init("start", startTime.map { .integer($0) } ?? .null),
      .init("duration", duration.map { .integer($0) } ?? .null),
    ]
    members += kind == .video ? pictureFacts : soundFacts
    if let language { members.append(.init("language", .string(language))) }
    return members
  }

  private var pictureFacts: [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("size", [.integer(Int64(width)), .integer(Int64(height))]),
      .init("sampleAspectRatio", .string("\(sampleAspectRatio.0):\(sampleAspectRatio.1)")),
      .init("pixelFormat", pixelFormat.map { .string($0.name) } ?? .null),
      .init(
        "frameRate", averageFrameRate.map { .string("\($0.0)/\($0.1)") } ?? .null),
      .init("fieldOrder", .string(fieldOrder)),
      .init(
        "color",
        .array(
          [
            colorTags.primaries, colorTags.transfer, colorTags.matrix, colorTags.range,
            colorTags.chromaLocation,
          ].map { $0.map { .string($0) } ?? .null })),
    ]
    if let displayMatrix {
      members.append(.init("displayMatrix", .array(displayMatrix.map { .integer(Int64($0)) })))
    }
    return members
  }

  private var soundFacts: [JSONValue.Member] {
    [
      .init("sampleRate", .integer(Int64(sampleRate))),
      .init("channelLayout", .string(channelLayout)), .init("sampleFormat", .string(sampleFormat)),
      .init("padding", [.integer(Int64(initialPadding)), .integer(Int64(trailingPadding))]),
    ]
  }
}
