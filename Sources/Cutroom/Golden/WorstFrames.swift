import CutroomMedia

/// A frame of an output beside its reference, as PNG files.
struct FramePair: Sendable, Hashable {
  /// What stands over it.
  var caption: String
  /// The small reference picture, enlarged; empty where none was recorded.
  var reference: [UInt8]
  /// The output's small picture, enlarged.
  var small: [UInt8]
  /// The output's frame.
  var full: [UInt8]
}

/// Finds the frames of an output that differ most, and makes pictures of them.
struct WorstFrames {
  static let limit = 6

  let golden: Golden
  let output: Fingerprint
  let path: String

  /// Pictures of the worst frames of the first stream that differs; none where all are equal.
  func pairs() throws(CutroomError) -> [FramePair] {
    for (place, recorded) in golden.fingerprint.streams.enumerated()
    where recorded.isVideo && place < output.streams.count {
      let made = output.streams[place]
      guard made.isVideo, made.content != recorded.content else { continue }
      do {
        return try pairs(made, recorded, place)
      } catch {
        throw CutroomError(reading: path, error)
      }
    }
    return []
  }

  private func pairs(
    _ made: Fingerprint.Stream, _ recorded: Fingerprint.Stream, _ place: Int
  ) throws(LibAVError) -> [FramePair] {
    guard let own = made.thumbnails, let other = recorded.thumbnails else { return [] }
    var chosen = own.distances(from: other).filter { $0.ratio.isFinite }
      .sorted { $0.isWorse(than: $1) }.prefix(Self.limit).map(\.frame)
    if chosen.isEmpty, let first = made.content.difference(from: recorded.content)?.first {
      chosen = [min(first, made.content.count - 1)]
    }
    let frames = try frames(Set(chosen), place)
    var pairs: [FramePair] = []
    for index in chosen {
      guard let frame = frames[index] else { continue }
      let small = own.picture(of: index)
      let reference = other.picture(of: index)
      var caption = "frame \(index)\(recorded.time(ofFrame: index))"
      if let small, let reference {
        let distance = Thumbnails.distance(index, small, reference)
        let ratio = distance.ratio.isFinite ? "\(Int(distance.ratio.rounded())) dB" : "equal"
        caption += ": \(ratio), \(distance.largest) levels"
      }
      pairs.append(
        FramePair(
          caption: caption, reference: try enlarged(reference), small: try enlarged(small),
          full: frame))
    }
    return pairs
  }

  /// Frames of a stream by their numbers, as PNG files of at most 480 samples' width.
  private func frames(_ wanted: Set<Int>, _ place: Int) throws(LibAVError) -> [Int: [UInt8]] {
    let demuxer = try Demuxer(path: path)
    let streams = demuxer.streams.filter(\.isSummedUp)
    guard place < streams.count, let last = wanted.max() else { return [:] }
    demuxer.select([streams[place].index])
    let decoder = try Decoder(demuxer: demuxer, stream: streams[place].index)
    var result: [Int: [UInt8]] = [:]
    var index = 0
    func take() throws(LibAVError) {
      while case .value(let frame) = try decoder.receive() {
        if wanted.contains(index) { result[index] = try Self.png(frame) }
        index += 1
      }
    }
    while index <= last, let packet = try demuxer.read() {
      while !(try decoder.send(packet)) { try take() }
      try take()
    }
    if index <= last {
      _ = try decoder.send(nil)
      try take()
    }
    return result
  }

  private func enlarged(_ picture: [UInt8]?) throws(LibAVError) -> [UInt8] {
    guard let picture, let format = PixelFormat(name: Thumbnails.formatName) else { return [] }
    let frame = try Frame.video(
      width: Thumbnails.width, height: Thumbnails.height, format: format, packedBytes: picture)
    return try Self.png(
      frame, width: Thumbnails.width * 10, height: Thumbnails.height * 10, flags: "neighbor")
  }

  static func png(_ frame: Frame) throws(LibAVError) -> [UInt8] {
    let width = min(480, frame.width)
    let height = max(1, frame.height * width / max(1, frame.width))
    return try png(frame, width: width, height: height, flags: "area+accurate_rnd+bitexact")
  }

  private static func png(
    _ frame: Frame, width: Int, height: Int, flags: String
  ) throws(LibAVError) -> [UInt8] {
    let thumbnailer = Thumbnailer(width: width, height: height, format: "rgb24", flags: flags)
    let picture = try thumbnailer.thumbnail(of: frame)
    guard let format = picture.format else { return [] }
    let encoder = try Encoder(
      video: VideoEncoderSettings(
        encoder: "png", width: width, height: height, format: format, timeBase: TimeBase(1, 25)))
    picture.pts = 0
    _ = try encoder.send(picture)
    _ = try encoder.send(nil)
    guard case .value(let packet) = try encoder.receive() else { return [] }
    return packet.bytes
  }
}
