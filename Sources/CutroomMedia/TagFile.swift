import CTagLib
import Synchronization

/// One tag of an ID3v2, FLAC or Ogg file as TagLib reads and writes it.
package struct TagFrame: Hashable, Sendable {
  /// The frame id, such as `TIT2`, or the field name.
  package var key: String
  /// The description or the owner.
  package var qualifier = ""
  /// Three letters, for comments and lyrics.
  package var language = ""
  /// The values in order.
  package var values: [String] = []
  /// The bytes of a picture, or of a value that is no text.
  package var data: [UInt8] = []
  /// The media type of a picture.
  package var mediaType = ""
  /// The type of a picture; 3 is the front cover.
  package var pictureType = 0
  /// The size of a picture; 0 where it is not known.
  package var width = 0
  /// The height of a picture; 0 where it is not known.
  package var height = 0
  /// The start of a chapter in milliseconds.
  package var start: UInt32 = 0
  /// The end of a chapter in milliseconds.
  package var end: UInt32 = 0

  package init(key: String, values: [String] = []) {
    self.key = key
    self.values = values
  }
}

/// Why TagLib did not read or write a file.
package struct TagLibError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  package enum Reason: Int32, Sendable {
    case notOpened = 1
    case notSaved, badKey, exception
  }

  package var reason: Reason
  package var path: String
  /// The index of the frame that cannot be written, for a bad key.
  package var index: Int?

  package var description: String {
    switch reason {
    case .notOpened: "TagLib cannot open '\(path)' as the kind of file it seems to be"
    case .notSaved: "TagLib cannot write the tags of '\(path)'"
    case .badKey: "an item for '\(path)' has no form in its tags"
    case .exception: "TagLib failed in '\(path)'"
    }
  }
}

/// Tags of files other than MP4, read and written in place through TagLib.
///
/// TagLib crashes on some damaged files, so the structure must have been checked before. Its return
/// value proves little: what was written must be read again.
package enum TagFile {
  /// The classes of TagLib.
  package enum Kind: Int32, Sendable {
    case mpeg = 1
    case flac, ogg, opus
  }

  // TagLib's string handling and frame factory have unsynchronised global state.
  private static let lock = Mutex(())

  /// All tags, and the major version of an ID3v2 tag.
  package static func read(
    _ path: String, as kind: Kind
  ) throws(TagLibError) -> (frames: [TagFrame], id3Version: Int?) {
    let list = TagList()
    var version: Int32 = 0
    let status = lock.withLock { _ in
      unsafe ctag_read(path, kind.rawValue, list.pointer, &version)
    }
    try check(status, path)
    return (list.frames, version == 0 ? nil : Int(version))
  }

  /// Removes, then adds.
  ///
  /// An element of `removed` names a key and a qualifier; the key `*` is everything but chapters,
  /// `CHAP` all chapters. An MP3 file gets a tag of ID3v1, too, where `addsID3v1` says so; one that
  /// is there follows in any case.
  package static func write(
    _ path: String, as kind: Kind, id3Version: Int, addsID3v1: Bool = false,
    removing removed: [TagFrame], adding added: [TagFrame]
  ) throws(TagLibError) {
    let (old, new) = (TagList(removed), TagList(added))
    var failed = Int.max
    let status = lock.withLock { _ in
      unsafe ctag_write(
        path, kind.rawValue, Int32(id3Version), addsID3v1 ? 1 : 0, old.pointer, new.pointer, &failed
      )
    }
    try check(status, path, index: added.indices.contains(failed) ? failed : nil)
  }

  /// The frames of an ID3v2 tag in memory, and its major version.
  package static func readID3(
    _ bytes: [UInt8]
  ) throws(TagLibError) -> (frames: [TagFrame], id3Version: Int?) {
    let list = TagList()
    var version: Int32 = 0
    let status = lock.withLock { _ in
      unsafe TagList.withCharacters(bytes) { bytes, count in
        unsafe ctag_read_id3(bytes, count, list.pointer, &version)
      }
    }
    try check(status, "the ID3 chunk")
    return (list.frames, version == 0 ? nil : Int(version))
  }

  /// The ID3v2 tag in memory that comes of one by removing, then adding; empty without frames.
  package static func renderID3(
    _ bytes: [UInt8], id3Version: Int, removing removed: [TagFrame], adding added: [TagFrame]
  ) throws(TagLibError) -> [UInt8] {
    let (old, new, rendered) = (TagList(removed), TagList(added), TagList())
    var failed = Int.max
    let status = lock.withLock { _ in
      unsafe TagList.withCharacters(bytes) { bytes, count in
        unsafe ctag_render_id3(
          bytes, count, Int32(id3Version), old.pointer, new.pointer, rendered.pointer, &failed)
      }
    }
    try check(status, "the ID3 chunk", index: added.indices.contains(failed) ? failed : nil)
    return rendered.frames.first?.data ?? []
  }

  private static func check(
    _ status: Int32, _ path: String, index: Int? = nil
  ) throws(TagLibError) {
    guard status != CTAG_OK else { return }
    throw TagLibError(
      reason: TagLibError.Reason(rawValue: status) ?? .exception, path: path, index: index)
  }
}

/// A list of frames on the other side.
@safe private final class TagList {
  let pointer: OpaquePointer

  init(_ frames: [TagFrame] = []) {
    guard let pointer = unsafe ctag_list_new() else { preconditionFailure("out of memory") }
    unsafe self.pointer = unsafe pointer
    for frame in frames { append(frame) }
  }

  deinit { unsafe ctag_list_free(pointer) }

  private func append(_ frame: TagFrame) {
    allocated(unsafe ctag_append(pointer))
    set(CTAG_KEY, Array(frame.key.utf8))
    set(CTAG_QUALIFIER, Array(frame.qualifier.utf8))
    set(CTAG_LANGUAGE, Array(frame.language.utf8))
    set(CTAG_MEDIA_TYPE, Array(frame.mediaType.utf8))
    set(CTAG_DATA, frame.data)
    unsafe ctag_set_number(pointer, Int32(CTAG_PICTURE_TYPE), UInt32(clamping: frame.pictureType))
    unsafe ctag_set_number(pointer, Int32(CTAG_WIDTH), UInt32(clamping: frame.width))
    unsafe ctag_set_number(pointer, Int32(CTAG_HEIGHT), UInt32(clamping: frame.height))
    unsafe ctag_set_number(pointer, Int32(CTAG_START), frame.start)
    unsafe ctag_set_number(pointer, Int32(CTAG_END), frame.end)
    for value in frame.values {
      let status = unsafe Self.withCharacters(Array(value.utf8)) { bytes, count in
        unsafe ctag_add_value(pointer, bytes, count)
      }
      allocated(status)
    }
  }

  private func set(_ field: Int, _ bytes: [UInt8]) {
    let status = unsafe Self.withCharacters(bytes) { bytes, count in
      unsafe ctag_set_text(pointer, Int32(field), bytes, count)
    }
    allocated(status)
  }

  /// Lends bytes to a call, and returns its status.
  static func withCharacters(
    _ bytes: [UInt8], _ call: (UnsafePointer<CChar>, Int) -> Int32
  ) -> Int32 {
    guard !bytes.isEmpty else {
      let empty: CChar = 0
      return unsafe withUnsafePointer(to: empty) { unsafe call($0, 0) }
    }
    return unsafe bytes.withUnsafeBytes { raw -> Int32 in
      guard let base = raw.baseAddress else { return Int32(CTAG_EXCEPTION) }
      return unsafe call(base.assumingMemoryBound(to: CChar.self), raw.count)
    }
  }

  /// Lists fail only when memory runs out.
  private func allocated(_ status: Int32) {
    precondition(status == CTAG_OK, "out of memory")
  }

  var frames: [TagFrame] {
    unsafe (0..<ctag_count(pointer)).map { index in
      var frame = TagFrame(key: string(index, CTAG_KEY))
      frame.qualifier = string(index, CTAG_QUALIFIER)
      frame.language = string(index, CTAG_LANGUAGE)
      frame.mediaType = string(index, CTAG_MEDIA_TYPE)
      frame.data = bytes(index, CTAG_DATA)
      frame.pictureType = Int(number(index, CTAG_PICTURE_TYPE))
      frame.width = Int(number(index, CTAG_WIDTH))
      frame.height = Int(number(index, CTAG_HEIGHT))
      frame.start = number(index, CTAG_START)
      frame.end = number(index, CTAG_END)
      frame.values = unsafe (0..<ctag_value_count(pointer, index)).map { value in
        var length = 0
        let text = unsafe ctag_value(pointer, index, value, &length)
        return unsafe String(decoding: Self.copy(text, length), as: UTF8.self)
      }
      return frame
    }
  }

  private func number(_ index: Int, _ field: Int) -> UInt32 {
    unsafe ctag_number(pointer, index, Int32(field))
  }

  private func string(_ index: Int, _ field: Int) -> String {
    String(decoding: bytes(index, field), as: UTF8.self)
  }

  private func bytes(_ index: Int, _ field: Int) -> [UInt8] {
    var length = 0
    let text = unsafe ctag_text(pointer, index, Int32(field), &length)
    return unsafe Self.copy(text, length)
  }

  private static func copy(_ text: UnsafePointer<CChar>?, _ length: Int) -> [UInt8] {
    guard let text = unsafe text, length > 0 else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: length))
  }
}
