/// A box inside a buffer, with the children that the editor looks into.
struct Box: Hashable, Sendable {
  var type: FourCC
  var start: Int
  var end: Int
  /// Size and type, 8 or 16 bytes.
  var header: Int
  /// Whether the size field says 0, "to the end".
  var extendsToEnd = false
  /// Where the children begin; the version of a full `meta` comes before them.
  var childrenStart: Int
  /// Where the last child ends: a terminator or junk may follow.
  var childrenEnd: Int
  var children: [Box] = []

  var content: Range<Int> { start + header..<end }

  /// Where a new child goes: before a terminator, and before a child that goes on to the end.
  var insertionPoint: Int {
    guard let last = children.last, last.extendsToEnd else { return childrenEnd }
    return last.start
  }

  func child(_ type: FourCC) -> Box? { children.first { $0.type == type } }

  func child(_ path: FourCC...) -> Box? {
    var box: Box? = self
    for type in path { box = box?.child(type) }
    return box
  }
}

/// Reads a tree of boxes from memory within bounds.
struct BoxParser {
  private let bytes: [UInt8]
  private var budget: Int

  static let maximumDepth = 32
  static let maximumBoxes = 1_000_000
  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "dinf", "udta", "meta", "moof", "traf", "mfra",
  ]

  init(_ bytes: [UInt8], budget: Int = Self.maximumBoxes) {
    self.bytes = bytes
    self.budget = budget
  }

  /// The one box that fills the buffer.
  mutating func root() throws(MetadataError) -> Box {
    let boxes = try boxes(in: 0..<bytes.count, depth: 0, isLenient: false).boxes
    guard let root = boxes.first else {
      throw MetadataError(.malformed, "the box has no header")
    }
    return root
  }

  /// The boxes of a range, and where the last one ends.
  ///
  /// User data and `ilst` may end in a terminator or in padding, which ends the list.
  mutating func boxes(
    in range: Range<Int>, depth: Int, isLenient: Bool
  ) throws(MetadataError) -> (boxes: [Box], end: Int) {
    guard depth < Self.maximumDepth else {
      throw MetadataError(.limit, "boxes are nested deeper than \(Self.maximumDepth)")
    }
    var boxes: [Box] = []
    var position = range.lowerBound
    while position + 8 <= range.upperBound {
      guard var box = header(at: position, within: range.upperBound, isLenient: isLenient) else {
        if isLenient { break }
        throw MetadataError(
          .malformed, "the box at byte \(position) is larger than what contains it")
      }
      budget -= 1
      guard budget >= 0 else {
        throw MetadataError(.limit, "there are more than \(Self.maximumBoxes) boxes")
      }
      if Self.containers.contains(box.type) { try descend(&box, depth: depth) }
      boxes.append(box)
      position = box.end
    }
    return (boxes, position)
  }

  /// The boxes of a range without their children, up to the first that is none.
  static func flat(_ bytes: [UInt8], in range: Range<Int>) -> (boxes: [Box], end: Int) {
    let parser = BoxParser(bytes)
    var boxes: [Box] = []
    var position = range.lowerBound
    while position + 8 <= range.upperBound, boxes.count < 100_000,
      let box = parser.header(at: position, within: range.upperBound, isLenient: true)
    {
      boxes.append(box)
      position = box.end
    }
    return (boxes, position)
  }

  private func header(at position: Int, within end: Int, isLenient: Bool) -> Box? {
    guard let size = bytes.u32(position), let type = bytes.u32(position + 4) else { return nil }
    var box = Box(
      type: FourCC(type), start: position, end: end, header: 8, childrenStart: 0, childrenEnd: 0)
    switch size {
    case 0:
      // In user data a zero is the terminator of QuickTime.
      if isLenient { return nil }
      box.extendsToEnd = true
    case 1:
      guard let large = bytes.number(at: position + 8, bytes: 8), position + 16 <= end,
        large >= 16, large <= UInt64(end - position)
      else { return nil }
      box.header = 16
      box.end = position + Int(large)
    default:
      guard size >= 8, Int(size) <= end - position else { return nil }
      box.end = position + Int(size)
    }
    box.childrenStart = position + box.header
    box.childrenEnd = box.end
    return box
  }

  private mutating func descend(_ box: inout Box, depth: Int) throws(MetadataError) {
    if box.type == "meta" {
      // QuickTime's `meta` has no version; its first child is the handler.
      let isBare = bytes.u32(box.childrenStart + 4) == FourCC("hdlr").value
      if !isBare { box.childrenStart = min(box.childrenStart + 4, box.end) }
    }
    let isLenient = box.type == "udta" || box.type == "meta"
    let (children, end) = try boxes(
      in: box.childrenStart..<box.end, depth: depth + 1, isLenient: isLenient)
    box.children = children
    box.childrenEnd = end
  }
}
