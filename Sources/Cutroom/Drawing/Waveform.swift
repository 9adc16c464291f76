public import CutroomModel

/// The smallest and largest samples of stretches of sound.
public struct Waveform: Hashable, Sendable {
  /// The stretches of one channel, in order.
  public struct Channel: Hashable, Sendable {
    /// The smallest sample of each, 1 for full scale.
    public var minima: [Float]
    /// The largest sample of each.
    public var maxima: [Float]
  }

  /// Samples a second.
  public var sampleRate: Int
  /// FFmpeg's name of the channels' layout.
  public var channelLayout: String
  /// Samples of a channel.
  public var sampleCount: Int64
  /// Samples of a stretch: stretch n begins at the sample n times this, rounded down.
  public var stretch: Rational
  /// The channels, in the order of the layout.
  public var channels: [Channel]

  /// How long the sound is.
  public var duration: Rational { Rational(sampleCount, Int64(sampleRate)) }
  /// How many stretches there are.
  public var count: Int { channels.first?.minima.count ?? 0 }
  /// The largest magnitude.
  public var peak: Float {
    channels.map { max(-($0.minima.min() ?? 0), $0.maxima.max() ?? 0) }.max() ?? 0
  }

  /// The peaks as `cutroom waveform -o FILE.json` writes them.
  public var jsonValue: JSONValue {
    func list(_ samples: [Float]) -> JSONValue {
      .array(samples.map { .decimal(Double($0), digits: 5) })
    }
    let values = channels.map { channel -> JSONValue in
      ["min": list(channel.minima), "max": list(channel.maxima)]
    }
    return .object(summary + [.init("channels", .array(values))])
  }

  /// What it measures, without the peaks.
  var summary: [JSONValue.Member] {
    [
      .init("duration", .time(duration)), .init("sampleRate", .integer(Int64(sampleRate))),
      .init("channelLayout", .string(channelLayout)), .init("samples", .integer(sampleCount)),
      .init("samplesPerPeak", .time(stretch)), .init("peaks", .integer(Int64(count))),
    ]
  }
}

extension Waveform {
  /// A picture of it: a lane for each channel, a column for each pixel; what exceeds full scale is
  /// red.
  func picture(width: Int, height: Int) -> Raster {
    var raster = Raster(width: width, height: height, color: .white)
    guard count > 0 else { return raster }
    for (index, channel) in channels.enumerated() {
      let lane = height * index / channels.count..<height * (index + 1) / channels.count
      Self.draw(channel, in: lane, width: width, on: &raster)
    }
    return raster
  }

  private static let wave = Color(red: 0x25, green: 0x63, blue: 0xC4)
  private static let tooLoud = Color(red: 0xD9, green: 0x2D, blue: 0x20)
  private static let rule = Color(red: 0xD3, green: 0xDA, blue: 0xE2)

  private static func draw(
    _ channel: Channel, in lane: Range<Int>, width: Int, on raster: inout Raster
  ) {
    // A free pixel above and below keeps channels apart.
    let reach = Double(max(1, lane.count - 3)) / 2
    let middle = Double(lane.lowerBound) + Double(lane.count - 1) / 2
    let center = Int(middle.rounded())
    raster.fill(x: 0..<width, y: center..<center + 1, rule)
    if lane.lowerBound > 0 {
      raster.fill(x: 0..<width, y: lane.lowerBound..<lane.lowerBound + 1, rule)
    }
    for column in 0..<width {
      let peak = column * channel.minima.count / width
      let (smallest, largest) = (channel.minima[peak], channel.maxima[peak])
      func row(_ sample: Float) -> Int {
        Int((middle - Double(max(-1, min(1, sample))) * reach).rounded())
      }
      let isTooLoud = smallest < -1 || largest > 1
      raster.fill(
        x: column..<column + 1, y: row(largest)..<row(smallest) + 1, isTooLoud ? tooLoud : wave)
    }
  }
}
