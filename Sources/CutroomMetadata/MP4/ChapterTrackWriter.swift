internal import CutroomModel

/// A chapter track as QuickTime has it: a text track that is never shown by itself.
struct ChapterTrackWriter {
  private let number: UInt32
  private let language: Int
  private let timescale: Int64
  /// The length of the movie in its own ticks.
  private let movieDuration: Int64
  private let samples: [(bytes: [UInt8], duration: Int64)]

  /// The content of the `mdat` box with the texts.
  var data: [UInt8] { samples.flatMap(\.bytes) }

  /// - Throws: ``MetadataError`` if the chapters are not in order within the movie.
  init(
    _ chapters: [MetadataChapter], number: UInt32, language: Int, movie: MovieHeaderBox
  ) throws(MetadataError) {
    self.number = number
    self.language = language
    movieDuration = movie.duration
    let end = Rational(movie.duration, movie.timescale)
    let scale = Self.timescale(chapters, movie, end)
    timescale = scale
    func tick(_ time: Rational) -> Int64 { Int64(clamping: (time * Rational(scale)).rounded) }
    var samples: [(bytes: [UInt8], duration: Int64)] = []
    if let first = chapters.first, tick(first.start) > 0 {
      samples.append((Self.sample([]), tick(first.start)))
    }
    for (index, chapter) in chapters.enumerated() {
      let next = index + 1 < chapters.count ? chapters[index + 1].start : end
      guard tick(chapter.start) < tick(next), tick(next) - tick(chapter.start) <= UInt32.max else {
        throw MetadataError(
          .value,
          "the chapter '\(chapter.title)' does not lie before the next one and before the end")
      }
      guard chapter.title.utf8.count <= 0xFFFF else {
        throw MetadataError(.limit, "the title of a chapter is longer than 65535 bytes")
      }
      samples.append(
        (Self.sample(Array(chapter.title.utf8)), tick(next) - tick(chapter.start)))
    }
    self.samples = samples
  }

  /// The first of the usual timescales in which all starts are whole, else the finest.
  private static func timescale(
    _ chapters: [MetadataChapter], _ movie: MovieHeaderBox, _ end: Rational
  ) -> Int64 {
    let scales = [1000, movie.timescale, 90_000]
    let exact = scales.first { scale in
      (chapters.map(\.start) + [end]).allSatisfy { ($0 * Rational(scale)).denominator == 1 }
    }
    let isLong = end * Rational(90_000) > Rational(Int64(UInt32.max))
    return exact ?? (isLong ? 1000 : 90_000)
  }

  /// A length, the text, and a box that says that it is UTF-8.
  private static func sample(_ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(text.count, bytes: 2)
    return bytes + text + [0, 0, 1, 0].boxed("encd")
  }

  // MARK: - Boxes

  /// The `trak` box of a track whose samples lie together at `offset`.
  func track(at offset: Int64) -> [UInt8] {
    (header + (mediaHeader + handler + information(at: offset)).boxed("mdia")).boxed("trak")
  }

  private static func numbers(_ values: [Int64], bytes width: Int = 4) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { bytes.append(value, bytes: width) }
    return bytes
  }

  private static let matrix = numbers([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000])

  /// `tkhd`: in the movie, but not enabled.
  private var header: [UInt8] {
    let isLong = movieDuration > UInt32.max
    let times = Self.numbers([0, 0], bytes: isLong ? 8 : 4)
    let length = Self.numbers([movieDuration], bytes: isLong ? 8 : 4)
    let start: [UInt8] = [isLong ? 1 : 0, 0, 0, 2]
    return
      (start + times + Self.numbers([Int64(number), 0]) + length + Self.numbers([0, 0, 0, 0])
      + Self.matrix + Self.numbers([0, 0])).boxed("tkhd")
  }

  private var mediaHeader: [UInt8] {
    let length = samples.reduce(0) { $0 + $1.duration }
    let isLong = length > UInt32.max
    let start: [UInt8] = [isLong ? 1 : 0, 0, 0, 0]
    let times = Self.numbers([0, 0], bytes: isLong ? 8 : 4) + Self.numbers([timescale])
    return
      (start + times + Self.numbers([length], bytes: isLong ? 8 : 4)
      + Self.numbers([Int64(language), 0], bytes: 2)).boxed("mdhd")
  }

  private var handler: [UInt8] {
    (Self.numbers([0, 0, Int64(FourCC("text").value), 0, 0, 0]) + [0]).boxed("hdlr")
  }

  private func information(at offset: Int64) -> [UInt8] {
    let graphics =
      ([0, 0, 0, 0, 0, 0x40] + Self.numbers([0x8000, 0x8000, 0x8000, 0, 0], bytes: 2))
      .boxed("gmin")
    let base = (graphics + Self.matrix.boxed("text")).boxed("gmhd")
    let reference = Self.numbers([0, 1]) + Self.numbers([1]).boxed("url ")
    let tables =
      description + times + (Self.numbers([0, 1, 1, Int64(samples.count), 1])).boxed("stsc")
      + (Self.numbers([0, 0, Int64(samples.count)])
      + Self.numbers(samples.map { Int64($0.bytes.count) })).boxed("stsz")
      + (Self.numbers([0, 1]) + Self.numbers([offset], bytes: 8)).boxed("co64")
    return (base + reference.boxed("dref").boxed("dinf") + tables.boxed("stbl")).boxed("minf")
  }

  /// `stsd`: a text without a look of its own, and a font without a name.
  private var description: [UInt8] {
    let look = Self.numbers([1]) + [UInt8](repeating: 0, count: 18) + Self.numbers([1], bytes: 2)
    let font = look + Self.numbers([0, 0], bytes: 3) + ([0, 1, 0, 1, 0] as [UInt8]).boxed("ftab")
    let entry = ([0, 0, 0, 0, 0, 0, 0, 1] + font).boxed("text")
    return (Self.numbers([0, 1]) + entry).boxed("stsd")
  }

  private var times: [UInt8] {
    var runs: [(count: Int64, duration: Int64)] = []
    for sample in samples {
      if runs.last?.duration == sample.duration {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, sample.duration))
      }
    }
    return
      (Self.numbers([0, Int64(runs.count)])
      + Self.numbers(runs.flatMap { [$0.count, $0.duration] })).boxed("stts")
  }
}
