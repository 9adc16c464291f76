/// A small movie with every box that holds tags, chapters or offsets, to be damaged.
enum Movie {
  /// With movie fragments.
  static let fragmented = file(isFragmented: true)
  /// Without.
  static let plain = file(isFragmented: false)

  /// What an input of a fuzzer stands for: with an even first byte what follows are the bytes of a
  /// file, with an odd one it says where to damage a whole one.
  static func bytes(_ input: [UInt8], _ mode: UInt8) -> [UInt8] {
    mode % 2 == 0
      ? Array(input.dropFirst())
      : damaged(mode & 0x40 == 0 ? fragmented : plain, input.dropFirst())
  }
}

private func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
  let content = parts.flatMap { $0 }
  let code = Array(type.unicodeScalars.map { UInt8($0.value) })
  return number(content.count + 8, 4) + code + content
}

private func number(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

private func file(isFragmented: Bool) -> [UInt8] {
  let zero = number(0, 4)
  let offsets = zero + number(2, 4)
  let samples = box(
    "stbl", box("stco", offsets, number(3000, 4), number(3004, 4)),
    box("co64", offsets, number(3000, 8), number(3004, 8)),
    box("saio", zero, number(1, 4), number(3000, 4)))
  let references = box("dinf", box("dref", zero, number(1, 4), box("url ", number(1, 4))))
  let head = box("tkhd", zero, zero, zero, number(1, 4), [UInt8](repeating: 0, count: 68))
  let handler = box("hdlr", zero, zero, Array("soun".utf8), [UInt8](repeating: 0, count: 13))
  let length = box("mdhd", zero, zero, zero, number(1000, 4), number(5000, 4), zero)
  let track = box(
    "trak", head, box("tref", box("chap", number(2, 4))),
    box("mdia", length, handler, box("minf", references, samples)))
  let movieHead = box(
    "mvhd", zero, zero, zero, number(1000, 4), number(5000, 4), [UInt8](repeating: 0, count: 76),
    number(3, 4))
  let data = box("data", number(1, 4), zero, Array("old".utf8))
  let free = box("----", box("mean", zero, Array("a".utf8)), box("name", zero, [98]), data)
  let items = box("ilst", box("\u{A9}nam", data), box("trkn", data), free)
  let itunes = box(
    "meta", zero, box("hdlr", zero, zero, Array("mdir".utf8), [UInt8](repeating: 0, count: 13)),
    items, box("free", zero))
  let texts = box(
    "stbl", box("stsd", zero, number(1, 4), box("text", zero, number(1, 4))),
    box("stts", zero, number(1, 4), number(1, 4), number(5000, 4)),
    box("stsc", zero, number(1, 4), number(1, 4), number(1, 4), number(1, 4)),
    box("stsz", zero, zero, number(1, 4), number(3, 4)),
    box("stco", zero, number(1, 4), number(16, 4)))
  let chapterTrack = box(
    "trak", box("tkhd", zero, zero, zero, number(2, 4), [UInt8](repeating: 0, count: 68)),
    box("mdia", length, box("minf", texts)))
  let keys = box("keys", zero, number(1, 4), box("mdta", Array("k".utf8)))
  let quickTime = box(
    "meta", box("hdlr", zero, zero, Array("mdta".utf8), [UInt8](repeating: 0, count: 13)), keys,
    box("ilst", number(data.count + 8, 4) + number(1, 4) + data))
  let place = box(
    "iloc", [1, 0, 0, 0, 0x44, 0], number(1, 2), number(1, 2), number(0, 2),
    number(0, 2), number(1, 2), number(3000, 4), number(4, 4))
  let user = box(
    "udta", box("\u{A9}alb", number(1, 2), number(0, 2), [65]),
    box("chpl", [1, 0, 0, 0], zero, [1], number(0, 8), [1, 65]), itunes, zero)
  let fragment = box("tfhd", number(1, 4), number(1, 4), number(3000, 8))
  let index = box(
    "tfra", number(1 << 24, 4), number(1, 4), zero, number(1, 4), number(0, 8),
    number(3000, 8), [1, 1, 1])
  let fragments =
    isFragmented ? (box("moof", box("traf", fragment)), box("mfra", index)) : ([], [])
  return box("ftyp", Array("M4A ".utf8), zero)
    + box("moov", movieHead, track, chapterTrack, quickTime, user)
    + box("free", [UInt8](repeating: 0, count: 600)) + box("meta", zero, place) + fragments.0
    + box("mdat", zero, zero) + fragments.1
}
