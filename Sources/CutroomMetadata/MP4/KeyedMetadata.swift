/// QuickTime metadata: named keys, and items that refer to them by number.
struct KeyedMetadata {
  /// One item with its key; the bytes are those of the item's content.
  struct Entry: Hashable {
    var namespace: FourCC
    var key: String
    var content: [UInt8]
  }

  var entries: [Entry] = []

  init() {}

  init(_ bytes: [UInt8], keys: Box, ilst: Box) throws(MetadataError) {
    let names = try Self.names(bytes, keys)
    for box in BoxParser.flat(bytes, in: ilst.content).boxes {
      let index = Int(box.type.value) - 1
      guard names.indices.contains(index) else { continue }
      entries.append(
        Entry(
          namespace: names[index].namespace, key: names[index].key,
          content: Array(bytes[box.content])))
    }
  }

  private static func names(
    _ bytes: [UInt8], _ keys: Box
  ) throws(MetadataError) -> [(namespace: FourCC, key: String)] {
    guard let count = bytes.u32(keys.content.lowerBound + 4), keys.content.count >= 8,
      Int(count) <= keys.content.count / 8
    else { throw MetadataError(.malformed, "'keys' claims more keys than it has room for") }
    var names: [(namespace: FourCC, key: String)] = []
    var position = keys.content.lowerBound + 8
    for _ in 0..<count {
      guard let size = bytes.u32(position), let space = bytes.u32(position + 4), size >= 8,
        position + Int(size) <= keys.end
      else { throw MetadataError(.malformed, "a key in 'keys' is cut") }
      let name = bytes[(position + 8)..<(position + Int(size))]
      names.append((FourCC(space), String(decoding: name, as: UTF8.self)))
      position += Int(size)
    }
    return names
  }

  var items: [MetadataItem] {
    var items: [MetadataItem] = []
    for entry in entries {
      let identifier = MetadataIdentifier(.mdta, entry.key)
      for value in Ilst.values(entry.content.boxed("item")) {
        let decoded = IlstDecoder.value(value, of: identifier)
        if case .texts(let more) = decoded, value.locale == 0,
          let index = items.firstIndex(where: { $0.identifier == identifier && $0.locale == 0 }),
          case .texts(let known) = items[index].value
        {
          items[index].value = .texts(known + more)
        } else {
          items.append(
            MetadataItem(identifier, decoded, dataType: value.type, locale: value.locale))
        }
      }
    }
    return items
  }

  /// The boxes `keys` and `ilst`, with the keys numbered anew.
  var encoded: (keys: [UInt8], ilst: [UInt8]) {
    var numbers: [String: Int] = [:]
    var names: [UInt8] = []
    var items: [UInt8] = []
    for entry in entries {
      let name = entry.namespace.text + entry.key
      let number = numbers[name] ?? numbers.count + 1
      if numbers.updateValue(number, forKey: name) == nil {
        names += Array(entry.key.utf8).boxed(entry.namespace)
      }
      items += entry.content.boxed(FourCC(UInt32(number)))
    }
    var keys: [UInt8] = [0, 0, 0, 0]
    keys.append(numbers.count, bytes: 4)
    return ((keys + names).boxed("keys"), items.boxed("ilst"))
  }
}
