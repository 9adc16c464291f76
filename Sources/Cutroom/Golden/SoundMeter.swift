import CutroomMedia
import CutroomModel
import Foundation

/// How loud a stream is, in steps of a tenth of a second.
struct SoundLevels: Hashable, Sendable {
  /// How many samples there are, of one channel.
  var count = 0
  var sampleRate = 0
  /// For each channel the levels in tenths of dB, full scale as 0.
  var levels: [[Int]] = []
  /// For each channel the levels of the steps between samples, which tell low tones from high ones.
  var slopes: [[Int]] = []

  /// Samples of a window.
  var window: Int { max(1, sampleRate / 10) }

  /// Tenths of dB that a level may be off.
  static let tolerance = 5
  /// Tenths of dB that the level of the steps may be off.
  static let slopeTolerance = 20
  /// Levels below this count as this, in tenths of dB.
  static let floor = -600

  /// How far sound is from its reference.
  struct Distance: Hashable, Sendable {
    var window: Int
    var channel: Int
    /// Tenths of dB.
    var level: Int
    var slope: Int

    var isSmall: Bool {
      level <= SoundLevels.tolerance && slope <= SoundLevels.slopeTolerance
    }
  }

  /// The first window that is too far, and the worst of all; `nil` where a shape differs.
  func distance(from other: SoundLevels) -> (first: Distance?, worst: Distance)? {
    guard levels.count == other.levels.count, sampleRate == other.sampleRate else { return nil }
    var first: Distance?
    var worst = Distance(window: 0, channel: 0, level: 0, slope: 0)
    let windows = min(levels.first?.count ?? 0, other.levels.first?.count ?? 0)
    for window in 0..<windows {
      for channel in levels.indices {
        let distance = Distance(
          window: window, channel: channel,
          level: Self.apart(levels[channel][window], other.levels[channel][window]),
          slope: Self.apart(slopes[channel][window], other.slopes[channel][window]))
        if !distance.isSmall, first == nil { first = distance }
        if (distance.isSmall ? 0 : 1, distance.level) > (worst.isSmall ? 0 : 1, worst.level) {
          worst = distance
        }
      }
    }
    return (first, worst)
  }

  private static func apart(_ a: Int, _ b: Int) -> Int { abs(max(a, floor) - max(b, floor)) }
}

extension SoundLevels {
  var members: [JSONValue.Member] {
    func list(_ channels: [[Int]]) -> JSONValue {
      .array(channels.map { .string($0.map(String.init).joined(separator: " ")) })
    }
    return [
      .init("count", .integer(Int64(count))), .init("sampleRate", .integer(Int64(sampleRate))),
      .init("levels", list(levels)), .init("slopes", list(slopes)),
    ]
  }

  init(_ json: JSONValue, _ place: String) throws(GoldenFlaw) {
    count = try json.count("count", place)
    sampleRate = try json.count("sampleRate", place)
    let windows = (count + window - 1) / window
    func channels(_ key: String) throws(GoldenFlaw) -> [[Int]] {
      var channels: [[Int]] = []
      for element in try json.list(key, place) {
        let numbers = (element.text ?? "").split(separator: " ").map { Int($0) }
        guard numbers.count == windows, numbers.allSatisfy({ (-2000...2000).contains($0 ?? 9999) })
        else { throw GoldenFlaw("'\(key)' of \(place) has not a level for each window") }
        channels.append(numbers.compactMap(\.self))
      }
      return channels
    }
    levels = try channels("levels")
    slopes = try channels("slopes")
    guard !levels.isEmpty, levels.count == slopes.count, sampleRate > 0 else {
      throw GoldenFlaw("\(place) has no channels")
    }
  }
}

/// Takes a stream's sound in, and sums it up in blocks of a second and windows of a tenth.
struct SoundMeter {
  private(set) var levels = SoundLevels()
  private(set) var blocks: [UInt64] = []
  private var pending: PlanarAudio?
  /// Samples of `pending` whose levels are taken.
  private var measured = 0

  mutating func add(_ frame: Frame) throws(LibAVError) {
    let sound = try PlanarAudio.from(frame)
    if levels.sampleRate == 0 {
      levels.sampleRate = frame.sampleRate
      levels.levels = Array(repeating: [], count: sound.channelCount)
      levels.slopes = levels.levels
    }
    guard frame.sampleRate == levels.sampleRate, sound.channelCount == levels.levels.count,
      frame.sampleRate > 0
    else {
      throw LibAVError(
        code: 0, action: "sum up the sound", reason: "its rate or its channels change within")
    }
    levels.count += sound.count
    let pending = self.pending ?? PlanarAudio(channels: sound.channelCount, count: 0)
    self.pending = pending
    pending.append(sound)
    while pending.count - measured >= levels.window { measure(pending, levels.window) }
    while pending.count >= levels.sampleRate, measured >= levels.sampleRate {
      close(pending, levels.sampleRate)
    }
  }

  /// Sums up what is left over.
  mutating func finish() {
    guard let pending else { return }
    if pending.count > measured { measure(pending, pending.count - measured) }
    while pending.count > 0 { close(pending, min(pending.count, levels.sampleRate)) }
    self.pending = nil
  }

  private mutating func measure(_ sound: PlanarAudio, _ count: Int) {
    let range = measured..<measured + count
    for channel in levels.levels.indices {
      levels.levels[channel].append(Self.level(sound.energy(channel, range), count))
      levels.slopes[channel].append(Self.level(sound.slopeEnergy(channel, range), count))
    }
    measured += count
  }

  private mutating func close(_ sound: PlanarAudio, _ count: Int) {
    blocks.append(HashList.shortened(sound.copy(0..<count).digest()))
    sound.removeFirst(count)
    measured -= count
  }

  private static func level(_ energy: Double, _ count: Int) -> Int {
    guard energy.isFinite, energy > 0 else { return -1200 }
    return max(-1200, min(1200, Int((100 * log10(energy / Double(count))).rounded())))
  }
}
