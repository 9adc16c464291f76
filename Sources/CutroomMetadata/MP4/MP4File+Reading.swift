internal import CutroomModel

extension MP4File {
  /// All metadata items: QuickTime's keys first, then iTunes' items, then user data.
  package func items() throws(MetadataError) -> [MetadataItem] {
    var items: [MetadataItem] = []
    for place in metas {
      guard let ilst = place.meta.child("ilst") else { continue }
      if place.handler == "mdta" {
        guard let keys = place.meta.child("keys") else { continue }
        items += try KeyedMetadata(moov, keys: keys, ilst: ilst).items
      } else {
        items += Ilst(moov, ilst.content).items
      }
    }
    for box in userData.flatMap(\.children) where box.type != "meta" {
      items += UserData.items(box.type, Array(moov[box.content]))
    }
    return items
  }

  /// The chapters: those of the chapter track, or those of the chapter list where there is none.
  ///
  /// Where both agree, the times are the list's, which are finer, and the titles the track's,
  /// which are never cut.
  package var chapters: [MetadataChapter] {
    let list = listedChapters
    let track = chapterTracks.first.map(chapters) ?? []
    guard !track.isEmpty else { return list }
    guard ChapterTrack.agree(list, track, titles: false) else { return track }
    return zip(list, track).map { MetadataChapter(start: $0.start, title: $1.title) }
  }

  /// The chapters of the chapter list alone.
  var listedChapters: [MetadataChapter] {
    guard let box = userData.compactMap({ $0.child("chpl") }).first else { return [] }
    return ChapterList.read(Array(moov[box.content]))
  }

  /// What the brand says the file is.
  package var container: TagContainer {
    switch brand {
    case "qt  ": .mov
    case "M4A ", "M4B ", "M4P ": .m4a
    default: .mp4
    }
  }
}
