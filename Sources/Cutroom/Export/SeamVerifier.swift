import CutroomMedia
import CutroomModel
import Dispatch
import Synchronization

/// Decodes a written file around the places where copied and rendered pictures meet.
///
/// From a closed keyframe at least a group before such a place to a group behind it: every picture
/// that was planned must come, in order, and be the source's, and the decoder must have nothing to
/// say against it.
struct SeamVerifier {
  /// Places that are decoded in one go.
  private struct Window {
    /// The chunk at whose start decoding may begin.
    var chunk: Int
    /// The frame at which decoding should begin, or earlier.
    var first: Int64
    /// The frame behind the last place.
    var last: Int64
    /// The copied chunks that meet rendered ones here.
    var copies: Set<Int>
  }

  private let video: VideoPlan
  private let assets: [String: AssetInfo]
  private let cancellation: Cancellation
  private let timing: FrameTiming
  private var comparison: SeamComparison
  /// The tick of the first picture: containers without negative times begin later.
  private var origin: Int64 = 0

  init(video: VideoPlan, assets: [String: AssetInfo], cancellation: Cancellation) {
    (self.video, self.assets, self.cancellation) = (video, assets, cancellation)
    timing = FrameTiming(video)
    comparison = SeamComparison(video: video, assets: assets)
  }

  /// The mean likeness of rendered edges to the source's pictures in decibels, where any was seen.
  var edgeLikeness: Double? { comparison.likeness.mean }

  /// The copied chunks whose joints do not decode as planned, with what was wrong.
  ///
  /// Joints are decoded by `jobs` threads.
  /// - Throws: ``CutroomError`` when the file does not read at all.
  mutating func failures(in path: String, jobs: Int) throws(CutroomError) -> [Int: String] {
    let windows = windows()
    let lanes = max(1, min(jobs, windows.count))
    let results = Mutex<[Result<Lane, CutroomError>]>([])
    let (video, assets, cancellation) = (video, assets, cancellation)
    DispatchQueue.concurrentPerform(iterations: lanes) { lane in
      var own = SeamVerifier(video: video, assets: assets, cancellation: cancellation)
      let part = stride(from: lane, to: windows.count, by: lanes).map { windows[$0] }
      let result = Result { () throws(CutroomError) in try own.verify(part, in: path) }
      results.withLock { $0.append(result) }
    }
    var failures: [Int: String] = [:]
    for result in results.withLock({ $0 }) {
      let lane = try result.get()
      failures.merge(lane.failures) { min($0, $1) }
      comparison.add(lane.comparison)
    }
    return failures
  }

  /// What one thread found.
  private struct Lane: Sendable {
    var failures: [Int: String]
    var comparison: SeamComparison.Likeness
  }

  private mutating func verify(
    _ windows: [Window], in path: String
  ) throws(CutroomError) -> Lane {
    var failures: [Int: String] = [:]
    do {
      let demuxer = try Demuxer(path: path, trustsHeader: true)
      if let stream = demuxer.streams.first(where: { $0.kind == .video }) {
        demuxer.select([stream.index])
        origin = try demuxer.read()?.pts ?? 0
        for window in windows {
          try cancellation.check()
          guard let fault = try fault(window, demuxer, stream) else { continue }
          for copy in window.copies { failures[copy] = fault }
        }
      }
    } catch let error as CutroomError {
      throw error
    } catch let error as LibAVError {
      throw CutroomError(reading: path, error)
    } catch {
      throw CutroomError(.internal, "internal", "\(error)")
    }
    return Lane(failures: failures, comparison: comparison.likeness)
  }

  /// The frames of a second.
  private var near: Int64 {
    max(1, Int64(clamping: video.encoding.frameRate.framesPerSecond.ceiling))
  }

  /// The joints in order; those that lie near each other together.
  private func windows() -> [Window] {
    var windows: [Window] = []
    for index in video.chunks.indices.dropFirst() {
      let (before, after) = (video.chunks[index - 1], video.chunks[index])
      guard before.isCopied != after.isCopied else { continue }
      let place = timing.frame(nearest: after.start)
      let copy = before.isCopied ? index - 1 : index
      if let last = windows.last, place - last.last <= near {
        windows[windows.count - 1].last = place
        windows[windows.count - 1].copies.insert(copy)
      } else {
        windows.append(Window(chunk: index - 1, first: place - 1, last: place, copies: [copy]))
      }
    }
    return windows
  }

  /// What is wrong in a window; `nil` for nothing.
  private mutating func fault(
    _ window: Window, _ demuxer: Demuxer, _ stream: StreamInfo
  ) throws -> String? {
    let base = Rational(Int64(stream.timeBase.numerator), Int64(stream.timeBase.denominator))
    let decoder = try Decoder(
      demuxer: demuxer, stream: stream.index, reorderDepth: video.reorderDepth)
    guard let start = try begin(window, demuxer, stream, base, decoder) else {
      return "there is no keyframe to decode from"
    }
    var mark = LogCapture.mark()
    var said: String?
    var expected = start
    var groups = 0
    var isDraining = false
    while true {
      switch try decoder.receive() {
      case .value(let picture):
        guard let tick = picture.pts else { return "a picture has no time" }
        let time = seconds(expected)
        guard (Rational(tick - origin) * base - time).magnitude <= base else {
          return "instead of the picture at \(time.secondsText) comes one at "
            + (Rational(tick - origin) * base).secondsText
        }
        said = said ?? LogCapture.errors(since: mark).first
        if let fault = comparison.fault(picture, frame: expected) { return fault }
        // What the source's decoder says does not count.
        mark = LogCapture.mark()
        expected += 1
      case .ended:
        if let error = decoder.lastError { return error.reason }
        if let said = said ?? LogCapture.errors(since: mark).first { return said }
        return expected > window.last ? nil : "pictures are missing"
      case .needsInput:
        guard !isDraining else { return "the decoder waits for more than there is" }
        let packet = try demuxer.read()
        // A container's ticks may be coarser than the plan's.
        if let packet, packet.isKeyframe, time(of: packet, base) > seconds(window.last) + base {
          groups += 1
        }
        // A group behind the last place is enough, and of a long one some seconds.
        isDraining = packet == nil || groups > 0 || expected > window.last + 5 * near
        _ = try decoder.send(isDraining ? nil : packet)
      }
    }
  }

  private func seconds(_ frame: Int64) -> Rational {
    timing.time(ofFrame: frame)
  }

  /// The time of a packet in the result.
  private func time(of packet: Packet, _ base: Rational) -> Rational {
    Rational((packet.pts ?? origin) - origin) * base
  }

  /// Goes to a closed keyframe at or before the window, gives it to the decoder, and tells its frame.
  private func begin(
    _ window: Window, _ demuxer: Demuxer, _ stream: StreamInfo, _ base: Rational,
    _ decoder: Decoder
  ) throws -> Int64? {
    // Streams without a table are entered between packets, and the first of them are lost.
    let margin = demuxer.seeksByTable ? .zero : Rational(3)
    for place in [seconds(window.first), video.chunks[window.chunk].start, .zero] {
      let depth = video.encoding.frameRate.time(ofFrame: Int64(video.reorderDepth))
      // Tables may count in decoding times.
      try demuxer.seek(
        stream: stream.index,
        to: origin + Int64(clamping: ((place - depth - margin) / base).floor))
      while let packet = try demuxer.read() {
        guard packet.pts != nil, packet.isKeyframe else { continue }
        let time = time(of: packet, base)
        guard time <= place + base else { break }
        guard
          BitstreamCheck.entry(packet, extradata: stream.extradata, codec: video.codec) != nil
        else { continue }
        _ = try decoder.send(packet)
        return timing.frame(nearest: time)
      }
    }
    return nil
  }
}

extension ExportPlan {
  /// The plan with these copied chunks rendered instead.
  func rendering(_ failures: [Int: String]) -> ExportPlan {
    guard var video else { return self }
    let rate = video.encoding.frameRate
    let grid = ChunkGrid(
      rate: rate, encoding: video.encoding, codec: Codec.named(video.codec) ?? Codec.video[0])
    var plan = self
    var chunks: [Chunk] = []
    for (index, chunk) in video.chunks.enumerated() {
      guard let fault = failures[index], case .copy(let range) = chunk.action else {
        chunks.append(chunk)
        continue
      }
      plan.diagnostics.append(
        Diagnostic(
          .warning, "copy.seam",
          "the pictures copied from '\(range.path)' at \(chunk.start.secondsText) did not decode "
            + "together with rendered ones (\(fault)); they were rendered, too", at: ""))
      let stretch = SourceStretch(
        path: range.path, streamIndex: range.streamIndex, start: range.sourceStart)
      if let ticks = chunk.ticks {
        chunks += chunk.rendered(ticks, video.ticksPerSecond, from: stretch)
        continue
      }
      let parts = grid.chunks(frames: chunk.count, cuts: [], reasons: ["seam.failed"], rate: rate)
      for var part in parts {
        part.reencoded = stretch
        part.reencoded?.start += part.start
        part.start += chunk.start
        chunks.append(part)
      }
    }
    if !chunks.contains(where: \.isCopied) { video.join = nil }
    video.chunks = chunks
    plan.video = video
    return plan
  }
}

extension Chunk {
  /// The chunks of pictures with times of their own that render this one.
  fileprivate func rendered(
    _ ticks: [Int64], _ ticksPerSecond: Int64, from stretch: SourceStretch
  ) -> [Chunk] {
    stride(from: 0, to: ticks.count, by: ChunkGrid.longestStamped).map { first in
      let next = min(first + ChunkGrid.longestStamped, ticks.count)
      let from = first == 0 ? start : Rational(ticks[first], ticksPerSecond)
      let until = next < ticks.count ? Rational(ticks[next], ticksPerSecond) : start + duration
      var part = self
      part.action = .render(reasons: ["seam.failed"])
      (part.start, part.duration) = (from, until - from)
      part.count = Int64(next - first)
      part.ticks = Array(ticks[first..<next])
      part.reencoded = stretch
      part.reencoded?.start += from - start
      return part
    }
  }
}
