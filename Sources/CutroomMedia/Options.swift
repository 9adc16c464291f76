import CLibAV

/// A list of options for libav, which takes out those it understood.
@safe final class Options {
  var dictionary: OpaquePointer?

  init(_ pairs: [(String, String)] = []) {
    for (key, value) in pairs { set(key, value) }
  }

  deinit {
    unsafe av_dict_free(&dictionary)
  }

  func set(_ key: String, _ value: String) {
    unsafe av_dict_set(&dictionary, key, value, 0)
  }

  /// Adds the pair although another of the same key is there.
  func add(_ key: String, _ value: String) {
    unsafe av_dict_set(&dictionary, key, value, AV_DICT_MULTIKEY)
  }

  var pairs: [(String, String)] { unsafe Options.pairs(of: dictionary) }

  /// Throws where libav left some of the options `names` unused.
  func requireUsed(
    _ action: @autoclosure () -> String, ignoring: Set<String> = []
  ) throws(LibAVError) {
    let left = pairs.map(\.0).filter { !ignoring.contains($0) }
    guard !left.isEmpty else { return }
    let names = left.map { "'\($0)'" }.joined(separator: ", ")
    throw LibAVError(
      code: CLIBAV_OPTION_NOT_FOUND, action: action(), reason: "unknown option \(names)")
  }

  static func pairs(of dictionary: OpaquePointer?) -> [(String, String)] {
    var result: [(String, String)] = []
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = unsafe av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      unsafe result.append((text(next.pointee.key) ?? "", text(next.pointee.value) ?? ""))
      unsafe entry = next
    }
    return result
  }
}

/// A key and its value, where a tuple can't be compared.
package struct KeyValue: Hashable, Sendable {
  package var key: String
  package var value: String

  package init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}
