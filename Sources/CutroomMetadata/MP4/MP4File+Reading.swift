extension MP4File {
  /// All metadata items: QuickTime's keys first, then iTunes' items, then user data.
  package func items() throws(MetadataError) -> [MetadataItem] {
    var items: [MetadataItem] = []
    for parent in [root, userData] {
      guard let parent else { continue }
      for meta in parent.children where meta.type == "meta" {
        items += try self.items(of: meta)
      }
    }
    for box in userData?.children ?? [] where box.type != "meta" {
      items += UserData.items(box.type, Array(moov[box.content]))
    }
    return items
  }

  private func items(of meta: Box) throws(MetadataError) -> [MetadataItem] {
    guard let ilst = meta.child("ilst") else { return [] }
    if handler(of: meta) == "mdta" {
      guard let keys = meta.child("keys") else { return [] }
      return try KeyedMetadata(moov, keys: keys, ilst: ilst).items
    }
    return Ilst(moov, ilst.content).items
  }

  /// The chapters of the chapter list; a chapter track is not looked at.
  package var chapters: [MetadataChapter] {
    guard let box = userData?.child("chpl") else { return [] }
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
