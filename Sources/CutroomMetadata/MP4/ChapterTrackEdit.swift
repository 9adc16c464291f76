internal import CutroomModel

/// What an edit of chapters does to the tracks of a movie.
struct ChapterTrackEdit {
  private let file: MP4File
  private let movie: MovieHeaderBox?
  private let old: [ChapterTrack]
  private let writer: ChapterTrackWriter?
  private let isUnchanged: Bool

  /// The number of a track that is written anew.
  let number: UInt32?

  /// - Throws: ``MetadataError`` if chapters cannot be kept in step with the track.
  init(_ file: MP4File, _ chapters: [MetadataChapter]) throws(MetadataError) {
    self.file = file
    old = file.chapterTracks
    let header = MovieHeaderBox(file)
    movie = header
    isUnchanged =
      old.first.map { ChapterTrack.agree(file.chapters(of: $0), chapters, titles: true) } ?? false
    guard !isUnchanged else {
      (writer, number) = (nil, nil)
      return
    }
    try Self.checkReferences(file)
    if file.isFragmented, !old.isEmpty {
      throw MetadataError(
        .unsupported, "the chapter track of a file with movie fragments cannot be changed")
    }
    if Set(old.map(\.language)).count > 1 {
      throw MetadataError(
        .unsupported, "the file has chapters in several languages, which cannot be changed")
    }
    let hasMedia = file.tracks.contains { Self.isMedia(file, $0) }
    guard !chapters.isEmpty, !file.isFragmented, hasMedia, let header, header.duration > 0 else {
      (writer, number) = (nil, nil)
      return
    }
    let highest = file.tracks.compactMap(file.trackNumber).max() ?? 0
    let next = header.nextTrack == .max ? highest + 1 : max(header.nextTrack, highest + 1)
    let number = old.first?.number ?? next
    self.number = number
    writer = try ChapterTrackWriter(
      chapters, number: number, language: old.first?.language ?? MacLanguage.undetermined,
      movie: header)
  }

  /// A reference behind one that is damaged would not be found again.
  private static func checkReferences(_ file: MP4File) throws(MetadataError) {
    for list in file.tracks.compactMap({ $0.child("tref") }) {
      guard BoxParser.flat(file.moov, in: list.content).end == list.end else {
        throw MetadataError(.malformed, "the references of a track are damaged")
      }
    }
  }

  private static func isMedia(_ file: MP4File, _ track: Box) -> Bool {
    file.mediaHandler(track).map { $0 == "vide" || $0 == "soun" } ?? false
  }

  /// The box with the texts.
  var data: [UInt8]? { writer?.data.boxed("mdat") }

  // MARK: - Where the texts lie

  /// A box that holds nothing but the old texts.
  private var ownBox: MP4File.TopBox? {
    guard let range = old.first.flatMap(file.sampleRange) else { return nil }
    return file.boxes.first {
      $0.type == "mdat" && $0.start + Int64($0.header) == range.lowerBound
        && $0.end == range.upperBound
    }
  }

  /// Where all that stays ends.
  var endOfRest: Int64 {
    guard let box = ownBox, box.end == file.reader.size else { return file.reader.size }
    return box.start
  }

  /// Where the texts go when the movie header is the last box, and so follows them.
  var placeBeforeMovie: Int64? {
    let movie = file.boxes[file.moovIndex]
    guard movie.end == file.reader.size else { return nil }
    if let box = ownBox, box.end == movie.start { return box.start }
    return movie.start
  }

  // MARK: - The movie header

  func apply(to splices: inout Splices, samplesAt offset: Int64) {
    guard !isUnchanged else { return }
    let root = [file.root]
    for (index, track) in old.enumerated() {
      let bytes = index == 0 ? writer?.track(at: offset) ?? [] : []
      splices.replace(track.box.start..<track.box.end, with: bytes, in: root)
    }
    let removed = Set(old.map(\.number).dropFirst(writer == nil ? 0 : 1))
    for track in file.tracks { unlink(track, removed, &splices) }
    guard old.isEmpty, let writer, let number, let movie, let last = file.tracks.last else {
      return
    }
    splices.replace(last.end..<last.end, with: writer.track(at: offset), in: root)
    for track in file.tracks where Self.isMedia(file, track) { link(track, number, &splices) }
    var next: [UInt8] = []
    next.append(number == .max ? number : number + 1, bytes: 4)
    splices.replace(movie.box.end - 4..<movie.box.end, with: next, in: root + [movie.box])
  }

  /// Takes tracks out of a reference, and an empty reference away.
  private func unlink(_ track: Box, _ removed: Set<UInt32>, _ splices: inout Splices) {
    guard let (list, chap, numbers) = file.chapterReference(track), let chap,
      numbers.contains(where: removed.contains)
    else { return }
    let rest = numbers.filter { !removed.contains($0) }
    if !rest.isEmpty {
      splices.replace(
        chap.start..<chap.end, with: Self.chap(rest), in: [file.root, track, list])
    } else if chap.end - chap.start == list.content.count {
      splices.replace(list.start..<list.end, with: [], in: [file.root, track])
    } else {
      splices.replace(chap.start..<chap.end, with: [], in: [file.root, track, list])
    }
  }

  private func link(_ track: Box, _ number: UInt32, _ splices: inout Splices) {
    guard let (list, chap, numbers) = file.chapterReference(track) else {
      let point = track.child("mdia")?.start ?? track.insertionPoint
      splices.replace(
        point..<point, with: Self.chap([number]).boxed("tref"), in: [file.root, track])
      return
    }
    let range = chap.map { $0.start..<$0.end } ?? list.end..<list.end
    splices.replace(range, with: Self.chap(numbers + [number]), in: [file.root, track, list])
  }

  private static func chap(_ numbers: [UInt32]) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers { bytes.append(number, bytes: 4) }
    return bytes.boxed("chap")
  }
}
