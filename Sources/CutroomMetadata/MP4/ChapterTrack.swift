internal import CutroomModel

/// A text track that other tracks name as their chapters; its samples are read when asked for.
struct ChapterTrack {
  /// The `trak` box.
  let box: Box
  /// The number of the track.
  let number: UInt32
  /// The language code of its media.
  let language: Int
  /// The ticks in a second of its media.
  let timescale: UInt32

  /// Whether two lists are the same to a millisecond, which is what most files count chapters in.
  static func agree(
    _ first: [MetadataChapter], _ second: [MetadataChapter], titles: Bool
  ) -> Bool {
    first.count == second.count
      && zip(first, second).allSatisfy { a, b in
        let gap = a.start - b.start
        return gap < Rational(1, 1000) && gap > Rational(-1, 1000)
          && (!titles || a.title == b.title)
      }
  }
}

extension MP4File {
  var tracks: [Box] { root.children.filter { $0.type == "trak" } }

  /// The places of the chapter tracks among all tracks.
  package var chapterTrackPlaces: Set<Int> {
    let numbers = Set(chapterReferences)
    return Set(tracks.indices.filter { trackNumber(tracks[$0]).map(numbers.contains) ?? false })
  }

  func trackNumber(_ track: Box) -> UInt32? { ChunkOffsets.number(moov, track) }

  /// What the media of a track are, such as `vide`.
  func mediaHandler(_ track: Box) -> FourCC? {
    handlerType(track.child("mdia", "hdlr"))
  }

  /// The numbers in a track's `tref/chap`, with the boxes.
  func chapterReference(_ track: Box) -> (list: Box, chap: Box?, numbers: [UInt32])? {
    guard let list = track.child("tref") else { return nil }
    let chap = BoxParser.flat(moov, in: list.content).boxes.first { $0.type == "chap" }
    let numbers = stride(from: 0, to: (chap?.content.count ?? 0) / 4 * 4, by: 4).compactMap {
      offset in chap.flatMap { moov.u32($0.content.lowerBound + offset) }
    }
    return (list, chap, numbers)
  }

  private var chapterReferences: [UInt32] {
    tracks.flatMap { chapterReference($0)?.numbers ?? [] }
  }

  /// The text tracks that are chapters, in the order in which they are named.
  var chapterTracks: [ChapterTrack] {
    var seen: Set<UInt32> = []
    let numbered = Dictionary(
      tracks.compactMap { track in trackNumber(track).map { ($0, track) } }
    ) { first, _ in first }
    return chapterReferences.compactMap { number in
      guard seen.insert(number).inserted, let track = numbered[number] else { return nil }
      return chapterTrack(track, number)
    }
  }

  private func chapterTrack(_ track: Box, _ number: UInt32) -> ChapterTrack? {
    guard let header = track.child("mdia", "mdhd"), header.content.count >= 24,
      let format = track.child("mdia", "minf", "stbl", "stsd"),
      let type = moov.u32(format.content.lowerBound + 12).map({ FourCC($0) }),
      ["text", "tx3g"].contains(type)
    else { return nil }
    let start = header.content.lowerBound
    let isLong = moov[start] == 1
    let scale = moov.u32(start + (isLong ? 20 : 12)) ?? 0
    let language = moov.u16(start + (isLong ? 32 : 20)) ?? MacLanguage.undetermined
    return ChapterTrack(box: track, number: number, language: language, timescale: scale)
  }

  private func samples(of track: ChapterTrack) -> [SampleTable.Sample] {
    guard let table = track.box.child("mdia", "minf", "stbl") else { return [] }
    return SampleTable.samples(moov, table) ?? []
  }

  /// The bytes of a chapter track's samples, where they lie together.
  func sampleRange(of track: ChapterTrack) -> Range<Int64>? {
    let samples = samples(of: track)
    for (sample, next) in zip(samples, samples.dropFirst())
    where sample.offset + Int64(sample.size) != next.offset { return nil }
    return samples.first.flatMap { first in
      samples.last.map { first.offset..<max(first.offset, $0.offset + Int64($0.size)) }
    }
  }

  /// What the samples of a chapter track say; empty where they cannot be read, or where their
  /// tables claim more than titles take.
  func chapters(of track: ChapterTrack) -> [MetadataChapter] {
    let samples = samples(of: track)
    guard track.timescale > 0, samples.reduce(0, { $0 + $1.size }) <= Self.maximumTitles else {
      return []
    }
    return chapters(samples, track.timescale, delay: delay(of: track.box, track.timescale))
  }

  /// How many bytes the titles of a chapter track may have together.
  private static let maximumTitles = 16 << 20

  /// By how much the edit list moves the track's media, in seconds.
  func delay(of track: Box, _ scale: UInt32) -> Rational {
    guard let edits = track.child("edts"), let header = MovieHeaderBox(self),
      let list = BoxParser.flat(moov, in: edits.content).boxes.first(where: { $0.type == "elst" }),
      let count = moov.u32(list.content.lowerBound + 4)
    else { return .zero }
    let isLong = moov[list.content.lowerBound] == 1
    let width = isLong ? 8 : 4
    var delay = Rational.zero
    for index in 0..<min(Int(count), 8) {
      let start = list.content.lowerBound + 8 + index * (2 * width + 4)
      guard start + 2 * width <= list.end, let length = moov.number(at: start, bytes: width),
        let bits = moov.number(at: start + width, bytes: width)
      else { break }
      let time = isLong ? Int64(bitPattern: bits) : Int64(Int32(truncatingIfNeeded: bits))
      if time >= 0 { return delay - Rational(time, Int64(scale)) }
      delay += Rational(Int64(clamping: length), header.timescale)
    }
    return delay
  }

  private func chapters(
    _ samples: [SampleTable.Sample], _ scale: UInt32, delay: Rational
  ) -> [MetadataChapter] {
    var chapters: [MetadataChapter] = []
    for sample in samples {
      guard let title = title(of: sample) else { return [] }
      let start = Rational(sample.start, Int64(scale)) + delay
      chapters.append(MetadataChapter(start: max(.zero, start), title: title))
    }
    // What comes before the first chapter is a sample without a text.
    if chapters.count > 1, chapters[0].title.isEmpty, chapters[0].start == .zero {
      chapters.removeFirst()
    }
    return chapters
  }

  /// The text of a sample: a length, the text, and boxes that may follow.
  private func title(of sample: SampleTable.Sample) -> String? {
    guard (2...(1 << 17)).contains(sample.size) else { return nil }
    let bytes: [UInt8]
    do { bytes = try reader.read(at: sample.offset, count: sample.size) } catch { return nil }
    guard let length = bytes.u16(0), length + 2 <= bytes.count else { return nil }
    let text = bytes[2..<2 + length]
    if isMarkedUTF16(text) { return decodingUTF16(text) }
    return strictUTF8(text) ?? MacEncoding.roman.decode(text)
  }
}
