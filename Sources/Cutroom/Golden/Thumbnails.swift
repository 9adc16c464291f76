import CutroomMedia
import CutroomModel
import Foundation

/// Small pictures of a stream, evenly spaced: the reference that differences are measured against.
struct Thumbnails: Hashable, Sendable {
  static let width = 32
  static let height = 18
  /// Brightness at full size, colours at a quarter of it in each direction.
  static let formatName = "yuv410p"
  /// The most pictures kept.
  static let limit = 150
  /// The bytes of a picture.
  static let size = 32 * 18 + 2 * 8 * 5

  /// The pictures of the frames 0, `every`, 2 · `every`, ….
  var pictures: [[UInt8]] = []
  /// Frames from one picture to the next, a power of two.
  var every = 1

  /// Whether a picture of this frame is wanted.
  func wants(_ frame: Int) -> Bool { frame % every == 0 }

  /// Adds the picture of the next wanted frame; thins them out when they are too many.
  mutating func append(_ picture: [UInt8]) {
    pictures.append(picture)
    guard pictures.count > Self.limit else { return }
    pictures = stride(from: 0, to: pictures.count, by: 2).map { pictures[$0] }
    every *= 2
  }

  /// The picture of a frame, where it was kept.
  func picture(of frame: Int) -> [UInt8]? {
    let index = frame / every
    return frame % every == 0 && index < pictures.count ? pictures[index] : nil
  }
}

extension Thumbnails {
  /// How far a picture is from its reference.
  struct Distance: Hashable, Sendable {
    /// The frame.
    var frame: Int
    /// The peak signal-to-noise ratio in dB; infinite for equal pictures.
    var ratio: Double
    /// The largest difference of a cell, in 255 levels.
    var largest: Int

    /// Below this ratio in dB a picture differs.
    static let minimumRatio = 38.0
    /// Above this difference of one cell a picture differs.
    static let maximumLevel = 16

    /// Whether the pictures look alike.
    var isSmall: Bool { ratio >= Self.minimumRatio && largest <= Self.maximumLevel }
    /// For "the worst".
    func isWorse(than other: Distance) -> Bool {
      (isSmall ? 1 : 0, ratio) < (other.isSmall ? 1 : 0, other.ratio)
    }
  }

  /// The distances of the frames that both have, in order.
  func distances(from reference: Thumbnails) -> [Distance] {
    let step = max(every, reference.every)
    var result: [Distance] = []
    var frame = 0
    while let own = picture(of: frame), let other = reference.picture(of: frame) {
      result.append(Self.distance(frame, own, other))
      frame += step
    }
    return result
  }

  static func distance(_ frame: Int, _ own: [UInt8], _ other: [UInt8]) -> Distance {
    var squares = 0
    var largest = 0
    for (a, b) in zip(own, other) {
      let difference = abs(Int(a) - Int(b))
      squares += difference * difference
      largest = max(largest, difference)
    }
    let mean = Double(squares) / Double(max(1, own.count))
    let ratio = squares == 0 ? Double.infinity : 10 * log10(255 * 255 / mean)
    return Distance(frame: frame, ratio: ratio, largest: largest)
  }
}

extension Thumbnails {
  var members: [JSONValue.Member] {
    var previous: [UInt8]?
    let texts: [JSONValue] = pictures.map { picture in
      defer { previous = picture }
      return picture == previous ? "=" : .string(Data(picture).base64EncodedString())
    }
    return [
      .init("size", [.integer(Int64(Self.width)), .integer(Int64(Self.height))]),
      .init("format", .string(Self.formatName)), .init("every", .integer(Int64(every))),
      .init("minimumRatio", .decimal(Distance.minimumRatio)),
      .init("maximumLevel", .integer(Int64(Distance.maximumLevel))),
      .init("pictures", .array(texts)),
    ]
  }

  init(_ json: JSONValue, frames: Int, _ place: String) throws(GoldenFlaw) {
    guard try json.string("format", place) == Self.formatName,
      try json.list("size", place).map(\.whole) == [Int64(Self.width), Int64(Self.height)]
    else { throw GoldenFlaw("\(place) has pictures of another form") }
    every = try json.count("every", place)
    guard every >= 1 else { throw GoldenFlaw("'every' of \(place) is no distance") }
    for element in try json.list("pictures", place) {
      guard let text = element.text else { throw GoldenFlaw("\(place) has a picture that is none") }
      let picture = text == "=" ? pictures.last : Data(base64Encoded: text).map { Array($0) }
      guard let picture, picture.count == Self.size else {
        throw GoldenFlaw("\(place) has a picture that is none")
      }
      pictures.append(picture)
    }
    guard pictures.count == (frames + every - 1) / every else {
      throw GoldenFlaw("\(place) has \(pictures.count) pictures of \(frames) frames")
    }
  }
}

/// Makes small pictures of frames.
final class Thumbnailer {
  private var input: GraphDescription.VideoInput?
  private var graph: FilterGraph?
  private let target: (width: Int, height: Int, format: String, flags: String)
  private var count: Int64 = 0

  /// A maker of reference pictures.
  convenience init() {
    self.init(
      width: Thumbnails.width, height: Thumbnails.height, format: Thumbnails.formatName,
      flags: "area+accurate_rnd+full_chroma_int+bitexact")
  }

  /// A maker of pictures of a size and a pixel format.
  init(width: Int, height: Int, format: String, flags: String) {
    target = (width, height, format, flags)
  }

  func thumbnail(of frame: Frame) throws(LibAVError) -> Frame {
    guard let format = frame.format else {
      throw LibAVError(code: 0, action: "make a small picture", reason: "the frame has none")
    }
    let input = GraphDescription.VideoInput(
      width: frame.width, height: frame.height, format: format, timeBase: TimeBase(1, 1),
      colorTags: frame.colorTags)
    if graph == nil || input != self.input {
      graph = try FilterGraph(description(input))
      self.input = input
    }
    guard let graph else { return frame }
    defer { count += 1 }
    return try graph.picture(of: [frame], at: count, action: "make a small picture")
  }

  private func description(_ input: GraphDescription.VideoInput) -> GraphDescription {
    var graph = GraphDescription()
    graph.scalerFlags = target.flags
    var node = graph.input(input)
    func append(_ filter: String, _ options: [(String, String)]) {
      let next = graph.add(filter: filter, options: options)
      graph.link(node, 0, next, 0)
      node = next
    }
    func scale(_ width: Int, _ height: Int) {
      append(
        "scale", [("w", String(width)), ("h", String(height)), ("flags", target.flags)])
    }
    // One step of the scaler reaches over at most 256 samples.
    if max(input.width, input.height) > 4096 { scale(target.width * 8, target.height * 8) }
    scale(target.width, target.height)
    append("format", [("pix_fmts", target.format)])
    graph.output(node, 0)
    return graph
  }
}
