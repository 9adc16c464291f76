/// The chunks of a WAV, RF64, BW64, AIFF or AIFF-C file.
package struct ChunkFile {
  /// One chunk of the file.
  package struct Chunk: Hashable, Sendable {
    package var id: FourCC
    /// The type of a list; the code of four spaces for others.
    package var list: FourCC
    /// What follows the header.
    package var content: Range<Int64>
    /// Whether a byte that fills it up to an even size follows.
    var isFilled = false

    /// The whole chunk with its header and what fills it up.
    var range: Range<Int64> { content.lowerBound - 8..<content.upperBound + (isFilled ? 1 : 0) }

    func has(_ key: ChunkKey) -> Bool { id.folded == key.id.folded && list == key.list }
  }

  let reader: any ByteReader
  /// `RIFF`, `RF64`, `BW64` or `FORM`.
  let form: FourCC
  /// The chunks in order.
  package private(set) var chunks: [Chunk] = []
  /// What follows the last chunk: junk, or a tag of ID3v1.
  private(set) var tail: Range<Int64>
  /// Why the file cannot be changed; `nil` if it can.
  private(set) var problem: String?
  /// Whether the file states more than it has.
  private var isCut = false

  var isBigEndian: Bool { form == "FORM" }
  /// Whether sizes beyond 32 bits stand in a chunk of their own.
  var is64Bit: Bool { form == "RF64" || form == "BW64" }
  /// Whether it is an AIFF file.
  package var isAIFF: Bool { isBigEndian }

  private static let maximumChunks = 10_000
  /// The largest chunk that is read whole.
  private static let maximumContent: Int64 = 256 << 20

  /// Finds the chunks.
  ///
  /// - Throws: ``MetadataError`` if the file is none, is damaged, or has too many.
  package init(_ reader: any ByteReader) throws(MetadataError) {
    self.reader = reader
    let head = try reader.read(at: 0, count: Int(min(reader.size, 12)))
    form = FourCC(head.u32(0) ?? 0)
    let type = FourCC(head.u32(8) ?? 0)
    let isWave = ["RIFF", "RF64", "BW64"].contains(form) && type == "WAVE"
    guard isWave || (form == "FORM" && (type == "AIFF" || type == "AIFC")) else {
      throw MetadataError(.unsupported, "'\(form)' files of the type '\(type)' are not read")
    }
    tail = reader.size..<reader.size
    let stated = Int64(Self.number(head, 4, form == "FORM"))
    var window = WindowedReader(reader)
    var wide = try Self.wideSizes(&window, form, reader.size)
    try find(stated: wide?.file ?? stated, &window, &wide)
  }

  /// The sizes in the chunk `ds64`.
  private struct WideSizes {
    var file: Int64
    var data: Int64
    var others: [(id: FourCC, size: Int64)]
  }

  private static func wideSizes(
    _ window: inout WindowedReader, _ form: FourCC, _ size: Int64
  ) throws(MetadataError) -> WideSizes? {
    guard form == "RF64" || form == "BW64" else { return nil }
    guard size >= 48, case let head = try window.read(at: 12, count: 36),
      head.starts(with: "ds64".utf8)
    else { throw MetadataError(.malformed, "the \(form) file does not begin with 'ds64'") }
    let length = Int64(number(head, 4, false))
    let count = Int64(number(head, 32, false))
    guard length >= 28 + count * 12, count <= maximumChunks, 20 + length <= size else {
      throw MetadataError(.malformed, "the chunk 'ds64' is too short for its table")
    }
    let table = try window.read(at: 48, count: Int(count) * 12)
    return WideSizes(
      file: wide(head, 8), data: wide(head, 16),
      others: (0..<Int(count)).map { (FourCC(table.u32($0 * 12) ?? 0), wide(table, $0 * 12 + 4)) })
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ isBigEndian: Bool) -> UInt32 {
    let value = bytes.u32(offset) ?? 0
    return isBigEndian ? value : value.byteSwapped
  }

  private static func wide(_ bytes: [UInt8], _ offset: Int) -> Int64 {
    Int64(clamping: bytes.number(at: offset, bytes: 8)?.byteSwapped ?? 0)
  }

  private mutating func find(
    stated: Int64, _ window: inout WindowedReader, _ wide: inout WideSizes?
  ) throws(MetadataError) {
    // A file that is still being written, or went through a pipe, states no size.
    let isOpen = stated == 0 || (stated == Int64(UInt32.max) && wide == nil)
    let isShort = !isOpen && stated < reader.size - 8
    let limit = isShort ? max(stated, 4) + 8 : reader.size
    if isOpen { problem = "it was never finished, and states no size" }
    isCut = isOpen || stated > reader.size - 8
    var position: Int64 = 12
    while limit - position >= 8 {
      let head = try window.read(at: position, count: Int(min(12, reader.size - position)))
      let id = FourCC(head.u32(0) ?? 0)
      guard id.isPrintable else {
        // Zeros fill a file up; behind anything else other programs may find more.
        if id.value != 0 { problem = problem ?? "at byte \(position) there is no chunk" }
        break
      }
      let size = try size(of: id, head, at: position, &wide)
      let isList = id == "LIST" && size >= 4 && head.count == 12
      var chunk = Chunk(
        id: id, list: isList ? FourCC(head.u32(8) ?? 0) : "    ",
        content: position + 8..<position + 8 + size)
      if size % 2 == 1 {
        chunk.isFilled = try isFilled(chunk.content.upperBound, limit, &window)
      }
      chunks.append(chunk)
      guard chunks.count <= Self.maximumChunks else {
        throw MetadataError(.limit, "there are more than \(Self.maximumChunks) chunks")
      }
      position = chunk.range.upperBound
    }
    tail = min(position, reader.size)..<reader.size
    if !chunks.contains(where: { $0.id == "data" || $0.id == "SSND" }) {
      problem = problem ?? "it has no sound"
    }
  }

  private mutating func size(
    of id: FourCC, _ head: [UInt8], at position: Int64, _ wide: inout WideSizes?
  ) throws(MetadataError) -> Int64 {
    let stated = Int64(Self.number(head, 4, isBigEndian))
    let rest = reader.size - position - 8
    var size = stated
    if stated == Int64(UInt32.max), let sizes = wide {
      let index = sizes.others.firstIndex { $0.id == id }
      size = id == "data" ? sizes.data : index.map { sizes.others[$0].size } ?? stated
      if let index { wide?.others.remove(at: index) }
    }
    // The sound of an unfinished file goes on to its end.
    if id == "data", problem != nil && (stated == 0 || stated == Int64(UInt32.max)) { return rest }
    if size <= rest { return size }
    if id == "data" || id == "SSND", isCut {
      problem = "its sound ends before the \(size) bytes that it states"
      return rest
    }
    throw MetadataError(.malformed, "the chunk '\(id)' is larger than the file")
  }

  /// Whether a byte fills an odd chunk up; some writers leave it out.
  private func isFilled(
    _ position: Int64, _ limit: Int64, _ window: inout WindowedReader
  ) throws(MetadataError) -> Bool {
    guard limit - position >= 8 else { return limit > position }
    let next = try window.read(at: position, count: 5)
    return !FourCC(next.u32(0) ?? 0).isPrintable || FourCC(next.u32(1) ?? 0).isPrintable
  }

  /// The contents of all chunks of a kind.
  package func contents(_ key: ChunkKey) throws(MetadataError) -> [[UInt8]] {
    var contents: [[UInt8]] = []
    for chunk in chunks where chunk.has(key) {
      let range = chunk.content.dropFirst(key.list == "    " ? 0 : 4)
      guard range.upperBound - range.lowerBound <= Self.maximumContent else {
        throw MetadataError(.limit, "the chunk '\(chunk.id)' has more than 256 MB")
      }
      contents.append(
        try reader.read(at: range.lowerBound, count: Int(range.upperBound - range.lowerBound)))
    }
    return contents
  }

  /// Where the first chunk of a kind has its content.
  package func place(of key: ChunkKey) -> Range<Int64>? { chunks.first { $0.has(key) }?.content }
}

/// What kind of chunk: an id, and the type of a list.
package struct ChunkKey: Hashable, Sendable {
  package var id: FourCC
  package var list: FourCC

  package init(_ id: FourCC, list: FourCC = "    ") { (self.id, self.list) = (id, list) }

  /// Whether it is a list of a kind.
  package var isList: Bool { list != "    " }

  package static let info = ChunkKey("LIST", list: "INFO")
  package static let labels = ChunkKey("LIST", list: "adtl")
  package static let cue = ChunkKey("cue ")
  package static let broadcast = ChunkKey("bext")
  package static let ixml = ChunkKey("iXML")
  package static let id3 = ChunkKey("ID3 ")
}

extension FourCC {
  /// The code for comparing: writers disagree about the case of `id3 `.
  var folded: FourCC { self == "id3 " ? "ID3 " : self }

  /// Whether all four are characters of ASCII that print.
  var isPrintable: Bool {
    [24, 16, 8, 0].allSatisfy { (0x20...0x7E).contains(UInt8(truncatingIfNeeded: value >> $0)) }
  }
}
