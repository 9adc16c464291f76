import CLibAV

/// The picture that libass's images make, each in its own colour.
enum SubtitlePixels {
  /// Transparent pixels so near to drawn ones have their colour, for scaling and subsampling.
  private static let margin = 2

  /// Lays images over one another on a transparent canvas, in "rgba" with straight alpha.
  static func frame(
    _ images: UnsafeMutablePointer<ASS_Image>?, width: Int, height: Int, colors: ScriptColors?
  ) throws(LibAVError) -> Frame {
    let frame = try Frame.solid(
      width: width, height: height, red: 0, green: 0, blue: 0, alpha: 0)
    guard let rows = frame.rows(ofPlane: 0) else { return frame }
    var isColored = [Bool](repeating: false, count: width * height)
    var next = unsafe images
    while let image = unsafe next?.pointee {
      unsafe next = unsafe image.next
      var color = unsafe Color(image.color)
      if let colors {
        (color.red, color.green, color.blue) = colors.corrected(color.red, color.green, color.blue)
      }
      guard color.alpha > 0, unsafe image.w > 0, unsafe image.h > 0 else { continue }
      let (left, top) = unsafe (Int(image.dst_x), Int(image.dst_y))
      let (right, bottom) = unsafe (left + Int(image.w), top + Int(image.h))
      for y in max(0, top - margin)..<max(0, min(height, bottom + margin)) {
        let line = unsafe rows[y].assumingMemoryBound(to: UInt32.self)
        for x in max(0, left - margin)..<max(0, min(width, right + margin))
        where !isColored[y * width + x] {
          isColored[y * width + x] = true
          unsafe line[x] = color.packed(alpha: 0).littleEndian
        }
      }
      for y in max(0, top)..<max(0, min(height, bottom)) {
        let line = unsafe rows[y].assumingMemoryBound(to: UInt32.self)
        let covered = unsafe image.bitmap + (y - top) * Int(image.stride)
        for x in max(0, left)..<max(0, min(width, right)) {
          let cover = unsafe Int(covered[x - left])
          if cover > 0 {
            unsafe line[x] =
              color.over(UInt32(littleEndian: line[x]), cover: cover).littleEndian
          }
        }
      }
    }
    return frame
  }

  /// A colour of an image.
  private struct Color {
    var red: Int
    var green: Int
    var blue: Int
    let alpha: Int

    /// From red, green, blue and transparency, the highest byte first.
    init(_ value: UInt32) {
      red = Int(value >> 24)
      green = Int(value >> 16 & 255)
      blue = Int(value >> 8 & 255)
      alpha = 255 - Int(value & 255)
    }

    func packed(alpha: Int) -> UInt32 {
      UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
    }

    /// The colour over a pixel, covering it in part, with straight alpha.
    func over(_ pixel: UInt32, cover: Int) -> UInt32 {
      let front = cover * alpha
      let back = Int(pixel >> 24) * (255 * 255 - front) / 255
      let sum = front + back
      guard back > 0 else { return packed(alpha: (front + 127) / 255) }
      func part(_ own: Int, _ below: UInt32) -> UInt32 {
        UInt32((front * own + back * Int(below & 255) + sum / 2) / sum)
      }
      let alpha = UInt32(min(255, (sum + 127) / 255))
      return part(red, pixel) | part(green, pixel >> 8) << 8 | part(blue, pixel >> 16) << 16
        | alpha << 24
    }
  }
}
