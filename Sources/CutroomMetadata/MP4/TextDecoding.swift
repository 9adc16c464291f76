/// UTF-16 in big-endian order unless a byte order mark says otherwise.
func decodingUTF16(_ bytes: some Collection<UInt8>) -> String {
  var units: [UInt16] = []
  units.reserveCapacity(bytes.count / 2)
  var high: UInt8?
  for byte in bytes {
    if let first = high {
      units.append(UInt16(first) << 8 | UInt16(byte))
      high = nil
    } else {
      high = byte
    }
  }
  if units.first == 0xFFFE { units = units.map(\.byteSwapped) }
  if units.first == 0xFEFF { units.removeFirst() }
  return String(decoding: units, as: UTF16.self)
}

/// UTF-8, or `nil` if the bytes are something else.
func strictUTF8(_ bytes: some Collection<UInt8>) -> String? {
  String(validating: bytes, as: UTF8.self)
}

/// Whether the bytes begin with the byte order mark of UTF-16.
func isMarkedUTF16(_ bytes: some Collection<UInt8>) -> Bool {
  bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
}
