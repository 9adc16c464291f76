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
  /// The forms of subtitles as text, by FFmpeg's names of the codecs.
  package var subtitleCodecs: [String] = []
  /// Whether edit lists place and trim a track exactly: the MP4 family.
  package var hasEditLists = false
  /// Whether chapters can be stored while muxing.
  package var hasChapters = false
  /// Whether players can be told to skip the samples that an encoder puts in front.
  package var hidesPriming = false
  /// Whether times are counted in frames, so that every frame must last one tick.
  package var countsFrames = false
  /// The container's own ticks per second, where no other can be chosen.
  package var ticksPerSecond: Int64?
  /// Whether packets are put in order by the muxer, which has its own rules for it.
  package var ordersPackets = false
  /// Whether the result is a folder with one file per picture.
  package var isFolder = false

  /// Whether it is Matroska or its part for the web.
  package var isMatroska: Bool { muxer == "matroska" || muxer == "webm" }

  /// Whether packets keep their own times, so that sound may begin late and have holes.
  package var keepsTimes: Bool { hasEditLists || isMatroska || ["mpegts", "nut"].contains(muxer) }

  /// Whether copied and rendered pictures can stand in one stream: elsewhere, headers or indexes
  /// tie a stream to one way of coding.
  package var joinsPictures: Bool {
    hasEditLists || ["matroska", "webm", "mpegts", "nut"].contains(muxer)
  }

  /// The container of that name.
  package static func named(_ name: String) -> Container? { all.first { $0.name == name } }

  /// The container that a file name's ending stands for.
  package static func forFile(_ path: String) -> Container? {
    guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else {
      return nil
    }
    let ending = name[name.index(after: dot)...].lowercased()
    return all.first { !$0.isFolder && $0.fileExtensions.contains(ending) }
  }
}
