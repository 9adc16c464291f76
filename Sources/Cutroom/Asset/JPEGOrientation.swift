/// The orientation that a JPEG file's EXIF data states.
///
/// libavcodec 5.1 does not apply it, so it is read here, within the file's first 128 KiB.
enum JPEGOrientation {
  /// The EXIF orientation of the file at `path`, 1...8; `nil` where it states none.
  static func read(path: String) -> Int? {
    read(FilePart.read(path, count: 128 << 10))
  }

  /// The EXIF orientation in the first bytes of a JPEG file.
  static func read(_ bytes: [UInt8]) -> Int? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      if marker == 0xFF {
        position += 1
        continue
      }
      // Pictures start here; EXIF data stands before.
      if marker == 0xDA || marker == 0xD9 { return nil }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      guard length >= 2, position + 2 + length <= bytes.count else { return nil }
      let body = bytes[(position + 4)..<(position + 2 + length)]
      if marker == 0xE1, body.starts(with: Array("Exif\0\0".utf8)) {
        return orientation(inTIFF: Array(body.dropFirst(6)))
      }
      position += 2 + length
    }
    return nil
  }

  private static func orientation(inTIFF bytes: [UInt8]) -> Int? {
    let isLittle = bytes.starts(with: Array("II".utf8))
    guard isLittle || bytes.starts(with: Array("MM".utf8)) else { return nil }
    func number(_ position: Int, _ count: Int) -> Int? {
      guard position >= 0, position <= bytes.count - count else { return nil }
      let part = bytes[position..<(position + count)]
      return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard number(2, 2) == 42, let directory = number(4, 4), let count = number(directory, 2)
    else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = number(entry, 2) else { return nil }
      if tag == 0x0112 { return number(entry + 2, 2) == 3 ? number(entry + 8, 2) : nil }
    }
    return nil
  }
}
