import CutroomMedia
import CutroomModel

extension ChannelLayout {
  /// The number of channels of a layout that was checked before.
  static func channels(of layout: String) -> Int { channelCount(layout) ?? 1 }
}

/// The channels of a layout, by FFmpeg's names or by their places, `c0` for the first.
enum ChannelName {
  /// The place of a channel; `nil` where the layout does not have it.
  static func index(of name: String, in layout: String) -> Int? {
    if let place = ChannelLayout.channelNames(layout).firstIndex(of: name.uppercased()) {
      return place
    }
    guard name.first == "c", let place = Int(name.dropFirst()), place >= 0,
      place < ChannelLayout.channels(of: layout)
    else { return nil }
    return place
  }

  /// All names of a layout, for messages.
  static func all(in layout: String) -> [String] {
    let count = ChannelLayout.channels(of: layout)
    let names = ChannelLayout.channelNames(layout)
    return names.contains("?") || names.isEmpty ? (0..<count).map { "c\($0)" } : names
  }
}

/// How channels of one layout become those of another, as stated factors.
///
/// A channel that both layouts have passes at unity. Mono goes to left and right at unity, to a
/// front centre where there are more than two channels only when the source says so itself.
/// Stereo becomes mono as the mean. Centre and surround channels that the target lacks go to the
/// nearest ones at -3 dB (ITU-R BS.775); the low-frequency channel is left out.
enum DownmixMatrix {
  private static let minus3dB = 0.5.squareRoot()

  /// Rows are the target's channels, columns the source's; `nil` where the layouts are equal or
  /// not both made of named channels, for the resampler's own default.
  ///
  /// A channel of the target that `channels` names is the sum that they say; `names` are those of
  /// the target's channels by which they know them.
  static func matrix(
    from source: String, to target: String, channels: [ChannelSetting] = [], names: String? = nil
  ) -> [[Double]]? {
    let plain = matrix(from: source, to: target)
    guard !channels.isEmpty else { return plain }
    let columns = ChannelLayout.channels(of: source)
    let count = ChannelLayout.channels(of: target)
    var rows =
      plain
      ?? (0..<count).map { row in (0..<columns).map { $0 == row ? 1 : 0 } }
    for channel in channels {
      guard let row = ChannelName.index(of: channel.output, in: names ?? target), row < count
      else { continue }
      rows[row] = [Double](repeating: 0, count: columns)
      for input in channel.inputs {
        guard let column = ChannelName.index(of: input.channel, in: source) else { continue }
        rows[row][column] += input.gain.factor
      }
    }
    return rows
  }

  private static func matrix(from source: String, to target: String) -> [[Double]]? {
    guard source != target else { return nil }
    let inputs = ChannelLayout.channelNames(source)
    let outputs = ChannelLayout.channelNames(target)
    guard !inputs.isEmpty, !outputs.isEmpty else { return nil }
    var rows = [[Double]](
      repeating: [Double](repeating: 0, count: inputs.count), count: outputs.count)
    func add(_ channel: Int, to names: [String], _ factor: Double) -> Bool {
      let places = names.compactMap(outputs.firstIndex(of:))
      guard places.count == names.count else { return false }
      for place in places { rows[place][channel] += factor }
      return true
    }
    if inputs == ["FC"], add(0, to: ["FL", "FR"], 1) { return rows }
    if outputs == ["FC"], inputs == ["FL", "FR"] { return [[0.5, 0.5]] }
    for (index, name) in inputs.enumerated() {
      if add(index, to: [name], 1) || name == "LFE" { continue }
      _ = fallbacks(name).contains { add(index, to: $0.names, $0.factor) }
    }
    return rows
  }

  private static func fallbacks(_ name: String) -> [(names: [String], factor: Double)] {
    switch name {
    case "FL", "FLC": [(["FL"], 1), (["FC"], minus3dB)]
    case "FR", "FRC": [(["FR"], 1), (["FC"], minus3dB)]
    case "FC": [(["FL", "FR"], minus3dB)]
    case "BL": [(["SL"], 1), (["FL"], minus3dB), (["FC"], 0.5)]
    case "BR": [(["SR"], 1), (["FR"], minus3dB), (["FC"], 0.5)]
    case "SL": [(["BL"], 1), (["FL"], minus3dB), (["FC"], 0.5)]
    case "SR": [(["BR"], 1), (["FR"], minus3dB), (["FC"], 0.5)]
    case "BC":
      [(["BL", "BR"], minus3dB), (["SL", "SR"], minus3dB), (["FL", "FR"], 0.5), (["FC"], 0.5)]
    default: [(["FL", "FR"], 0.5), (["FC"], 0.5)]
    }
  }
}
