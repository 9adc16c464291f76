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

/// How much of each pixel is letter, 0 to 255.
struct TextCoverage {
  private let width: Int
  private let height: Int
  private var values: [UInt8]

  /// Lays the images over each other: where two meet, what each leaves open is multiplied.
  init(_ images: UnsafeMutablePointer<ASS_Image>?, _ bounds: TextBounds, padding: Int) {
    width = bounds.right - bounds.left + 2 * padding
    height = bounds.bottom - bounds.top + 2 * padding
    values = [UInt8](repeating: 0, count: width * height)
    var next = unsafe images
    while let image = unsafe next?.pointee {
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
      unsafe next = unsafe image.next
    }
  }

  /// The letters in their colour over the box, with straight alpha.
  func frame(
    color: (UInt8, UInt8, UInt8, UInt8), box: (UInt8, UInt8, UInt8, UInt8)?
  ) throws(LibAVError) -> Frame {
    let box = box ?? (color.0, color.1, color.2, 0)
    let frame = try Frame.solid(
      width: width, height: height, red: box.0, green: box.1, blue: box.2, alpha: box.3)
    let table = (0...255).map { Self.mix(color, box, coverage: $0) }
    guard let rows = frame.rows(ofPlane: 0) else { return frame }
    for row in 0..<height {
      let line = unsafe rows[row].assumingMemoryBound(to: UInt32.self)
      for column in 0..<width {
        unsafe line[column] = table[Int(values[row * width + column])].littleEndian
      }
    }
    return frame
  }

  /// The pixel for a coverage, red in the lowest byte.
  private static func mix(
    _ color: (UInt8, UInt8, UInt8, UInt8), _ box: (UInt8, UInt8, UInt8, UInt8), coverage: Int
  ) -> UInt32 {
    let front = coverage * Int(color.3)
    let back = Int(box.3) * (255 * 255 - front) / 255
    let sum = front + back
    func part(_ front: Int, _ a: UInt8, _ back: Int, _ b: UInt8) -> UInt32 {
      sum == 0 ? UInt32(b) : UInt32((front * Int(a) + back * Int(b) + sum / 2) / sum)
    }
    let alpha = UInt32(min(255, (sum + 127) / 255))
    return part(front, color.0, back, box.0) | part(front, color.1, back, box.1) << 8
      | part(front, color.2, back, box.2) << 16 | alpha << 24
  }
}
