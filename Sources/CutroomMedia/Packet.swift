import CLibAV

/// A piece of coded data with its times, one reference to bytes that others may share.
///
/// Wraps `AVPacket`.
@safe package final class Packet: @unchecked Sendable {
  // Handed from thread to thread, never used by two at once; the bytes behind it are not changed.
  let pointer: UnsafeMutablePointer<AVPacket>

  package init() {
    guard let packet = unsafe av_packet_alloc() else { preconditionFailure("out of memory") }
    unsafe pointer = unsafe packet
  }

  init(owning packet: UnsafeMutablePointer<AVPacket>) {
    unsafe pointer = unsafe packet
  }

  /// A packet with a copy of these bytes.
  package convenience init(bytes: [UInt8]) throws(LibAVError) {
    self.init()
    try check(
      unsafe av_new_packet(pointer, Int32(clamping: bytes.count)), "allocate a packet")
    guard let data = unsafe pointer.pointee.data else { return }
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: data, count: source.count).copyMemory(
        from: source)
    }
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe pointer
    unsafe av_packet_free(&packet)
  }

  package var pts: Int64? {
    get { unsafe pointer.pointee.pts.known }
    set { unsafe pointer.pointee.pts = newValue.orUnknown }
  }

  package var dts: Int64? {
    get { unsafe pointer.pointee.dts.known }
    set { unsafe pointer.pointee.dts = newValue.orUnknown }
  }

  /// Ticks, 0 where unknown.
  package var duration: Int64 {
    get { unsafe pointer.pointee.duration }
    set { unsafe pointer.pointee.duration = newValue }
  }

  package var streamIndex: Int {
    get { unsafe Int(pointer.pointee.stream_index) }
    set { unsafe pointer.pointee.stream_index = Int32(clamping: newValue) }
  }

  package var isKeyframe: Bool {
    get { has(AV_PKT_FLAG_KEY) }
    set { set(AV_PKT_FLAG_KEY, newValue) }
  }

  /// Whether the picture is decoded and not shown, by the container's edit list.
  package var isDiscard: Bool {
    get { has(AV_PKT_FLAG_DISCARD) }
    set { set(AV_PKT_FLAG_DISCARD, newValue) }
  }

  package var isCorrupt: Bool { has(AV_PKT_FLAG_CORRUPT) }
  /// Bytes of payload.
  package var size: Int { unsafe Int(pointer.pointee.size) }
  /// The byte position in the source, -1 where unknown.
  package var position: Int64 { unsafe pointer.pointee.pos }

  private func has(_ flag: Int32) -> Bool { unsafe pointer.pointee.flags & flag != 0 }

  private func set(_ flag: Int32, _ isOn: Bool) {
    if isOn {
      unsafe pointer.pointee.flags |= flag
    } else {
      unsafe pointer.pointee.flags &= ~flag
    }
  }

  /// The MD5 of the payload, in hexadecimal digits.
  package func digest() -> String {
    let digest = Digest()
    if let data = unsafe pointer.pointee.data {
      unsafe digest.update(UnsafeRawBufferPointer(start: data, count: size))
    }
    return digest.finish()
  }

  /// Lends the payload.
  package func withBytes<R>(_ body: (RawSpan) throws -> R) rethrows -> R {
    let buffer = unsafe UnsafeRawBufferPointer(start: pointer.pointee.data, count: size)
    return unsafe try body(buffer.bytes)
  }

  /// A copy of the payload.
  package var bytes: [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: pointer.pointee.data, count: size))
  }

  /// Another packet with the same bytes and its own times.
  ///
  /// Wraps `av_packet_clone`.
  package func reference() throws(LibAVError) -> Packet {
    guard let copy = unsafe av_packet_clone(pointer) else {
      throw .outOfMemory("reference a packet")
    }
    return unsafe Packet(owning: copy)
  }
}

extension Packet {
  /// The samples that a decoder drops at both ends of this packet's sound.
  ///
  /// Wraps `AV_PKT_DATA_SKIP_SAMPLES`.
  package var skipSamples: (start: Int, end: Int)? {
    get {
      guard let bytes = sideData(AV_PKT_DATA_SKIP_SAMPLES), bytes.count >= 10 else { return nil }
      func number(_ at: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
      }
      return (number(0), number(4))
    }
    set {
      guard let newValue else {
        unsafe clibav_remove_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES)
        return
      }
      var bytes = [UInt8](repeating: 0, count: 10)
      for byte in 0..<4 {
        bytes[byte] = UInt8(truncatingIfNeeded: newValue.start >> (8 * byte))
        bytes[4 + byte] = UInt8(truncatingIfNeeded: newValue.end >> (8 * byte))
      }
      setSideData(AV_PKT_DATA_SKIP_SAMPLES, bytes)
    }
  }

  /// The name that a cue of WebVTT has.
  package var cueIdentifier: [UInt8] {
    get { sideData(AV_PKT_DATA_WEBVTT_IDENTIFIER) ?? [] }
    set { setSideData(AV_PKT_DATA_WEBVTT_IDENTIFIER, newValue) }
  }

  /// Where a cue of WebVTT says that it is to be shown.
  package var cueSettings: [UInt8] {
    get { sideData(AV_PKT_DATA_WEBVTT_SETTINGS) ?? [] }
    set { setSideData(AV_PKT_DATA_WEBVTT_SETTINGS, newValue) }
  }

  /// Where a line of SubRip says that it is to be shown: left, right, top and bottom.
  var subtitleRectangle: [Int32] {
    get {
      guard let bytes = sideData(AV_PKT_DATA_SUBTITLE_POSITION), bytes.count >= 16 else {
        return []
      }
      return (0..<4).map { index in
        (0..<4).reduce(0) { $0 | Int32(bytes[4 * index + $1]) << (8 * Int32($1)) }
      }
    }
    set {
      setSideData(
        AV_PKT_DATA_SUBTITLE_POSITION,
        newValue.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } })
    }
  }

  /// The decoder settings that take effect with this packet, where they change.
  package var newExtradata: [UInt8]? { sideData(AV_PKT_DATA_NEW_EXTRADATA) }

  /// Says that the decoder settings change with this packet.
  package func setNewExtradata(_ bytes: [UInt8]) { setSideData(AV_PKT_DATA_NEW_EXTRADATA, bytes) }

  /// The names of the packet's side data.
  package var sideDataTypes: [String] {
    (0..<Int(unsafe pointer.pointee.side_data_elems)).compactMap { index in
      unsafe text(av_packet_side_data_name(pointer.pointee.side_data[index].type))
    }
  }

  private func sideData(_ type: AVPacketSideDataType) -> [UInt8]? {
    var size = 0
    guard let data = unsafe av_packet_get_side_data(pointer, type, &size) else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: data, count: size))
  }

  private func setSideData(_ type: AVPacketSideDataType, _ bytes: [UInt8]) {
    guard let data = unsafe av_packet_new_side_data(pointer, type, bytes.count) else { return }
    for (index, byte) in bytes.enumerated() { unsafe data[index] = byte }
  }
}
