extension Container {
  /// All containers that can be written.
  ///
  /// Where several share an ending, the first one stands for it.
  package static let all: [Container] = mp4Family + matroska + sound + broadcast + moving

  private static let pcm = ["pcm_s16le", "pcm_s24le", "pcm_f32le"]

  private static let mp4Family: [Container] = [
    Container(
      name: "mp4", muxer: "mp4", fileExtensions: ["mp4"],
      videoCodecs: ["h264", "hevc", "av1", "vp9", "mpeg4", "mpeg2video", "mjpeg"],
      audioCodecs: ["aac", "mp3", "opus", "flac", "alac", "ac3", "eac3"],
      subtitleCodecs: ["mov_text"],
      hasEditLists: true, hasChapters: true, hidesPriming: true),
    Container(
      name: "mov", muxer: "mov", fileExtensions: ["mov", "qt"],
      videoCodecs: [
        "h264", "hevc", "prores", "dnxhd", "mpeg4", "mjpeg", "png", "qtrle", "mpeg2video",
      ],
      audioCodecs: ["aac", "alac"] + pcm + ["mp3", "ac3", "eac3"], subtitleCodecs: ["mov_text"],
      hasEditLists: true, hasChapters: true, hidesPriming: true),
    Container(
      name: "m4v", muxer: "ipod", fileExtensions: ["m4v"], videoCodecs: ["h264", "mpeg4"],
      audioCodecs: ["aac", "alac", "ac3"], subtitleCodecs: ["mov_text"],
      hasEditLists: true, hasChapters: true, hidesPriming: true),
    Container(
      name: "m4a", muxer: "ipod", fileExtensions: ["m4a", "m4b"], videoCodecs: [],
      audioCodecs: ["aac", "alac"], hasEditLists: true, hasChapters: true, hidesPriming: true),
  ]

  private static let matroskaSound =
    ["aac", "opus", "flac", "vorbis", "mp3", "alac", "ac3", "eac3", "mp2"] + pcm

  private static let matroska: [Container] = [
    Container(
      name: "mkv", muxer: "matroska", fileExtensions: ["mkv"],
      videoCodecs: [
        "h264", "hevc", "av1", "vp9", "vp8", "ffv1", "prores", "dnxhd", "mpeg4", "mpeg2video",
        "mjpeg", "png", "qtrle",
      ],
      audioCodecs: matroskaSound, subtitleCodecs: ["subrip", "ass", "webvtt"], hasChapters: true),
    Container(
      name: "mka", muxer: "matroska", fileExtensions: ["mka"], videoCodecs: [],
      audioCodecs: matroskaSound, hasChapters: true),
    Container(
      name: "webm", muxer: "webm", fileExtensions: ["webm", "weba"],
      videoCodecs: ["vp9", "vp8", "av1"], audioCodecs: ["opus", "vorbis"],
      subtitleCodecs: ["webvtt"], hasChapters: true),
  ]

  private static let sound: [Container] = [
    Container(
      name: "mp3", muxer: "mp3", fileExtensions: ["mp3"], videoCodecs: [], audioCodecs: ["mp3"],
      hidesPriming: true),
    Container(
      name: "flac", muxer: "flac", fileExtensions: ["flac"], videoCodecs: [],
      audioCodecs: ["flac"]),
    Container(
      name: "wav", muxer: "wav", fileExtensions: ["wav"], videoCodecs: [], audioCodecs: pcm),
    Container(
      name: "aiff", muxer: "aiff", fileExtensions: ["aiff", "aif", "aifc"], videoCodecs: [],
      audioCodecs: ["pcm_s16be", "pcm_s24be", "pcm_f32be", "pcm_s16le"]),
    Container(
      name: "caf", muxer: "caf", fileExtensions: ["caf"], videoCodecs: [],
      audioCodecs: pcm + ["pcm_s16be", "pcm_s24be", "pcm_f32be", "alac"]),
    Container(
      name: "ogg", muxer: "ogg", fileExtensions: ["ogg", "oga"], videoCodecs: [],
      audioCodecs: ["vorbis", "opus", "flac"], hidesPriming: true),
    Container(
      name: "opus", muxer: "opus", fileExtensions: ["opus"], videoCodecs: [],
      audioCodecs: ["opus"], hidesPriming: true),
  ]

  private static let broadcast: [Container] = [
    Container(
      name: "mpegts", muxer: "mpegts", fileExtensions: ["ts", "m2ts", "mts"],
      videoCodecs: ["h264", "hevc", "mpeg2video"],
      audioCodecs: ["aac", "mp2", "mp3", "ac3", "eac3"], ticksPerSecond: 90000),
    Container(
      name: "mxf", muxer: "mxf", fileExtensions: ["mxf"], videoCodecs: ["mpeg2video", "dnxhd"],
      audioCodecs: ["pcm_s16le", "pcm_s24le"], countsFrames: true, ordersPackets: true),
    Container(
      name: "avi", muxer: "avi", fileExtensions: ["avi"],
      videoCodecs: ["mpeg4", "mjpeg", "ffv1", "png"],
      audioCodecs: ["mp3", "ac3", "pcm_s16le"], countsFrames: true),
    Container(
      name: "nut", muxer: "nut", fileExtensions: ["nut"],
      videoCodecs: [
        "h264", "hevc", "vp9", "vp8", "ffv1", "mpeg4", "mpeg2video", "mjpeg", "png",
      ],
      audioCodecs: ["aac", "mp3", "flac", "vorbis", "opus", "ac3"] + pcm),
  ]

  private static let moving: [Container] = [
    Container(
      name: "gif", muxer: "gif", fileExtensions: ["gif"], videoCodecs: ["gif"], audioCodecs: [],
      ticksPerSecond: 100),
    Container(
      name: "apng", muxer: "apng", fileExtensions: ["apng"], videoCodecs: ["apng"],
      audioCodecs: [], countsFrames: true),
    Container(
      name: "png-sequence", muxer: "", fileExtensions: ["png"], videoCodecs: ["png"],
      audioCodecs: [], isFolder: true),
    Container(
      name: "jpeg-sequence", muxer: "", fileExtensions: ["jpg", "jpeg"], videoCodecs: ["mjpeg"],
      audioCodecs: [], isFolder: true),
  ]
}
