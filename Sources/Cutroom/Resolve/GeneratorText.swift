import CutroomModel

/// The parts of a generator's text that a timeline needs: `name=option=value:option=value`.
struct GeneratorText {
  /// The name of the filter that makes the pictures or the sound.
  var name: String
  /// The named options of that filter, as written.
  var options: [String: String] = [:]

  /// Splits `text` as far as its first filter goes.
  init(_ text: String) {
    let first = text.prefix { $0 != "," && $0 != ";" && $0 != "[" }
    let parts = first.split(separator: "=", maxSplits: 1)
    name = parts.first.map { $0.trimmingPrefix { $0 == " " } }.map { String($0) } ?? ""
    if let at = name.firstIndex(of: "@") { name = String(name[..<at]) }
    guard parts.count == 2 else { return }
    for option in parts[1].split(separator: ":") {
      let pair = option.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { options[String(pair[0])] = String(pair[1]) }
    }
  }

  /// The picture size that its options state.
  var size: PixelSize? {
    guard let text = options["size"] ?? options["s"] else { return nil }
    let parts = text.split(separator: "x").compactMap { Int($0) }
    guard parts.count == 2, parts.allSatisfy({ (1...65536).contains($0) }) else { return nil }
    return PixelSize(width: parts[0], height: parts[1])
  }

  /// The rate that its options state.
  var frameRate: FrameRate? {
    guard let text = options["rate"] ?? options["r"] else { return nil }
    let parts = text.split(separator: "/").compactMap { Int64($0) }
    return switch parts.count {
    case 1 where !text.contains("."): FrameRate(Rational(parts[0]))
    case 2: FrameRate(Rational(parts[0], parts[1]))
    default: nil
    }
  }

  /// The sample rate that its options state.
  var sampleRate: Int? {
    (options["sample_rate"] ?? options["r"]).flatMap { Int($0) }
  }

  /// The channel layout that its options state.
  var channelLayout: String? { options["channel_layout"] ?? options["cl"] }
}
