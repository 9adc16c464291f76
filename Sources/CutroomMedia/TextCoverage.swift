import CLibAV

/// The part of the canvas that letters cover.
struct TextBounds {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  /// The smallest bounds of what is covered at all, or `nil` for nothing.
  init?(_ images: UnsafeMutablePointer<ASS_Image>?) {
    var bounds: TextBounds?
    var next = unsafe images
    while let image = unsafe next?.pointee {
      for row in 0..<Int(unsafe image.h) {
        for column in 0..<Int(unsafe image.w) {
          guard unsafe image.bitmap[row * Int(image.stride) + column] > 0 else { continue }
          let x = unsafe Int(image.dst_x) + column
          let y = unsafe Int(image.dst_y) + row
          bounds = bounds?.including(x, y) ?? TextBounds(x, y)
        }
      }
      unsafe next = unsafe image.next
    }
    guard let bounds else { return nil }
    self = bounds
  }

  private init(_ x: Int, _ y: Int) {
    (left, top, right, bottom) = (x, y, x + 1, y + 1)
  }

  private func including(_ x: Int, _ y: Int) -> TextBounds {
    var result = self
    result.left = min(left, x)
    result.top = min(top, y)
    result.right = max(right, x + 1)
    result.bottom = max(bottom, y + 1)
    return result
  }
}

/// How much of each pixel is letter, or the line around it, 0 to 255.
struct TextCoverage {
  private let width: Int
  private let height: Int
  private var values: [UInt8]

  /// Lays the images over each other: where two meet, what each leaves open is multiplied.
  ///
  /// Only those of letters, or only those of the lines around them.
  init(
    _ images: UnsafeMutablePointer<ASS_Image>?, _ bounds: TextBounds, padding: Int,
    areOutlines: Bool
  ) {
    width = bounds.right - bounds.left + 2 * padding
    height = bounds.bottom - bounds.top + 2 * padding
    values = [UInt8](repeating: 0, count: width * height)
    var next = unsafe images
    while let image = unsafe next?.pointee {
      unsafe next = unsafe image.next
      guard unsafe (image.type == IMAGE_TYPE_OUTLINE) == areOutlines else { continue }
      for row in 0..<Int(unsafe image.h) {
        for column in 0..<Int(unsafe image.w) {
          let value = unsafe Int(image.bitmap[row * Int(image.stride) + column])
          guard value > 0 else { continue }
          let x = unsafe Int(image.dst_x) + column - bounds.left + padding
          let y = unsafe Int(image.dst_y) + row - bounds.top + padding
          let open = (255 - Int(values[y * width + x])) * (255 - value)
          values[y * width + x] = UInt8(255 - (open + 127) / 255)
        }
      }
    }
  }

  /// The letters in their colour over the line around them, and over the box, with straight alpha.
  func frame(
    color: Color, box: Color?, outline: (coverage: TextCoverage, color: Color)? = nil
  ) throws(LibAVError) -> Frame {
    let edge = outline?.color ?? color
    let box = box ?? (edge.0, edge.1, edge.2, 0)
    let frame = try Frame.solid(
      width: width, height: height, red: box.0, green: box.1, blue: box.2, alpha: box.3)
    let table = (0...255).map { Self.mix(color, box, coverage: $0) }
    guard let rows = frame.rows(ofPlane: 0) else { return frame }
    for row in 0..<height {
      let line = unsafe rows[row].assumingMemoryBound(to: UInt32.self)
      for column in 0..<width {
        let own = Int(values[row * width + column])
        let around = Int(outline?.coverage.values[row * width + column] ?? 0)
        let pixel =
          around == 0
          ? table[own]
          : Self.blend(table[255], Self.mix(edge, box, coverage: around), share: own)
        unsafe line[column] = Self.packed(pixel).littleEndian
      }
    }
    return frame
  }

  /// Red, green, blue, and straight alpha.
  typealias Color = (UInt8, UInt8, UInt8, UInt8)

  private static func packed(_ color: Color) -> UInt32 {
    UInt32(color.0) | UInt32(color.1) << 8 | UInt32(color.2) << 16 | UInt32(color.3) << 24
  }

  /// One colour in the place of another one, in part: a line around letters does not show through
  /// them.
  private static func blend(_ color: Color, _ other: Color, share: Int) -> Color {
    let (front, back) = (share * Int(color.3), (255 - share) * Int(other.3))
    let sum = front + back
    func part(_ a: UInt8, _ b: UInt8) -> UInt8 {
      sum == 0 ? b : UInt8(clamping: (front * Int(a) + back * Int(b) + sum / 2) / sum)
    }
    return (
      part(color.0, other.0), part(color.1, other.1), part(color.2, other.2),
      UInt8(min(255, (sum + 127) / 255))
    )
  }

  /// One colour over another one, covering it in part.
  private static func mix(_ color: Color, _ below: Color, coverage: Int) -> Color {
    let front = coverage * Int(color.3)
    let back = Int(below.3) * (255 * 255 - front) / 255
    let sum = front + back
    func part(_ a: UInt8, _ b: UInt8) -> UInt8 {
      sum == 0
        ? b : UInt8(clamping: (front * Int(a) + back * Int(b) + sum / 2) / sum)
    }
    return (
      part(color.0, below.0), part(color.1, below.1), part(color.2, below.2),
      UInt8(min(255, (sum + 127) / 255))
    )
  }
}
