import Cutroom
import CutroomModel
import Foundation
import Testing

/// The sample files, and what ffprobe says about them.
enum ProbeFolder {
  /// The folder of sample files, or `nil` where it is absent.
  static let root: URL? = {
    let path = ProcessInfo.processInfo.environment["CUTROOM_MEDIA"] ?? "../shared/media"
    let folder = URL(filePath: path)
    let manifest = folder.appending(path: "MANIFEST.tsv")
    return FileManager.default.fileExists(atPath: manifest.path) ? folder : nil
  }()

  static let isThere = root != nil
  static let note: Comment = "needs the sample files; set CUTROOM_MEDIA to their folder"

  /// The names of all sample files of the manifest.
  static let names: [String] = {
    guard let root,
      let text = try? String(contentsOf: root.appending(path: "MANIFEST.tsv"), encoding: .utf8)
    else { return [] }
    return text.split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      line.split(separator: "\t").first.map(String.init)
    }
  }()

  static func path(_ name: String) throws -> String {
    try #require(root).appending(path: name).path
  }
}

/// ffprobe's description of a file.
struct FFprobeReport: Decodable {
  struct Stream: Decodable {
    struct Disposition: Decodable { var attached_pic: Int }
    struct SideData: Decodable { var rotation: Int? }
    var index: Int
    var codec_type: String?
    var codec_name: String?
    var width: Int?
    var height: Int?
    var sample_rate: String?
    var channels: Int?
    var time_base: String
    var start_pts: Int64?
    var field_order: String?
    var disposition: Disposition?
    var side_data_list: [SideData]?
  }

  struct Packet: Decodable {
    var stream_index: Int
    var pts: Int64?
    var duration: Int64?
    var flags: String
  }

  var streams: [Stream]?
  var packets: [Packet]?

  /// Runs ffprobe on `path`; an empty report where it fails.
  static func of(_ path: String) throws -> FFprobeReport {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "ffprobe", "-v", "quiet", "-of", "json", "-show_streams", "-show_packets", "file:" + path,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try JSONDecoder().decode(FFprobeReport.self, from: data.isEmpty ? Data("{}".utf8) : data)
  }

  /// The shown packets of a stream.
  func shown(_ index: Int) -> [Packet] {
    (packets ?? []).filter {
      $0.stream_index == index && !$0.flags.contains("D") && $0.pts != nil
    }
  }
}
