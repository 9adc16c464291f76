import CutroomMetadata

/// What the metadata's table says about keys as compositions write them.
enum MetadataKeyCheck {
  /// The common keys, and AVFoundation's names for some of them.
  static let commonKeys =
    CommonKey.allCases.map(\.rawValue) + ["albumName", "copyrights", "creator", "type"]

  /// What is wrong with a key that has a key space; `nil` if nothing is.
  static func problem(_ key: String) -> String? {
    do throws(MetadataError) {
      _ = try MetadataIdentifier(parsing: key)
      return nil
    } catch {
      return error.message
    }
  }
}
