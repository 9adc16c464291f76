import CutroomMetadata
import Foundation
import Testing

/// The folder of sample files, or `nil` where it is absent.
enum SharedMedia {
  static let tags: URL? = {
    let path = ProcessInfo.processInfo.environment["CUTROOM_MEDIA"] ?? "../shared/media"
    let folder = URL(filePath: path).appending(path: "tags")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  static let isThere = tags != nil
  static let note: Comment = "needs the sample files; set CUTROOM_MEDIA to their folder"

  static func url(_ name: String) throws -> URL { try #require(tags).appending(path: name) }

  static func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url(name))) }

  static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url(folder).path).sorted()
      .filter { !$0.hasSuffix(".tsv") }.map { folder + "/" + $0 }
  }
}
