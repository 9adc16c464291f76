import Cutroom
import CutroomModel
import Foundation
import Synchronization
import Testing

/// A composition and what checking it says about its media, codecs or container.
struct MediaCheck: Sendable, CustomTestStringConvertible {
  var name: String
  var tracks: String
  var extra = ""
  var severity = Diagnostic.Severity.error
  /// The findings of that severity, as `code pointer`.
  var findings: [String]
  /// Parts of the first finding's sentence.
  var words: [String] = []
  var fix: String?
  var testDescription: String { name }

  init(
    _ name: String, clips: String = "", tracks: String? = nil, extra: String = "",
    severity: Diagnostic.Severity = .error, finds findings: [String], words: [String] = [],
    fix: String? = nil
  ) {
    self.name = name
    self.tracks = tracks ?? "{\"clips\": [\(clips)]}"
    (self.extra, self.severity, self.findings) = (extra, severity, findings)
    (self.words, self.fix) = (words, fix)
  }
}

@Suite("Checks that know the media")
struct MediaCheckTests {
  static let clip = #"{"source": "a.mp4", "out": "2s"}"#

  static let ofTracks = [
    MediaCheck(
      "past the end of its picture, though its sound lasts longer",
      clips: #"{"source": "long-sound.mp4", "out": "2.5s"}"#,
      finds: ["range.past-end /tracks/0/clips/0/out"],
      words: ["2.5s", "the picture of 'long-sound.mp4'", "2s"],
      fix: "the clip can last at most 2s"),
    MediaCheck(
      "within its sound, where only that is wanted",
      tracks: #"{"kind": "audio", "clips": [{"source": "long-sound.mp4", "out": "2.5s"}]}"#,
      finds: []),
    MediaCheck(
      "past the end of its sound, though its picture lasts longer",
      tracks: #"{"kind": "audio", "clips": [{"source": "short.mp4", "out": "1.9s"}]}"#,
      finds: ["range.past-end /tracks/0/clips/0/out"],
      words: ["1.9s", "the sound of 'short.mp4'", "1.8s"]),
    MediaCheck(
      "sound that ends before the picture", clips: #"{"source": "short.mp4"}"#, severity: .note,
      finds: ["media.length-mismatch /tracks/0/clips/0"],
      words: ["picture of 'short.mp4' ends at 2s", "sound at 1.8s", "its last 0.2s are silent"]),
    MediaCheck(
      "sound that ends after the picture", clips: #"{"source": "long-sound.mp4"}"#, severity: .note,
      finds: ["media.length-mismatch /tracks/0/clips/0"],
      words: ["the last 1s of the sound are cut off"]),
    MediaCheck(
      "no picture for a video track",
      tracks: #"{"kind": "video", "clips": [{"source": "song.mp3"}]}"#,
      finds: ["media.no-stream /tracks/0/clips/0/source"]),
    MediaCheck(
      "a stream that is not there", clips: #"{"source": "s"}"#,
      extra: #""sources": {"s": {"path": "a.mp4", "video": 1}},"#,
      finds: ["media.no-stream /sources/s/video"],
      words: ["'a.mp4' has no video stream number 1"]),
    MediaCheck(
      "a codec that nothing decodes", clips: #"{"source": "strange.mov"}"#,
      finds: ["media.unsupported-codec /tracks/0/clips/0/source"], words: ["'none'", "picture"]),
    MediaCheck(
      "sound that nothing decodes", clips: #"{"source": "strange.mov", "video": false}"#,
      finds: ["media.unsupported-codec /tracks/0/clips/0/source"], words: ["'dolby_e_of_tomorrow'"]),
    MediaCheck(
      "missing handles, with the missing amount",
      clips: """
        {"source": "a.mp4", "in": "1s", "out": "9.9s"},
        {"transition": "dissolve", "duration": "1s"}, {"source": "b.mp4", "in": "0.2s"}
        """, finds: ["transition.handles /tracks/0/clips/1"],
      words: [
        "needs 0.52s of picture after", "0.42s are missing",
        "needs 0.48s of picture before", "0.28s are missing",
      ]),
    MediaCheck(
      "a hole of one frame", clips: #"\#(clip), {"source": "b.mp4", "at": "51f"}"#, severity: .note,
      finds: ["track.gap /tracks/0/clips/1/at"], words: ["0.04s after"],
      fix: "leave out \"at\" to let it follow at once"),
    MediaCheck(
      "a hole on purpose", clips: #"\#(clip), {"source": "b.mp4", "at": "3s"}"#, severity: .note,
      finds: []),
    MediaCheck(
      "HDR beside SDR", clips: #"{"source": "hlg.mov"}, {"source": "a.mp4"}"#,
      finds: ["color.mixed-hdr /tracks/0/clips/1/source"]),
    MediaCheck(
      "PQ beside HLG", clips: #"{"source": "hlg.mov"}, {"source": "pq.mov"}"#,
      finds: ["color.mixed-hdr /tracks/0/clips/1/source"]),
    MediaCheck(
      "HDR on a canvas that is said to be SDR", clips: #"{"source": "hlg.mov"}"#,
      extra: #""timeline": {"color": "bt709"},"#,
      severity: .warning,
      finds: ["color.mixed-hdr /tracks/0/clips/0/source"]),
    MediaCheck(
      "a variable rate", clips: #"{"source": "vfr.mp4"}"#, severity: .note,
      finds: ["media.variable-rate /tracks/0/clips/0/source"], words: ["29.88", "30000/1001"]),
    MediaCheck(
      "letters that no font has", clips: #"{"source": "t", "duration": 1}"#,
      extra:
        "\"sources\": {\"t\": {\"text\": \"A\u{10FFFD}\", \"font\": \"DejaVu Sans\", \"size\": 20}},",
      finds: ["media.font /sources/t/text"], words: ["U+10FFFD"]),
    MediaCheck(
      "a font that is not installed", clips: #"{"source": "t", "duration": 1}"#,
      extra: #""sources": {"t": {"text": "A", "font": "No Such Font", "size": 20}},"#,
      finds: ["media.font /sources/t/font"], words: ["'No Such Font'"]),
  ]

  static let ofExports = [
    MediaCheck(
      "an odd size", clips: #"{"source": "odd.mp4"}"#, finds: ["size.odd /timeline"],
      words: ["321×181", "yuv420p"],
      fix: "set timeline.size to [322, 182], or export.video.pixelFormat to \"yuv444p\""),
    MediaCheck(
      "an odd size where every pixel has its colour", clips: #"{"source": "odd.mp4"}"#,
      extra: #""export": {"video": {"pixelFormat": "yuv444p"}},"#, finds: []),
    MediaCheck(
      "a codec that the container does not hold", clips: clip,
      extra: #""export": {"container": "mp4", "video": {"codec": "prores"}},"#,
      finds: ["capability.codec-container /export/video/codec"],
      words: ["'mp4' cannot hold", "'prores'"],
      fix: "export to mov, or use h264"),
    MediaCheck(
      "the same codec where the container is not said", clips: clip,
      extra: #""export": {"video": {"codec": "prores"}},"#, finds: []),
    MediaCheck(
      "codecs that no container holds together", clips: clip,
      extra:
        #""export": {"video": {"codec": "vp8"}, "audio": {"codec": "ac3"}, "container": "webm"},"#,
      finds: ["capability.codec-container /export/audio/codec"], fix: "export to mp4, or use opus"),
    MediaCheck(
      "a rate that the codec does not state", clips: clip,
      extra: #""timeline": {"frameRate": 7}, "export": {"video": {"codec": "mpeg2video"}},"#,
      finds: ["capability.rate /timeline/frameRate"],
      words: ["'mpeg2video' has no 7 frames per second"],
      fix: "set timeline.frameRate to \"7500/1001\", or use another codec"),
    MediaCheck(
      "a rate of more ticks than the codec can state", clips: clip,
      extra: #""timeline": {"frameRate": "120000/1001"}, "export": {"video": {"codec": "mpeg4"}},"#,
      finds: ["capability.rate /timeline/frameRate"], words: ["65535"]),
    MediaCheck(
      "a rate that milliseconds round", clips: clip,
      extra: #""timeline": {"frameRate": 24}, "export": {"container": "webm"},"#, severity: .note,
      finds: ["capability.rate /timeline/frameRate", "copy.sound /export/audio"],
      words: ["1/1000 s", "0.0005s"]),
    MediaCheck(
      "a rate that milliseconds hold", clips: clip, extra: #""export": {"container": "mkv"},"#,
      severity: .note, finds: []),
    MediaCheck(
      "more frames than milliseconds", clips: clip,
      extra: #""timeline": {"frameRate": 2000}, "export": {"container": "mkv"},"#,
      finds: ["capability.rate /timeline/frameRate"], words: ["would share one"]),
    MediaCheck(
      "a channel layout that the codec has not", clips: clip,
      extra: #""timeline": {"channelLayout": "22.2"}, "export": {"audio": {"codec": "aac"}},"#,
      finds: ["capability.sound /timeline/channelLayout"], words: ["'aac'", "22.2"]),
    MediaCheck(
      "wider sound than the first clip's",
      clips: #"\#(clip), {"source": "surround.mp4"}"#, extra: #""export": {"container": "mp4"},"#,
      severity: .note,
      finds: ["capability.sound /timeline", "copy.sound /export/audio"],
      words: ["stereo", "5.1 sources are mixed down"]),
    MediaCheck(
      "a sample rate that the codec has not",
      tracks: #"{"kind": "audio", "clips": [{"source": "fast-rate.wav"}]}"#,
      extra: #""export": {"container": "mp4", "mode": "render"},"#, severity: .note,
      finds: ["capability.rate /timeline/sampleRate"],
      words: ["192000", "96000"]),
    MediaCheck(
      "an option that the encoder has not", clips: clip,
      extra: #""export": {"video": {"options": {"no-such": 1}}},"#,
      finds: ["capability.option /export/video/options/no-such"]),
    MediaCheck(
      "a picture that must be copied from a colour",
      tracks: #"{"kind": "video", "clips": [{"source": "red", "duration": 1}]}"#,
      extra: ##""sources": {"red": {"color": "#F00"}}, "export": {"mode": "passthrough"},"##,
      finds: ["passthrough.source /tracks/0/clips/0"]),
    MediaCheck(
      "chapters that the container has not", clips: clip,
      extra: """
        "chapters": [{"at": 0, "title": "A"}],
        "export": {"container": "caf", "video": false},
        """, severity: .warning, finds: ["capability.container /chapters"]),
  ]

  @Test(arguments: ofTracks)
  func tracksAreCheckedAgainstTheirSources(_ item: MediaCheck) {
    expect(FakeFiles.usual.check(tracks: item.tracks, item.extra), item)
  }

  @Test(arguments: ofExports)
  func whatAnExportWouldRefuseIsFoundBefore(_ item: MediaCheck) {
    expect(FakeFiles.usual.check(tracks: item.tracks, item.extra).checkedForExport, item)
  }

  private func expect(_ checked: CheckedComposition, _ item: MediaCheck) {
    #expect(checked.findings(item.severity) == item.findings)
    #expect(item.severity == .error || checked.findings(.error) == [])
    guard let finding = checked.diagnostics.first(where: { $0.severity == item.severity }) else {
      return
    }
    for words in item.words { #expect(finding.message.contains(words), "\(finding.message)") }
    if item.fix != nil { #expect(finding.fix == item.fix) }
    #expect(finding.place != nil)
  }

  /// Whoever opens a file waits until another one is being opened, too.
  @Test func sourcesAreOpenedAtTheSameTime() throws {
    let open = Mutex(0)
    let clips = (0..<8).map { "{\"source\": \"\($0).mp4\"}" }.joined(separator: ",")
    let json = "{\"format\": \"cutroom/1\", \"tracks\": [{\"clips\": [\(clips)]}]}"
    let text = SourceText(file: "t.json", text: json)
    let met = Mutex(false)
    let checked = Engine.check(text: text, baseDirectory: "") { path throws(AssetError) in
      let others = open.withLock { count in
        count += 1
        return count
      }
      if others > 1 { met.withLock { $0 = true } }
      let patience = ContinuousClock.now + .seconds(20)
      while !met.withLock({ $0 }), ContinuousClock.now < patience {
        Thread.sleep(forTimeInterval: 0.001)
      }
      open.withLock { $0 -= 1 }
      return FakeFiles.clip(path, picture: 10, sound: 10)
    }
    #expect(checked.findings(.error) == [])
    #expect(met.withLock { $0 }, "files are opened one after the other")
  }
}
