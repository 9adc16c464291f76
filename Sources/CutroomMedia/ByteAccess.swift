extension RawSpan {
  /// The byte at that offset; an offset outside traps.
  package subscript(offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < byteCount, "there is no byte \(offset)")
    return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}

extension MutableRawSpan {
  /// The byte at that offset; an offset outside traps.
  package subscript(offset: Int) -> UInt8 {
    get {
      precondition(offset >= 0 && offset < byteCount, "there is no byte \(offset)")
      return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
    set { storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self) }
  }
}
