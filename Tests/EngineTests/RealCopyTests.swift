import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Copies of real files: the packets in the result are the sources'.
@Suite(.needsFFmpeg, .needsSamples)
struct RealCopyTests {
  @Test func joiningFilesOfEqualParametersKeepsEveryPacket() throws {
    let names = ["1-preroll", "2-midroll", "3-postroll"].map { "concat/same-params-\($0).mp4" }
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try names.map { try sample($0) }.joined(separator: ","), export: Text.passthrough
      ).export(to: "joined.mp4", in: folder)
      #expect(made.actions == ["video": ["copy"], "audio": ["copy"]])
      let sources = try names.map { URL(filePath: try ProbeFolder.path($0)) }
      let pictures = try sources.flatMap { try DecodedPictures.packetHashes($0) }
      #expect(try DecodedPictures.packetHashes(made.url) == pictures)
      let sound = try sources.flatMap { try DecodedPictures.packetHashes($0, stream: "a:0") }
      let copied = try DecodedPictures.packetHashes(made.url, stream: "a:0")
      // Packets of priming at the joints are left out; all others are the sources'.
      #expect(Set(copied).isSubset(of: Set(sound)))
      #expect(copied.count > sound.count - 12)
      let probed = try ProbedFile(made.url)
      #expect(probed.stream("video")["duration"] == "15.000000")
      #expect(probed.stream("video")["start_time"] == "0.000000")
      #expect(probed.stream("audio")["start_time"] == "0.000000")
      // What is shown is what the sources show, one after the other.
      let shown = try sources.flatMap { try DecodedPictures.hashes($0) }
      #expect(try DecodedPictures.hashes(made.url) == shown)
    }
  }

  /// From a keyframe to the end all is copied, so that the promise holds; from elsewhere it does not.
  @Test(arguments: [("360/600", true), ("0.7", false)])
  func dolbyVisionIsKeptWhereAllPicturesAre(start: String, isKept: Bool) throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try sample(
          "hevc/iphone-hlg-dovi-opengop-editlist-rot90.mov",
          #""in": "\#(start)", "out": "941/600", "audio": false"#)
      ).export(to: "cut.mp4", in: folder)
      let said = try Program.run(
        "ffprobe",
        ["-v", "error", "-show_entries", "stream_side_data=side_data_type", made.url.path]
      ).lines.joined()
      #expect(said.contains("DOVI configuration record") == isKept)
      let rendered = made.report.plan.video?.chunks.contains { !$0.isCopied }
      #expect(rendered == !isKept)
      let notes = made.report.plan.diagnostics.map(\.code)
      #expect(notes.contains("copy.dolby-vision") == !isKept)
    }
  }

  @Test func trimmingOnKeyframesKeepsPacketsAndMetadataAndChangesTheTitle() throws {
    let clock = try ProbeFolder.path("h264/timestamps-burned-320x240p60-aac48k.mp4")
    try withTemporaryDirectory { folder in
      let source = folder.appending(path: "tagged.mp4")
      try Program.ffmpeg([
        "-i", clock, "-c", "copy", "-movflags", "+faststart", "-metadata", "title=Old", "-metadata",
        "artist=Somebody", "-metadata", "comment=Kept", "-metadata", "date=2024-05-06",
        "-metadata", "location=+40.6800-074.4999/",
        source.path,
      ])
      let made = try Text(
        clips: try clip(source.path, #""in": "25/6", "out": "5s""#), export: Text.passthrough,
        more: #""metadata": {"inherit": "all", "items": {"title": "New"}}"#
      ).export(to: "trimmed.mp4", in: folder)
      let packets = try DecodedPictures.packetHashes(source)
      #expect(try DecodedPictures.packetHashes(made.url) == Array(packets[250...]))
      let probed = try ProbedFile(made.url)
      #expect(probed.stream("video")["duration"] == "0.833333")
      #expect(probed.stream("video")["start_time"] == "0.000000")
      #expect(probed.format["tags.title"] == "New")
      #expect(probed.format["tags.artist"] == "Somebody")
      #expect(probed.format["tags.comment"] == "Kept")
      #expect(probed.format["tags.date"] == "2024-05-06")
      #expect(probed.format["tags.location"] == "+40.6800-074.4999/")
      // The index stands in front.
      let head = try Data(contentsOf: made.url).prefix(4096)
      #expect(head.range(of: Data("moov".utf8)) != nil)
      #expect(try DecodedPictures.hashes(made.url).count == 50)
    }
  }
}
