extension ChunkFile {
  /// Plans to give chunks new contents.
  ///
  /// New contents stand where the old ones stood; what is new comes last. Every other chunk, and
  /// what follows the last one, stays byte for byte; only an odd chunk is filled up where its
  /// writer forgot that.
  ///
  /// - Parameter contents: All contents of a kind of chunk; none removes it.
  /// - Returns: What to write.
  /// - Throws: ``MetadataError`` for a file that cannot be changed safely, or grows too large.
  package func plan(
    replacing contents: [ChunkKey: [[UInt8]]]
  ) throws(MetadataError) -> MP4EditPlan {
    if let problem { throw MetadataError(.unsupported, "the file cannot be changed: \(problem)") }
    var layout = Layout(start: 12)
    var rest = contents
    var isChanged = false
    for chunk in chunks {
      let key = contents.keys.first { chunk.has($0) }
      guard let key else {
        layout.copy(chunk.range)
        continue
      }
      guard let next = rest[key]?.first else {
        isChanged = true
        continue
      }
      rest[key]?.removeFirst()
      let old = try reader.read(at: chunk.range.lowerBound, count: chunk.range.count)
      let new = bytes(of: key, next, like: chunk.id)
      isChanged = isChanged || old != new
      if old == new { layout.copy(chunk.range) } else { layout.append(new) }
    }
    for (key, list) in rest.sorted(by: { $0.key.order < $1.key.order }) {
      for content in list {
        isChanged = true
        layout.append(bytes(of: key, content, like: isAIFF ? key.id : key.id.lowered))
      }
    }
    guard isChanged else { return .unchanged }
    layout.fill()
    let size = layout.position - 8
    guard is64Bit || size <= Int64(UInt32.max) - 1 else {
      throw MetadataError(.limit, "the file would have more than 4 GB, which '\(form)' cannot say")
    }
    layout.copy(tail, isFilled: false)
    return try plan(layout, size: size)
  }

  private func bytes(of key: ChunkKey, _ content: [UInt8], like id: FourCC) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(id.value, bytes: 4)
    let isList = key.list != "    "
    let size = UInt32(clamping: content.count + (isList ? 4 : 0))
    bytes.append(isBigEndian ? size : size.byteSwapped, bytes: 4)
    if isList { bytes.append(key.list.value, bytes: 4) }
    return bytes + content
  }

  /// The sizes at the front, as patches of what is there.
  private func headers(size: Int64) -> [MP4EditPlan.Patch] {
    var bytes: [UInt8] = []
    guard is64Bit else {
      let stated = UInt32(clamping: size)
      bytes.append(isBigEndian ? stated : stated.byteSwapped, bytes: 4)
      return [MP4EditPlan.Patch(offset: 4, bytes: bytes)]
    }
    bytes.append(size.byteSwapped, bytes: 8)
    return [MP4EditPlan.Patch(offset: 20, bytes: bytes)]
  }

  /// What of the end of a file is held in memory.
  private static let maximumEnd: Int64 = 16 << 20

  private func plan(_ layout: Layout, size: Int64) throws(MetadataError) -> MP4EditPlan {
    var patches = headers(size: size)
    let moved = layout.pieces.drop { piece in
      if case .copy(let range, let position) = piece { return range.lowerBound == position }
      return false
    }
    let end = moved.first?.position ?? layout.position
    let isShort = layout.position - end <= Self.maximumEnd
    let sound = chunks.first { $0.id == "data" || $0.id == "SSND" }?.range.upperBound ?? 12
    if isShort, end >= sound {
      var bytes: [UInt8] = []
      for piece in moved { bytes += try piece.bytes(reader) }
      if !bytes.isEmpty { patches.append(MP4EditPlan.Patch(offset: end, bytes: bytes)) }
      return .inPlace(patches, size: layout.position)
    }
    var pieces: [MP4EditPlan.Piece] = []
    var position: Int64 = 0
    for patch in patches {
      pieces += [.copy(position..<patch.offset), .bytes(patch.bytes)]
      position = patch.offset + Int64(patch.bytes.count)
    }
    // The first chunk of a 64-bit file holds its sizes, and is never replaced.
    let front = is64Bit ? chunks.first?.range ?? 12..<12 : 12..<12
    pieces.append(.copy(position..<front.upperBound))
    for piece in layout.pieces {
      switch piece {
      case .copy(let range, _) where range.lowerBound == front.lowerBound && is64Bit:
        if range.upperBound > front.upperBound {
          pieces.append(.copy(front.upperBound..<range.upperBound))
        }
      case .copy(let range, _): pieces.append(.copy(range))
      case .bytes(let bytes, _): pieces.append(.bytes(bytes))
      }
    }
    return .rewritten(pieces)
  }
}

/// The new file from its first chunk on.
private struct Layout {
  enum Piece {
    case copy(Range<Int64>, to: Int64)
    case bytes([UInt8], to: Int64)

    var position: Int64 {
      switch self {
      case .copy(_, let position), .bytes(_, let position): position
      }
    }

    func bytes(_ reader: any ByteReader) throws(MetadataError) -> [UInt8] {
      switch self {
      case .copy(let range, _): try reader.read(at: range.lowerBound, count: range.count)
      case .bytes(let bytes, _): bytes
      }
    }
  }

  private(set) var pieces: [Piece] = []
  /// Where the next piece goes.
  private(set) var position: Int64

  init(start: Int64) { position = start }

  /// Puts the byte that fills up an odd chunk.
  mutating func fill() {
    guard position % 2 == 1 else { return }
    pieces.append(.bytes([0], to: position))
    position += 1
  }

  mutating func append(_ bytes: [UInt8]) {
    fill()
    pieces.append(.bytes(bytes, to: position))
    position += Int64(bytes.count)
  }

  mutating func copy(_ range: Range<Int64>, isFilled: Bool = true) {
    if isFilled { fill() }
    guard !range.isEmpty else { return }
    pieces.append(.copy(range, to: position))
    position += Int64(range.count)
  }
}

extension ChunkKey {
  /// New chunks stand in the order of their names.
  fileprivate var order: UInt64 { UInt64(id.value) << 32 | UInt64(list.value) }
}

extension FourCC {
  /// How WAV files spell the chunk of ID3.
  fileprivate var lowered: FourCC { self == "ID3 " ? "id3 " : self }
}
