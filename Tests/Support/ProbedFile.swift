package import Foundation

/// What ffprobe says about a file.
///
/// Every value is text; nested values have names with dots, such as `tags.title` and
/// `side_data_list.0.rotation`.
package struct ProbedFile {
  package typealias Entry = [String: String]
  package var format: Entry = [:]
  package var streams: [Entry] = []
  package var packets: [Entry] = []
  package var frames: [Entry] = []
  package var chapters: [Entry] = []

  /// Asks ffprobe; `shows` names further parts: `packets`, `frames`.
  package init(_ url: URL, shows: [String] = [], options: [String] = []) throws {
    let result = try Program.run(
      "ffprobe",
      ["-v", "error", "-of", "json", "-show_format", "-show_streams", "-show_chapters"]
        + shows.map { "-show_\($0)" } + options + ["file:" + url.path])
    let object = try JSONSerialization.jsonObject(with: result.output) as? [String: Any] ?? [:]
    format = Self.flat(object["format"])
    streams = Self.list(object["streams"])
    packets = Self.list(object["packets"])
    frames = Self.list(object["frames"])
    chapters = Self.list(object["chapters"])
  }

  /// The first stream of a kind that is no cover, or an empty entry.
  package func stream(_ kind: String) -> Entry {
    streams.first { $0["codec_type"] == kind && $0["disposition.attached_pic"] != "1" } ?? [:]
  }

  /// A number of an entry.
  package static func number(_ entry: Entry, _ key: String) -> Int64? {
    entry[key].flatMap { Int64($0) }
  }

  private static func list(_ value: Any?) -> [Entry] {
    (value as? [Any] ?? []).map { flat($0) }
  }

  private static func flat(_ value: Any?, _ prefix: String = "") -> Entry {
    var entry: Entry = [:]
    if let object = value as? [String: Any] {
      for (key, value) in object {
        entry.merge(flat(value, prefix.isEmpty ? key : prefix + "." + key)) { $1 }
      }
    } else if let list = value as? [Any] {
      for (index, value) in list.enumerated() {
        entry.merge(flat(value, "\(prefix).\(index)")) { $1 }
      }
    } else if let value {
      entry[prefix] = "\(value)"
    }
    return entry
  }
}
