import CutroomMetadata
import Foundation
import TestSupport
import Testing

/// The table of keys in the documentation is the one in the code.
@Suite struct MappingPageTests {
  static let mark =
    "<!-- Written by the test MappingPageTests; record it with RECORD_GOLDEN=1. -->\n"

  static let columns: [(space: KeySpace, title: String)] = [
    (.itsk, "iTunes"), (.id3, "ID3"), (.mdta, "QuickTime"), (.vorb, "Vorbis"),
    (.riff, "RIFF, AIFF"),
    (.matroska, "Matroska"), (.udta, "udta"), (.uiso, "uiso"),
  ]

  static func name(_ identifier: MetadataIdentifier) -> String {
    let key = identifier.key
    switch identifier.keySpace {
    case .itlk: return ":" + key.replacing("com.apple.iTunes.", with: "")
    case .id3: return identifier.qualifier.map { ":" + $0 } ?? key
    case .mdta: return key.replacing("com.apple.quicktime.", with: "")
    default: return key
    }
  }

  static var table: String {
    var table = "| key | " + columns.map(\.title).joined(separator: " | ") + " |\n"
    table += String(repeating: "|---", count: columns.count + 1) + "|\n"
    for key in CommonKey.allCases {
      let cells = columns.map { column in
        Mapping.natives(key, in: column.space).map { "`\(name($0))`" }.joined(separator: " ")
      }
      table += "| `\(key.rawValue)` | " + cells.joined(separator: " | ") + " |\n"
    }
    return table
  }

  @Test func theTableOfKeysIsComplete() throws {
    let url = PackageFolder.root.appending(path: "Sources/Cutroom/Cutroom.docc/Metadata.md")
    let parts = try String(contentsOf: url, encoding: .utf8).components(separatedBy: Self.mark)
    try #require(parts.count == 2)
    guard ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" else {
      #expect(parts[1] == "\n" + Self.table, "record with RECORD_GOLDEN=1, and read the difference")
      return
    }
    try Data((parts[0] + Self.mark + "\n" + Self.table).utf8).write(to: url)
    Issue.record("recorded; read the difference, and run again without RECORD_GOLDEN")
  }
}
