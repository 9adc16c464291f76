import CutroomModel

/// What encoders are told beside size, rate and format.
enum EncoderOptions {
  /// Whether an encoder has a constant quality.
  static func hasConstantQuality(_ encoder: String) -> Bool {
    ["libx264", "libx264rgb", "libx265", "libvpx-vp9", "libvpx", "libsvtav1", "libaom-av1"]
      .contains(encoder)
  }

  /// Threads inside an encoder; for some encoders the bytes depend on their number, so that it is
  /// part of the plan and not of the machine.
  ///
  /// The encoder of VP8 has one: its threads wait for each other without sleeping, and several encoders
  /// at once then hardly get on.
  static func threads(_ codec: Codec) -> Int {
    switch codec.encoder {
    case "libx264", "libvpx-vp9", "libaom-av1": 2
    default: 1
    }
  }

  /// The encoder's own options: what keeps results equal everywhere, quality, then the author's.
  static func options(_ codec: Codec, _ wanted: VideoExport) -> [CodecOption] {
    var options = fixed(codec.encoder)
    func set(_ name: String, _ value: String) {
      options.removeAll { $0.name == name }
      options.append(CodecOption(name: name, value: value))
    }
    if hasConstantQuality(codec.encoder), wanted.bitrate == nil || wanted.crf != nil {
      let standard: Rational =
        if case .constant(let value) = codec.quality { Rational(value) } else { 10 }
      set("crf", JSONValue.decimal((wanted.crf ?? standard).doubleValue).encoded())
    }
    if let preset = wanted.preset { set("preset", preset) }
    for option in wanted.options {
      // Parameter lists of a library are joined, so that the author's do not replace ours.
      if option.name.hasSuffix("-params"),
        let own = options.first(where: { $0.name == option.name })
      {
        set(option.name, own.value + ":" + option.value)
      } else {
        set(option.name, option.value)
      }
    }
    return options
  }

  private static func fixed(_ encoder: String) -> [CodecOption] {
    switch encoder {
    case "libx264":
      [CodecOption(name: "x264-params", value: "cpu-independent=1:stitchable=1")]
    case "libx265":
      [
        CodecOption(
          name: "x265-params", value: "log-level=error:info=0:pools=2:frame-threads=1:wpp=1")
      ]
    case "libvpx-vp9":
      [
        CodecOption(name: "deadline", value: "good"), CodecOption(name: "cpu-used", value: "2"),
        CodecOption(name: "row-mt", value: "0"),
      ]
    case "libvpx": [CodecOption(name: "cpu-used", value: "2")]
    case "libsvtav1": [CodecOption(name: "preset", value: "8")]
    case "libaom-av1": [CodecOption(name: "cpu-used", value: "6")]
    case "prores_ks": [CodecOption(name: "vendor", value: "apl0")]
    case "ffv1":
      [
        CodecOption(name: "level", value: "3"), CodecOption(name: "slicecrc", value: "1"),
        CodecOption(name: "slices", value: "4"),
      ]
    default: []
    }
  }
}
