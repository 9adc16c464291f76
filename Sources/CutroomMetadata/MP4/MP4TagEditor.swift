internal import CutroomModel

/// Changes items and chapters of an MP4, M4A or QuickTime file.
///
/// Everything that is not named by an operation stays byte for byte, in its place and order.
package struct MP4TagEditor {
  let file: MP4File
  let container: TagContainer
  private let creationTime: Int64?

  /// With a `creationTime`, in seconds since the beginning of 1904, the headers say it.
  package init(_ file: MP4File, container: TagContainer, creationTime: Int64? = nil) {
    self.file = file
    self.container = container
    self.creationTime = creationTime
  }

  /// Plans the edit; `chapters` replace the chapter list and the chapter track, `nil` leaves them.
  ///
  /// - Throws: ``MetadataError`` if the file is of a kind that cannot be edited safely.
  package func plan(
    _ operations: [TagOperation], chapters: [MetadataChapter]? = nil
  ) throws(MetadataError) -> MP4EditPlan {
    let track = try chapters.map { (list) throws(MetadataError) in
      try ChapterTrackEdit(file, list)
    }
    func splices(at offset: Int64) throws(MetadataError) -> Splices {
      try self.splices(operations, chapters, track, at: offset)
    }
    guard let track, let number = track.number, let data = track.data else {
      return try MP4EditPlan.replacingMovie(of: file, try splices(at: 0))
    }
    if let end = track.placeBeforeMovie {
      return try MP4EditPlan.movingMovieBehind(
        data, at: end, of: file, try splices(at: end + 8))
    }
    // The size does not depend on where the new samples lie, which is after everything else.
    let draft = try MP4EditPlan.replacingMovie(of: file, try splices(at: 0), newTrack: number)
    let size = draft.size(of: file) - (file.reader.size - track.endOfRest)
    let plan = try MP4EditPlan.replacingMovie(
      of: file, try splices(at: size + 8), newTrack: number)
    return plan.appending(data, at: track.endOfRest, of: file)
  }

  /// The changes to the movie header.
  ///
  /// The samples of a new chapter track lie at `offset`; with `usesPadding`, a `free` box beside the
  /// items takes the difference.
  func splices(
    _ operations: [TagOperation], _ chapters: [MetadataChapter]?, _ track: ChapterTrackEdit?,
    at offset: Int64, usesPadding: Bool = true
  ) throws(MetadataError) -> Splices {
    var splices = Splices()
    var additions = UserDataAdditions()
    try editUserData(operations, &splices, &additions)
    if let chapters { editChapterList(chapters, &splices, &additions) }
    track?.apply(to: &splices, samplesAt: offset)
    if let creationTime { MovieDates.set(creationTime, file, &splices) }
    try editKeys(operations, &splices)
    try editItems(operations, &splices, &additions, usesPadding)
    additions.insert(into: file, &splices)
    return splices
  }

  /// What is appended to the user data, which may not be there yet.
  struct UserDataAdditions {
    var bytes: [UInt8] = []

    func insert(into file: MP4File, _ splices: inout Splices) {
      guard !bytes.isEmpty else { return }
      if let data = file.userData.first {
        let point = data.insertionPoint
        splices.replace(point..<point, with: bytes, in: [file.root, data])
      } else {
        let end = file.root.insertionPoint
        splices.replace(end..<end, with: bytes.boxed("udta"), in: [file.root])
      }
    }
  }

  private func editChapterList(
    _ chapters: [MetadataChapter], _ splices: inout Splices,
    _ additions: inout UserDataAdditions
  ) {
    var box = chapters.isEmpty ? [] : ChapterList.box(chapters)
    for data in file.userData {
      for old in data.children where old.type == "chpl" {
        if Array(file.moov[old.start..<old.end]) != box {
          splices.replace(old.start..<old.end, with: box, in: [file.root, data])
        }
        box = []
      }
    }
    additions.bytes += box
  }
}

// MARK: - User data

extension MP4TagEditor {
  private func editUserData(
    _ operations: [TagOperation], _ splices: inout Splices, _ additions: inout UserDataAdditions
  ) throws(MetadataError) {
    var places: [FourCC: [(box: Box, data: Box)]] = [:]
    for data in file.userData {
      for box in data.children where box.type != "meta" {
        places[box.type, default: []].append((box, data))
      }
    }
    var replacements: [(type: FourCC, bytes: [UInt8])] = []
    func replace(_ type: FourCC, by bytes: [UInt8]) {
      replacements.removeAll { $0.type == type }
      replacements.append((type, bytes))
    }
    var isCleared = false
    for operation in operations {
      switch operation {
      case .clear:
        isCleared = true
        replacements = []
        for (type, boxes) in places where boxes.contains(where: { hasItems($0.box) }) {
          replace(type, by: [])
        }
      case .set(let identifier, let items)
      where identifier.keySpace == .udta || identifier.keySpace == .uiso:
        let type = FourCC(identifier.key)
        // What was cleared is no pattern for what is set after it.
        let old = isCleared ? [] : (places[type] ?? []).map { Array(file.moov[$0.box.content]) }
        guard let bytes = UserDataWriter.boxes(identifier, items, replacing: old) else {
          throw MetadataError(
            .unsupported,
            "'\(identifier)' cannot hold this value; 'yrrc' takes a year, 'loci' a place by ISO 6709, others "
              + "a text", about: identifier)
        }
        replace(type, by: bytes)
      default: continue
      }
    }
    for (type, bytes) in replacements {
      let old = places[type] ?? []
      guard old.flatMap({ Array(file.moov[$0.box.start..<$0.box.end]) }) != bytes else { continue }
      for (index, place) in old.enumerated() {
        splices.replace(
          place.box.start..<place.box.end, with: index == 0 ? bytes : [],
          in: [file.root, place.data])
      }
      if old.isEmpty { additions.bytes += bytes }
    }
  }

  private func hasItems(_ box: Box) -> Bool {
    !UserData.items(box.type, Array(file.moov[box.content])).isEmpty
  }
}
