import CutroomMedia

extension ChannelLayout {
  /// The number of channels of a layout that was checked before.
  static func channels(of layout: String) -> Int { channelCount(layout) ?? 1 }
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
  static func matrix(from source: String, to target: String) -> [[Double]]? {
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
