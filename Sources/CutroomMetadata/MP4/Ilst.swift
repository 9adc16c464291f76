/// One atom of an iTunes `ilst`, with its bytes kept as they are.
struct IlstAtom: Hashable {
  /// `nil` for what is no item: it is carried along.
  var identifier: MetadataIdentifier?
  var bytes: [UInt8]
}

/// One value inside an atom.
struct IlstValue: Hashable {
  var type: UInt32
  var locale: UInt32
  var payload: [UInt8]
}

/// The content of an `ilst`: atoms in order, and what follows the last one.
struct Ilst {
  var atoms: [IlstAtom] = []
  var tail: [UInt8] = []

  init() {}

  init(_ bytes: [UInt8], _ content: Range<Int>) {
    let (boxes, end) = BoxParser.flat(bytes, in: content)
    for box in boxes {
      let atom = Array(bytes[box.start..<box.end])
      atoms.append(
        IlstAtom(
          identifier: Self.identifier(box.type, atom, header: box.header), bytes: atom))
    }
    tail = Array(bytes[end..<content.upperBound])
  }

  var encoded: [UInt8] { (atoms.flatMap(\.bytes) + tail).boxed("ilst") }

  private static func identifier(
    _ type: FourCC, _ atom: [UInt8], header: Int
  ) -> MetadataIdentifier? {
    if type == "free" || type == "skip" { return nil }
    guard type == "----" else { return MetadataIdentifier(.itsk, code: type.value) }
    guard let mean = text("mean", atom, header), let name = text("name", atom, header) else {
      return nil
    }
    return MetadataIdentifier(mean: mean, name: name)
  }

  /// The text of a `mean` or `name` child of a freeform atom.
  static func text(_ type: FourCC, _ atom: [UInt8], _ header: Int) -> String? {
    guard let child = children(atom, header).first(where: { $0.type == type }),
      child.content.count >= 4
    else { return nil }
    return String(decoding: atom[child.content.dropFirst(4)], as: UTF8.self)
  }

  static func children(_ atom: [UInt8], _ header: Int) -> [Box] {
    BoxParser.flat(atom, in: header..<atom.count).boxes
  }

  /// The values of an atom.
  static func values(_ atom: [UInt8]) -> [IlstValue] {
    let header = atom.u32(0) == 1 ? 16 : 8
    guard header <= atom.count else { return [] }
    return children(atom, header).compactMap { child in
      guard child.type == "data", child.content.count >= 8,
        let type = atom.u32(child.content.lowerBound),
        let locale = atom.u32(child.content.lowerBound + 4)
      else { return nil }
      return IlstValue(
        type: type, locale: locale, payload: Array(atom[child.content.dropFirst(8)]))
    }
  }

  /// The items; several texts of one identifier are one item.
  var items: [MetadataItem] {
    var items: [MetadataItem] = []
    var texts: [MetadataIdentifier: Int] = [:]
    let hasGenre = atoms.contains { $0.identifier == MetadataIdentifier(.itsk, "©gen") }
    for atom in atoms {
      guard let identifier = atom.identifier else { continue }
      if hasGenre && identifier == MetadataIdentifier(.itsk, "gnre") { continue }
      for value in Self.values(atom.bytes) {
        var item = MetadataItem(
          identifier, IlstDecoder.value(value, of: identifier), dataType: value.type,
          locale: value.locale)
        if identifier.keySpace == .itlk, let mean = Self.text("mean", atom.bytes, 8),
          MetadataIdentifier.splitFreeform(identifier.key)?.mean != mean
        {
          item.extraAttributes["mean"] = mean
        }
        if case .texts(let more) = item.value, let index = texts[identifier],
          case .texts(let known) = items[index].value
        {
          items[index].value = .texts(known + more)
        } else {
          if case .texts = item.value { texts[identifier] = items.count }
          items.append(item)
        }
      }
    }
    return items
  }
}

/// Turns the bytes of an `ilst` or `mdta` value into a value.
enum IlstDecoder {
  static func value(_ data: IlstValue, of identifier: MetadataIdentifier) -> MetadataValue {
    let payload = data.payload
    guard data.type >> 24 == 0 else { return .data(payload) }
    if identifier.keySpace == .itsk, let value = known(identifier.key, data) { return value }
    switch data.type {
    case 1, 4, 6, 7, 15, 18: return .texts([String(decoding: payload, as: UTF8.self)])
    case 2, 5: return .texts([decodingUTF16(payload)])
    case 3: return .texts([MacEncoding.roman.decode(payload)])
    case 0:
      guard let text = strictUTF8(payload), !payload.isEmpty,
        text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || "\t\r\n".unicodeScalars.contains($0) })
      else { return .data(payload) }
      return .texts([text])
    case 21, 65, 66, 67, 74: return integer(payload, isSigned: true) ?? .data(payload)
    case 22, 75, 76, 77, 78: return integer(payload, isSigned: false) ?? .data(payload)
    case let type where FloatingValue.isType(type):
      return FloatingValue.text(payload, type: type).map { .texts([$0]) } ?? .data(payload)
    default: return .data(payload)
    }
  }

  private static func known(_ key: String, _ data: IlstValue) -> MetadataValue? {
    let payload = data.payload
    if key == "covr" { return .data(payload) }
    if IlstTypes.pairs.contains(key) {
      guard let number = payload.u16(2) else { return .data(payload) }
      return .pair(number, of: payload.u16(4) ?? 0)
    }
    if key == "gnre" {
      guard let index = payload.u16(payload.count - 2),
        IlstTypes.genres.indices.contains(index - 1)
      else { return .data(payload) }
      return .texts([IlstTypes.genres[index - 1]])
    }
    guard IlstTypes.integerWidth[key] != nil, [0, 21, 22].contains(data.type) else { return nil }
    return integer(payload, isSigned: data.type != 22)
  }

  private static func integer(_ payload: [UInt8], isSigned: Bool) -> MetadataValue? {
    guard (1...8).contains(payload.count), let bits = payload.number(at: 0, bytes: payload.count)
    else { return nil }
    let shift = UInt64(64 - 8 * payload.count)
    let number =
      isSigned ? Int64(bitPattern: bits << shift) >> Int64(shift) : Int64(exactly: bits)
    return number.map { .integer($0, width: payload.count) }
  }
}

/// Writes items as atoms.
enum IlstEncoder {
  /// The one atom that holds these items, all of one identifier.
  static func atom(
    _ identifier: MetadataIdentifier, _ items: [MetadataItem]
  ) throws(MetadataError) -> IlstAtom {
    var content: [UInt8] = []
    if identifier.keySpace == .itlk {
      content = try freeformHead(identifier, items)
    }
    for item in items {
      for value in values(item) { content += data(value) }
    }
    let type: FourCC = identifier.keySpace == .itlk ? "----" : FourCC(identifier.key)
    return IlstAtom(identifier: identifier, bytes: content.boxed(type))
  }

  private static func freeformHead(
    _ identifier: MetadataIdentifier, _ items: [MetadataItem]
  ) throws(MetadataError) -> [UInt8] {
    var parts = MetadataIdentifier.splitFreeform(identifier.key)
    if let mean = items.first?.extraAttributes["mean"], identifier.key.hasPrefix(mean + ".") {
      parts = (mean, String(identifier.key.dropFirst(mean.count + 1)))
    }
    guard let parts else {
      throw MetadataError(
        .key, "'\(identifier)' has no mean and name", about: identifier)
    }
    return ([0, 0, 0, 0] + Array(parts.mean.utf8)).boxed("mean")
      + ([0, 0, 0, 0] + Array(parts.name.utf8)).boxed("name")
  }

  static func data(_ value: IlstValue) -> [UInt8] {
    var content: [UInt8] = []
    content.append(value.type, bytes: 4)
    content.append(value.locale, bytes: 4)
    return (content + value.payload).boxed("data")
  }

  static func values(_ item: MetadataItem) -> [IlstValue] {
    let isImplicit = ["purl", "egid"].contains(item.identifier.key)
    func value(_ type: UInt32, _ payload: [UInt8]) -> IlstValue {
      IlstValue(type: type, locale: item.locale, payload: payload)
    }
    switch item.value {
    case .texts(let texts):
      if let type = item.dataType, FloatingValue.isType(type) {
        return texts.map { text in
          FloatingValue.bytes(text, type: type).map { value(type, $0) }
            ?? value(1, Array(text.utf8))
        }
      }
      let isTyped = [6, 7, 15, 18].contains(item.dataType ?? 1)
      let type = isImplicit ? 0 : isTyped ? item.dataType ?? 1 : 1
      return texts.map { value(type, Array($0.utf8)) }
    case .integer(let number, let width):
      var payload: [UInt8] = []
      payload.append(number, bytes: max(1, min(width, 8)))
      let isTyped = [22, 65, 66, 67, 74, 75, 76, 77, 78].contains(item.dataType ?? 21)
      return [value(isTyped ? item.dataType ?? 21 : 21, payload)]
    case .pair(let number, let total):
      var payload: [UInt8] = [0, 0]
      payload.append(number, bytes: 2)
      payload.append(total, bytes: 2)
      return [value(0, item.identifier.key == "trkn" ? payload + [0, 0] : payload)]
    case .data(let bytes):
      let picture = PictureFormat(sniffing: bytes)?.rawValue
      let isPicture = item.commonKey == .artwork
      return [value(isPicture ? picture ?? item.dataType ?? 0 : item.dataType ?? 0, bytes)]
    }
  }
}
