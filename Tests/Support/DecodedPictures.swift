package import Foundation

/// Pictures of a file as ffmpeg decodes them.
package enum DecodedPictures {
  /// One MD5 for each shown picture; `input` stands before the file, `filter` is applied.
  package static func hashes(
    _ url: URL, filter: String? = nil, input: [String] = []
  ) throws -> [String] {
    let filters = filter.map { ["-vf", $0] } ?? []
    let result = try Program.ffmpeg(
      input + ["-i", "file:" + url.path, "-map", "0:v:0"] + filters
        + ["-vsync", "passthrough", "-f", "framehash", "-hash", "md5", "-"])
    return hashes(in: result)
  }

  /// One MD5 for each packet of a stream, in the file's order.
  ///
  /// `options` stand before the file.
  package static func packetHashes(
    _ url: URL, stream: String = "v:0", options: [String] = []
  ) throws -> [String] {
    try Program.run(
      "ffprobe",
      ["-v", "error", "-select_streams", stream, "-show_entries", "packet=data_hash"]
        + ["-show_data_hash", "md5", "-of", "csv=p=0"] + options + ["file:" + url.path]
    ).lines.compactMap { line in
      line.split(separator: ",").first { $0.hasPrefix("MD5:") }.map(String.init)
    }
  }

  private static func hashes(in result: Program.Result) -> [String] {
    result.lines.filter { !$0.hasPrefix("#") }.compactMap { line in
      line.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The pixels of every shown picture after `filter`, one array each; `size` is bytes a picture.
  package static func bytes(
    _ url: URL, filter: String, size: Int, input: [String] = []
  ) throws -> [[UInt8]] {
    let result = try Program.ffmpeg(
      input + [
        "-i", "file:" + url.path, "-map", "0:v:0", "-vf", filter, "-vsync", "passthrough", "-f",
        "rawvideo", "-",
      ])
    let all = [UInt8](result.output)
    return stride(from: 0, to: all.count - size + 1, by: size).map { Array(all[$0..<$0 + size]) }
  }

  /// The numbers that the 16 bars of every shown picture spell, as the counting fixtures have them.
  package static func numbers(_ url: URL, filter: String? = nil) throws -> [Int] {
    let chain =
      (filter.map { $0 + "," } ?? "")
      + "scale=320:180:flags=neighbor,crop=320:2:0:90,format=gray"
    return try bytes(url, filter: chain, size: 640).map { row in
      (0..<16).reduce(0) { $0 + (row[$1 * 20 + 10] > 125 ? 1 << $1 : 0) }
    }
  }

  /// The mean PSNR in decibels of two files' pictures after `filters`; infinite where equal.
  package static func psnr(
    _ a: URL, _ b: URL, filters: (String, String), inputs: ([String], [String]) = ([], [])
  ) throws -> Double {
    let chain = "[0:v:0]\(filters.0)[a];[1:v:0]\(filters.1)[b];[a][b]psnr=f=-"
    let result = try Program.run(
      "ffmpeg",
      ["-hide_banner", "-v", "info", "-nostdin"] + inputs.0 + ["-i", "file:" + a.path] + inputs.1
        + ["-i", "file:" + b.path, "-lavfi", chain, "-f", "null", "-"])
    guard let line = result.errors.split(separator: "\n").last(where: { $0.contains("average:") }),
      let word = line.split(separator: " ").first(where: { $0.hasPrefix("average:") })
    else { throw Program.Failure(description: "no PSNR in\n" + result.errors) }
    return Double(word.dropFirst("average:".count)) ?? .infinity
  }
}
