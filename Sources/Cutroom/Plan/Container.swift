/// A container that can be written, and what it can hold.
package struct Container: Hashable, Sendable {
  /// The name in the composition file.
  package var name: String
  /// libavformat's name of the muxer.
  package var muxer: String
  /// The file name endings that stand for it.
  package var fileExtensions: [String]
  /// Video codecs by their names in the composition file; the first is the default.
  package var videoCodecs: [String]
  /// Audio codecs; the first is the default.
  package var audioCodecs: [String]
  /// Whether edit lists place and trim a track exactly: the MP4 family.
  package var hasEditLists = false
  /// Whether chapters can be stored while muxing.
  package var hasChapters = false

  /// All of them.
  package static let all: [Container] = [
    Container(
      name: "mp4", muxer: "mp4", fileExtensions: ["mp4", "m4v"],
      videoCodecs: ["h264", "hevc", "av1", "vp9", "mpeg4", "mpeg2video", "mjpeg"],
      audioCodecs: ["aac", "mp3", "opus", "flac", "alac", "ac3", "eac3"],
      hasEditLists: true, hasChapters: true),
    Container(
      name: "mov", muxer: "mov", fileExtensions: ["mov", "qt"],
      videoCodecs: [
        "h264", "hevc", "prores", "dnxhd", "mpeg4", "mjpeg", "png", "qtrle", "mpeg2video",
      ],
      audioCodecs: [
        "aac", "alac", "pcm_s16le", "pcm_s24le", "pcm_f32le", "mp3", "ac3", "eac3",
      ],
      hasEditLists: true, hasChapters: true),
    Container(
      name: "m4a", muxer: "ipod", fileExtensions: ["m4a", "m4b"], videoCodecs: [],
      audioCodecs: ["aac", "alac"], hasEditLists: true, hasChapters: true),
    Container(
      name: "mkv", muxer: "matroska", fileExtensions: ["mkv", "mka"],
      videoCodecs: [
        "h264", "hevc", "av1", "vp9", "vp8", "ffv1", "prores", "dnxhd", "mpeg4", "mpeg2video",
        "mjpeg", "png", "qtrle",
      ],
      audioCodecs: [
        "aac", "opus", "flac", "vorbis", "mp3", "alac", "ac3", "eac3", "pcm_s16le", "pcm_s24le",
        "pcm_f32le",
      ],
      hasChapters: true),
    Container(
      name: "webm", muxer: "webm", fileExtensions: ["webm", "weba"],
      videoCodecs: ["vp9", "vp8", "av1"], audioCodecs: ["opus", "vorbis"], hasChapters: true),
    Container(
      name: "mp3", muxer: "mp3", fileExtensions: ["mp3"], videoCodecs: [], audioCodecs: ["mp3"]),
    Container(
      name: "flac", muxer: "flac", fileExtensions: ["flac"], videoCodecs: [],
      audioCodecs: ["flac"]),
    Container(
      name: "wav", muxer: "wav", fileExtensions: ["wav"], videoCodecs: [],
      audioCodecs: ["pcm_s16le", "pcm_s24le", "pcm_f32le"]),
    Container(
      name: "ogg", muxer: "ogg", fileExtensions: ["ogg", "oga"], videoCodecs: [],
      audioCodecs: ["vorbis", "opus", "flac"]),
    Container(
      name: "opus", muxer: "opus", fileExtensions: ["opus"], videoCodecs: [],
      audioCodecs: ["opus"]),
  ]

  /// The container of that name.
  package static func named(_ name: String) -> Container? { all.first { $0.name == name } }

  /// The container that a file name's ending stands for.
  package static func forFile(_ path: String) -> Container? {
    guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else {
      return nil
    }
    let ending = name[name.index(after: dot)...].lowercased()
    return all.first { $0.fileExtensions.contains(ending) }
  }
}
