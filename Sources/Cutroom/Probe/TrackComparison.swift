import CutroomMedia
import CutroomModel

/// The fields of two tracks of a kind, and what follows where they differ.
struct TrackComparison {
  private(set) var fields: [CopyComparison.Field] = []
  private let kind: AssetTrack.Kind
  private let tracks: [AssetTrack]

  /// Compares two tracks of `kind`.
  init(_ kind: AssetTrack.Kind, _ first: AssetTrack, _ second: AssetTrack) {
    self.kind = kind
    tracks = [first, second]
    addSignature()
    if kind == .video { addPicture() } else { addSound() }
  }

  private mutating func add(
    _ field: String, _ values: [String], matters: Bool, _ consequence: String
  ) {
    let isSame = values[0] == values[1]
    fields.append(
      .init(
        kind: kind.rawValue, field: field, first: values[0], second: values[1],
        effect: isSame ? .same : matters ? .matters : .harmless,
        consequence: isSame ? "" : consequence))
  }

  /// A field that only says how the result comes to be.
  private mutating func add(
    _ field: String, _ value: (AssetTrack) -> String, _ consequence: String
  ) {
    add(field, tracks.map(value), matters: false, consequence)
  }

  /// What must agree, as planning compares it.
  private mutating func addSignature() {
    for (key, first, second) in Signature.fields(tracks[0].signature, tracks[1].signature) {
      let consequence = Self.consequences[key] ?? "players would take one for the other"
      add(key, [first, second], matters: true, consequence)
    }
  }

  /// What would become of packets that differ in a part of the signature.
  static let consequences = [
    "codec": "a stream has one codec; mode auto renders one of the files",
    "profile": "decoders that are set up for one profile may refuse the other",
    "level": "decoders that are set up for one level may refuse the other",
    "size": "a stream has one size; mode auto scales one of the files",
    "format": "a stream has one depth and one subsampling",
    "sar": "pictures of one file would be shown too wide or too narrow",
    "primaries": "colours of one file would be wrong",
    "transfer": "one file would be too bright or too dark",
    "matrix": "colours of one file would be wrong",
    "range": "one file would be too pale or too hard",
    "rotation": "a stream has one rotation: one file would lie on its side",
    "flipped": "one file would be mirrored",
    "spherical": "one file would be shown as a sphere, or as none",
    "stereo": "one file would be shown as two views, or as one",
    "parameters":
      "decoders get one set of parameters from the start; mode auto renders one of the files",
    "rate": "a stream has one sample rate",
    "layout": "a stream has one channel layout",
    "frame": "the samples in a packet would be counted wrong",
  ]

  private mutating func addPicture() {
    let rates = tracks.map { track in
      track.picture.map { picture in
        picture.isVariableFrameRate
          ? "variable" : picture.frameRate.map { FrameRate($0)?.text ?? "\($0)" } ?? "unknown"
      } ?? "unknown"
    }
    add(
      "frame rate", rates, matters: false,
      "mode auto renders the file whose rate is not the timeline's; passthrough copies both")
    let ticks = tracks.map { Rational.one / $0.timeBase }
    let common =
      ticks.allSatisfy(\.isInteger) ? leastCommonMultiple(ticks[0].floor, ticks[1].floor) : nil
    add(
      "timescale", Self.timescale,
      common.flatMap { $0 <= Int128(Int32.max) ? $0 : nil }.map {
        "the result counts in 1/\($0) s, which holds both"
      }
        ?? "the result counts so finely that it holds both")
    add(
      "reorder depth", { String($0.stream?.videoDelay ?? 0) },
      "the result decodes ahead by the greater of both")
    add(
      "field order", { $0.stream?.fieldOrder ?? "unknown" },
      "every picture says itself how its lines are ordered")
    add(
      "side data", { Self.sideData($0) },
      "the result says of all what the first file says of itself")
  }

  private static func timescale(_ track: AssetTrack) -> String {
    let ticks = Rational.one / track.timeBase
    return ticks.isInteger ? "\(ticks.floor)" : "\(ticks)"
  }

  /// What is said beside the coding, without what other fields say.
  private static func sideData(_ track: AssetTrack) -> String {
    let known: Set = ["Spherical Mapping", "Stereo 3D", "Display Matrix"]
    let types = track.stream?.sideDataTypes.filter { !known.contains($0) } ?? []
    return types.isEmpty ? "none" : types.sorted().joined(separator: ", ")
  }

  private mutating func addSound() {
    add(
      "priming", { "\($0.stream?.initialPadding ?? 0) samples" },
      "what a decoder needs to begin is kept before each file and not played")
    add(
      "timescale", Self.timescale, "the result counts in samples")
  }
}
