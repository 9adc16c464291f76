import CLibAV

/// An MD5 sum being made.
@safe package final class Digest {
  private let context: OpaquePointer

  package init() {
    guard let context = unsafe av_md5_alloc() else { preconditionFailure("out of memory") }
    unsafe self.context = unsafe context
    unsafe av_md5_init(context)
  }

  deinit {
    unsafe av_free(UnsafeMutableRawPointer(context))
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    unsafe av_md5_update(context, base.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// Adds a packet's payload with its size, so that packets that are divided otherwise differ.
  package func update(_ packet: Packet) {
    unsafe withUnsafeBytes(of: Int64(packet.size).littleEndian) { unsafe update($0) }
    unsafe update(UnsafeRawBufferPointer(start: packet.pointer.pointee.data, count: packet.size))
  }

  /// The sum in hexadecimal digits; nothing may be added after.
  package func finish() -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The sum; nothing may be added after.
  func bytes() -> [UInt8] {
    var sum = [UInt8](repeating: 0, count: 16)
    unsafe av_md5_final(context, &sum)
    return sum
  }
}

/// Sums that show whether bytes changed by accident.
package enum Checksum {
  /// The sum of ISO 3309, as Matroska keeps it of its elements.
  ///
  /// Wraps `av_crc`.
  package static func iso3309(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe ~av_crc(
        av_crc_get_table(AV_CRC_32_IEEE_LE), .max, buffer.baseAddress, buffer.count)
    }
  }
}
