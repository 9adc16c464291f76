import CutroomMedia
import CutroomModel

/// A picture in memory that is drawn on, opaque or with straight alpha.
struct Raster: Hashable, Sendable {
  let width: Int
  let height: Int
  /// Red, green, blue and alpha of each pixel, row after row.
  private(set) var bytes: [UInt8]

  /// A picture of one colour.
  init(width: Int, height: Int, color: Color) {
    self.width = width
    self.height = height
    let pixel = [color.red, color.green, color.blue, color.alpha]
    bytes = [UInt8](repeating: 0, count: width * height * 4)
    for index in bytes.indices { bytes[index] = pixel[index & 3] }
  }

  /// The pixels of a frame in "rgba".
  init(_ frame: Frame) {
    width = frame.width
    height = frame.height
    let packed = frame.packedBytes()
    bytes = packed.count == frame.width * frame.height * 4 ? packed : []
    if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: width * height * 4) }
  }

  /// The pixels as a frame in "rgba".
  func frame() throws(LibAVError) -> Frame {
    guard let format = PixelFormat(name: "rgba") else {
      throw LibAVError(code: 0, action: "make a picture", reason: "libav does not know rgba")
    }
    return try Frame.video(width: width, height: height, format: format, packedBytes: bytes)
  }

  /// The bytes of a PNG file without alpha.
  func png() throws(CutroomError) -> [UInt8] {
    do {
      let size = PixelSize(width: width, height: height)
      let picture = try DisplayedPicture.convert(
        try frame(), PictureGeometry(displaySize: size), size: size, format: "rgb24")
      return try StillFormat.png.encoded(picture)
    } catch let error as CutroomError {
      throw error
    } catch {
      throw CutroomError(.internal, "draw.encode", "the picture cannot be encoded: \(error)")
    }
  }

  /// Mixes a colour into a pixel; outside the picture nothing happens.
  mutating func blend(_ x: Int, _ y: Int, _ color: Color, coverage: Double = 1) {
    guard x >= 0, y >= 0, x < width, y < height, coverage > 0 else { return }
    let weight = Int((min(coverage, 1) * Double(color.alpha)).rounded())
    let place = (y * width + x) * 4
    func mixed(_ old: UInt8, _ new: UInt8) -> UInt8 {
      UInt8((Int(new) * weight + Int(old) * (255 - weight) + 127) / 255)
    }
    bytes[place] = mixed(bytes[place], color.red)
    bytes[place + 1] = mixed(bytes[place + 1], color.green)
    bytes[place + 2] = mixed(bytes[place + 2], color.blue)
    bytes[place + 3] = mixed(bytes[place + 3], 255)
  }

  /// Lays another picture over this one by its alpha.
  mutating func draw(_ other: Raster, x: Int, y: Int) {
    for row in 0..<other.height {
      for column in 0..<other.width {
        let place = (row * other.width + column) * 4
        let color = Color(
          red: other.bytes[place], green: other.bytes[place + 1], blue: other.bytes[place + 2],
          alpha: other.bytes[place + 3])
        if color.alpha > 0 { blend(x + column, y + row, color) }
      }
    }
  }

  /// Fills a rectangle with whole pixels.
  mutating func fill(x: Range<Int>, y: Range<Int>, _ color: Color) {
    let columns = x.clamped(to: 0..<width)
    for row in y.clamped(to: 0..<height) {
      for column in columns { blend(column, row, color) }
    }
  }

  /// This picture over a background, without alpha.
  func flattened(on color: Color) -> Raster {
    var result = Raster(width: width, height: height, color: color)
    result.draw(self, x: 0, y: 0)
    return result
  }
}
