/// The boxes of an MP4, M4A or QuickTime file; of the content only `moov` is in memory.
package struct MP4File {
  /// A box at the top level of the file.
  struct TopBox: Hashable {
    var type: FourCC
    var start: Int64
    var end: Int64
    var header: Int
  }

  let reader: any ByteReader
  let boxes: [TopBox]
  /// Where the last box ends; junk may follow.
  let boxesEnd: Int64
  let moovIndex: Int
  /// The bytes of `moov` and its tree, whose offsets count from the start of `moov`.
  let moov: [UInt8]
  let root: Box
  /// The major brand, `qt  ` where there is no `ftyp`.
  package let brand: String

  static let maximumMoov: Int64 = 512 << 20

  /// Reads the boxes.
  ///
  /// - Throws: ``MetadataError`` if there is no `moov`, if it is damaged, or beyond the limits.
  package init(_ reader: any ByteReader) throws(MetadataError) {
    self.reader = reader
    (boxes, boxesEnd) = try Self.topBoxes(reader)
    guard let index = boxes.firstIndex(where: { $0.type == "moov" }) else {
      throw MetadataError(.malformed, "the file has no complete 'moov' box")
    }
    moovIndex = index
    let box = boxes[index]
    guard box.end - box.start <= Self.maximumMoov else {
      throw MetadataError(.limit, "'moov' is larger than \(Self.maximumMoov) bytes")
    }
    moov = try reader.read(at: box.start, count: Int(box.end - box.start))
    var parser = BoxParser(moov, budget: BoxParser.maximumBoxes - boxes.count)
    root = try parser.root()
    if root.child("cmov") != nil {
      throw MetadataError(.unsupported, "the movie header is compressed ('cmov')")
    }
    brand = try Self.brand(reader, boxes)
  }

  private static func brand(
    _ reader: any ByteReader, _ boxes: [TopBox]
  ) throws(MetadataError) -> String {
    guard let type = boxes.first(where: { $0.type == "ftyp" }),
      type.end - type.start >= Int64(type.header) + 4
    else { return "qt  " }
    let code = try reader.read(at: type.start + Int64(type.header), count: 4)
    return FourCC(code.u32(0) ?? 0).text
  }

  private static func topBoxes(
    _ reader: any ByteReader
  ) throws(MetadataError) -> (boxes: [TopBox], end: Int64) {
    var boxes: [TopBox] = []
    var window = WindowedReader(reader)
    var position: Int64 = 0
    let size = reader.size
    while position + 8 <= size {
      let head = try window.read(at: position, count: Int(min(16, size - position)))
      guard let short = head.u32(0), let type = head.u32(4) else { break }
      var box = TopBox(type: FourCC(type), start: position, end: size, header: 8)
      if short == 1 {
        guard let large = head.number(at: 8, bytes: 8), large >= 16 else { break }
        box.header = 16
        box.end = large > UInt64(size - position) ? .max : position + Int64(large)
      } else if short != 0 {
        guard short >= 8 else { break }
        box.end = position + Int64(short)
      }
      if box.end > size {
        // A cut file: what is left of the samples stays as it is; anything else is no box.
        guard box.type == "mdat" else { break }
        box.end = size
      }
      boxes.append(box)
      guard boxes.count <= BoxParser.maximumBoxes else {
        throw MetadataError(.limit, "there are more than \(BoxParser.maximumBoxes) boxes")
      }
      position = box.end
    }
    return (boxes, position)
  }

  /// The boxes of the movie's user data; the first is written to.
  var userData: [Box] { root.children.filter { $0.type == "udta" } }

  /// A `meta` box of the movie with the boxes that it lies in.
  struct MetaPlace {
    var meta: Box
    var parents: [Box]
    var handler: FourCC?

    /// The boxes that what is inside lies in.
    var ancestors: [Box] { parents + [meta] }
  }

  /// The `meta` boxes of the movie, then those of its user data.
  var metas: [MetaPlace] {
    let parents = [[root]] + userData.map { [root, $0] }
    return parents.flatMap { parents in
      (parents.last?.children ?? []).filter { $0.type == "meta" }.map { meta in
        MetaPlace(meta: meta, parents: parents, handler: handlerType(meta.child("hdlr")))
      }
    }
  }

  /// The type that a `hdlr` box states, such as `mdta` or `vide`.
  func handlerType(_ box: Box?) -> FourCC? {
    guard let box, box.content.count >= 12 else { return nil }
    return moov.u32(box.content.lowerBound + 8).map { FourCC($0) }
  }

  /// Whether samples lie in movie fragments.
  var isFragmented: Bool {
    root.child("mvex") != nil || boxes.contains { $0.type == "moof" }
  }
}
