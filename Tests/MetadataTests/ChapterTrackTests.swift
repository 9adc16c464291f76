import CutroomMetadata
import CutroomModel
import Testing

/// Chapter tracks that are many, large, or not to be changed.
@Suite struct ChapterTrackTests {
  private static let zero = BoxBuilder.number(0)

  private static func numbers(_ values: Int...) -> [UInt8] {
    values.flatMap { BoxBuilder.number($0) }
  }

  private static func track(_ number: Int, _ parts: [UInt8]...) -> [UInt8] {
    let header = zero + zero + zero + BoxBuilder.number(number)
    return BoxBuilder.box(
      "trak", BoxBuilder.box("tkhd", header, [UInt8](repeating: 0, count: 68)),
      [UInt8](parts.joined()))
  }

  private static func media(_ content: [UInt8], language: Int = 0x15C7) -> [UInt8] {
    let header = zero + zero + zero + numbers(1000, 5000) + BoxBuilder.number(language << 16)
    return BoxBuilder.box("mdia", BoxBuilder.box("mdhd", header), content)
  }

  /// A text track whose samples are `size` bytes each from `offset` on.
  private static func texts(
    _ number: Int, count: Int, size: Int, offset: Int = 0, language: Int = 0x15C7
  ) -> [UInt8] {
    let table = BoxBuilder.box(
      "stbl", BoxBuilder.box("stsd", numbers(0, 1), BoxBuilder.box("text", numbers(0, 1))),
      BoxBuilder.box("stts", numbers(0, 1, count, 10)),
      BoxBuilder.box("stsc", numbers(0, 1, 1, count, 1)),
      BoxBuilder.box("stsz", numbers(0, size, count)),
      BoxBuilder.box("stco", numbers(0, 1, offset)))
    return track(number, media(BoxBuilder.box("minf", table), language: language))
  }

  private static func movie(
    _ tracks: [UInt8], chapters: [Int], isFragmented: Bool = false, samples: [UInt8] = []
  ) -> [UInt8] {
    let head = zero + zero + zero + numbers(1000, 5000) + [UInt8](repeating: 0, count: 76)
    let list = BoxBuilder.box("chap", chapters.flatMap { BoxBuilder.number($0) })
    let sound = track(1, BoxBuilder.box("tref", list), media(BoxBuilder.handler("soun")))
    let next = BoxBuilder.box("mvhd", head, BoxBuilder.number(chapters.count + 2))
    return BoxBuilder.box("ftyp", Array("M4A ".utf8), zero) + BoxBuilder.box("mdat", samples)
      + BoxBuilder.box(
        "moov", next, sound, tracks, isFragmented ? BoxBuilder.box("mvex") : [])
  }

  private static let news = [MetadataChapter(start: .zero, title: "new")]

  private func refusal(_ bytes: [UInt8]) -> String? {
    do throws(MetadataError) {
      let file = try MP4File(MemoryReader(bytes))
      #expect(file.chapters.map(\.title) == ["A"])
      _ = try MP4TagEditor(file, container: .m4a).plan([], chapters: Self.news)
      return nil
    } catch { return error.message }
  }

  private static let title: [UInt8] = [0, 1, 65]
  private static let place = 24

  @Test func chaptersInSeveralLanguagesAreReadAndNotChanged() {
    let tracks = [0x15C7, 0x10A5].enumerated().flatMap { index, language in
      Self.texts(index + 2, count: 1, size: 3, offset: Self.place, language: language)
    }
    let bytes = Self.movie(tracks, chapters: [2, 3], samples: Self.title)
    #expect(
      refusal(bytes) == "the file has chapters in several languages, which cannot be changed")
  }

  @Test func theChapterTrackOfAFileWithFragmentsIsReadAndNotChanged() {
    let bytes = Self.movie(
      Self.texts(2, count: 1, size: 3, offset: Self.place), chapters: [2], isFragmented: true,
      samples: Self.title)
    #expect(
      refusal(bytes) == "the chapter track of a file with movie fragments cannot be changed")
  }

  /// Each of many small tracks claims as many samples as one may have.
  @Test func ofManyChapterTracksOnlyTheFirstIsRead() throws {
    let count = 5000
    let tracks = (2..<count + 2).flatMap {
      Self.texts($0, count: 10_000, size: 2, offset: Self.place)
    }
    let bytes = Self.movie(tracks, chapters: Array(2..<count + 2), samples: Self.title)
    let begin = ContinuousClock.now
    #expect(try MP4File(MemoryReader(bytes)).chapters.count <= 10_000)
    #expect(begin.duration(to: .now) < .seconds(2))
  }

  @Test func titlesThatTakeMoreThanTitlesDoAreNotRead() throws {
    let samples: [UInt8] = [0, 1, 65] + [UInt8](repeating: 0, count: 1 << 17)
    let bytes = Self.movie(
      Self.texts(2, count: 9000, size: 2000, offset: Self.place), chapters: [2], samples: samples)
    #expect(try MP4File(MemoryReader(bytes)).chapters.isEmpty)
  }
}
