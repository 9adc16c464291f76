import CutroomMedia
import CutroomModel

/// The delay of a track of sound in Matroska: what decoders give before time 0, and drop.
///
/// libavformat 5.1 tells it for Opus only. For other codecs the title of the track holds room, which
/// is filled with the delay when the file is written.
struct MatroskaDelay: Hashable {
  /// Nanoseconds.
  let nanoseconds: UInt64
  /// Bytes of the room in front of the title.
  private static let room = 16

  /// The delay of that many samples.
  init(_ samples: Int64, rate: Int64) {
    let exact = Int128(max(0, samples)) * 1_000_000_000 * 2 + Int128(rate)
    nanoseconds = UInt64(clamping: exact / (2 * Int128(max(1, rate))))
  }

  /// A stream's metadata, with room in the title.
  func placeholder(_ metadata: [(String, String)]) -> [(String, String)] {
    let title = metadata.first { $0.0 == "title" }?.1 ?? ""
    return metadata.filter { $0.0 != "title" }
      + [("title", String(repeating: "-", count: Self.room) + title)]
  }

  /// The elements that take the place of a title with room: the delay, the title, and nothing.
  ///
  /// `nil` where they do not fit.
  private func elements(for title: ArraySlice<UInt8>, length: Int) -> [UInt8]? {
    var result: [UInt8] = [0x56, 0xAA, 0x88]
    result += (0..<8).map { UInt8(truncatingIfNeeded: nanoseconds >> (56 - 8 * $0)) }
    let own = title.dropFirst(Self.room)
    if !own.isEmpty { result += [0x53, 0x6E] + EBML.size(own.count) + own }
    let rest = length - result.count
    guard rest != 1, rest >= 0, rest < 100 else { return nil }
    if rest > 0 {
      result += [0xEC, 0x80 | UInt8(rest - 2)] + [UInt8](repeating: 0, count: rest - 2)
    }
    return result
  }

  // MARK: Writing

  /// Tells the delays of tracks, by their place among all, in a finished file.
  ///
  /// The file's own length, which libavformat takes from times that the delays are part of, becomes
  /// `milliseconds`.
  ///
  /// - Throws: ``LibAVError`` where the file is not as libavformat writes it.
  static func write(
    _ delays: [Int: MatroskaDelay], milliseconds: Rational, to path: String
  ) throws(LibAVError) {
    let file = try TagFileAccess(path: path, forWriting: true)
    let reader = EBMLReader(file: file, end: try file.size())
    try reader.change(0x1549_A966) { info throws(LibAVError) in
      let elements = EBML.elements(of: info, 0..<info.count)
      guard let length = elements.first(where: { $0.id == 0x4489 }), length.content.count == 8
      else { throw EBML.damage(path) }
      let bits = milliseconds.doubleValue.bitPattern
      info.replaceSubrange(
        length.content, with: (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
    }
    try reader.change(0x1654_AE6B) { tracks throws(LibAVError) in
      var index = 0
      for entry in EBML.elements(of: tracks, 0..<tracks.count) where entry.id == 0xAE {
        defer { index += 1 }
        guard let delay = delays[index] else { continue }
        let titles = EBML.elements(of: tracks, entry.content).filter { $0.id == 0x536E }
        guard let title = titles.first,
          let bytes = delay.elements(for: tracks[title.content], length: title.whole.count)
        else { throw EBML.damage(path) }
        tracks.replaceSubrange(title.whole, with: bytes)
      }
    }
  }
}

/// Finds and changes elements of a Matroska file that lie before its packets.
private struct EBMLReader {
  let file: TagFileAccess
  let end: Int64

  /// Changes the content of an element of the segment, whose length stays, and its checksum.
  func change(
    _ id: UInt32, _ body: (inout [UInt8]) throws(LibAVError) -> Void
  ) throws(LibAVError) {
    let (place, count) = try find(id)
    var content = try file.read(at: place, count: count)
    try body(&content)
    guard content.count == count else { throw EBML.damage(file.path) }
    if let first = EBML.elements(of: content, 0..<count).first, first.id == 0xBF,
      first.content.count == 4
    {
      let sum = Checksum.iso3309(content[first.whole.upperBound...])
      content.replaceSubrange(
        first.content, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
    }
    try file.write(content, at: place)
  }

  /// Where the content of an element of the segment lies, and its bytes.
  private func find(_ wanted: UInt32) throws(LibAVError) -> (place: Int64, count: Int) {
    var place: Int64 = 0
    for _ in 0..<1000 {
      let head = try file.read(at: place, count: Int(min(12, end - place)))
      guard let (id, size, length) = EBML.head(head[...]) else { break }
      // The segment's content is looked into.
      if id == 0x1853_8067 {
        place += Int64(length)
        continue
      }
      guard size >= 0, size <= end - place - Int64(length) else { break }
      if id == wanted {
        guard size < 1 << 28 else { break }
        return (place + Int64(length), Int(size))
      }
      place += Int64(length) + size
      guard place < end else { break }
    }
    throw EBML.damage(file.path)
  }
}

/// The notation of Matroska.
private enum EBML {
  /// An element within a run of bytes.
  struct Element {
    var id: UInt32
    var whole: Range<Int>
    var content: Range<Int>
  }

  static func damage(_ path: String) -> LibAVError {
    LibAVError(code: 0, action: "write '\(path)'", reason: "its tracks are not as expected")
  }

  /// The id, the size of the content and the length of an element's head.
  static func head(_ bytes: ArraySlice<UInt8>) -> (id: UInt32, size: Int64, length: Int)? {
    guard let first = bytes.first, first > 0x0F else { return nil }
    let idLength = first.leadingZeroBitCount + 1
    guard bytes.count > idLength else { return nil }
    let id = bytes.prefix(idLength).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let rest = bytes.dropFirst(idLength)
    guard let mark = rest.first, mark > 0 else { return nil }
    let sizeLength = mark.leadingZeroBitCount + 1
    guard rest.count >= sizeLength else { return nil }
    let size = rest.prefix(sizeLength).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return (id, size & ((1 << Int64(7 * sizeLength)) - 1), idLength + sizeLength)
  }

  /// The elements in a range; what does not fit ends them.
  static func elements(of bytes: [UInt8], _ range: Range<Int>) -> [Element] {
    var result: [Element] = []
    var place = range.lowerBound
    while place < range.upperBound, let (id, size, length) = head(bytes[place..<range.upperBound]),
      size <= Int64(range.upperBound - place - length)
    {
      let content = (place + length)..<(place + length + Int(size))
      result.append(Element(id: id, whole: place..<content.upperBound, content: content))
      place = content.upperBound
    }
    return result
  }

  /// The shortest notation of a size below 2^28.
  static func size(_ count: Int) -> [UInt8] {
    let length = count < 127 ? 1 : count < 16383 ? 2 : 4
    let value = count | 1 << (7 * length)
    return (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * (length - 1 - $0))) }
  }
}
