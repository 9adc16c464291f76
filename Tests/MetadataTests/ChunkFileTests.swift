import CutroomMetadata
import CutroomModel
import Testing

/// Files made chunk by chunk.
enum ChunkRecipe {
  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func chunk(_ id: String, _ content: [UInt8], size: Int? = nil) -> [UInt8] {
    Array(id.utf8) + little(size ?? content.count, 4) + content
      + (content.count % 2 == 1 ? [0] : [])
  }

  static let format = chunk(
    "fmt ",
    little(1, 2) + little(1, 2) + little(8000, 4) + little(8000, 4)
      + little(1, 2) + little(8, 2))

  static func wave(_ chunks: [UInt8]..., size: Int? = nil, tail: [UInt8] = []) -> [UInt8] {
    let body = Array("WAVE".utf8) + chunks.flatMap { $0 }
    return Array("RIFF".utf8) + little(size ?? body.count, 4) + body + tail
  }

  static func info(_ fields: (String, String)...) -> [UInt8] {
    chunk("LIST", Array("INFO".utf8) + fields.flatMap { chunk($0.0, Array($0.1.utf8) + [0]) })
  }

  static let sound = chunk("data", [1, 2, 3])
}

@Suite struct ChunkFileTests {
  func edited(_ bytes: [UInt8], _ contents: [ChunkKey: [[UInt8]]]) throws -> [UInt8] {
    try ChunkFile(MemoryReader(bytes)).plan(replacing: contents).applied(to: bytes)
  }

  @Test func aChunkIsAddedBehindTheSoundAndTheSizeFollows() throws {
    let wave = ChunkRecipe.wave(ChunkRecipe.format, ChunkRecipe.sound)
    let new = try edited(wave, [.ixml: [[7, 8, 9]]])
    #expect(
      new
        == ChunkRecipe.wave(
          ChunkRecipe.format, ChunkRecipe.sound, ChunkRecipe.chunk("iXML", [7, 8, 9])))
    #expect(try edited(new, [.ixml: [[7, 8, 9]]]) == new)
    #expect(try edited(new, [.ixml: []]) == wave)
  }

  @Test func aChunkBeforeTheSoundIsReplacedInItsPlace() throws {
    let unknown = ChunkRecipe.chunk("XYZ1", [1])
    let (one, two) = (ChunkRecipe.info(("INAM", "A")), ChunkRecipe.info(("INAM", "Longer")))
    let wave = ChunkRecipe.wave(
      ChunkRecipe.format, one, unknown, ChunkRecipe.sound, tail: [9, 9, 9])
    let content = Array(two.dropFirst(12))
    #expect(
      try edited(wave, [.info: [content]])
        == ChunkRecipe.wave(
          ChunkRecipe.format, two, unknown, ChunkRecipe.sound, tail: [9, 9, 9]))
  }

  @Test func oddChunksAreFilledUpWhereTheirWriterForgot() throws {
    let bare = Array(ChunkRecipe.chunk("odd1", [5]).dropLast())
    let wave = ChunkRecipe.wave(ChunkRecipe.format, bare, ChunkRecipe.sound)
    let new = try edited(wave, [.ixml: [[7]]])
    #expect(
      new
        == ChunkRecipe.wave(
          ChunkRecipe.format, ChunkRecipe.chunk("odd1", [5]), ChunkRecipe.sound,
          ChunkRecipe.chunk("iXML", [7])))
  }

  @Test func theSizesOf64BitFilesFollow() throws {
    let table = ChunkRecipe.little(1, 4) + Array("big1".utf8) + ChunkRecipe.little(4, 8)
    let big = ChunkRecipe.chunk("big1", [1, 2, 3, 4], size: 0xFFFF_FFFF)
    func file(_ riff: Int, _ rest: [UInt8]) -> [UInt8] {
      let sizes = ChunkRecipe.little(riff, 8) + ChunkRecipe.little(4, 8) + ChunkRecipe.little(0, 8)
      return Array("RF64".utf8) + ChunkRecipe.little(0xFFFF_FFFF, 4) + Array("WAVE".utf8)
        + ChunkRecipe.chunk("ds64", sizes + table) + ChunkRecipe.format + big
        + ChunkRecipe.chunk("data", [1, 2, 3, 4], size: 0xFFFF_FFFF) + rest
    }
    let size = file(0, []).count - 8
    let new = try edited(file(size, []), [.ixml: [[7, 8]]])
    #expect(new == file(size + 10, ChunkRecipe.chunk("iXML", [7, 8])))
    // Before the sound, all that follows moves.
    let front = try edited(file(size, []), [ChunkKey("fmt "): [[1, 2]]])
    #expect(front.count == size + 8 - 14)
    #expect(Array(front[20..<28]) == ChunkRecipe.little(size - 14, 8))
  }

  static let unfinished: [(name: String, bytes: [UInt8])] = [
    (
      "cut",
      ChunkRecipe.wave(
        ChunkRecipe.format, ChunkRecipe.chunk("data", [1, 2], size: 999), size: 2000)
    ),
    (
      "piped",
      ChunkRecipe.wave(
        ChunkRecipe.format, ChunkRecipe.chunk("data", [1, 2], size: 0xFFFF_FFFF), size: 0xFFFF_FFFF)
    ),
    (
      "open",
      ChunkRecipe.wave(ChunkRecipe.format, ChunkRecipe.chunk("data", [1, 2], size: 0), size: 0)
    ),
  ]

  @Test(arguments: unfinished)
  func anUnfinishedFileIsReadButNotChanged(name: String, bytes: [UInt8]) throws {
    let file = try ChunkFile(MemoryReader(bytes))
    #expect(file.chunks.map(\.id.text) == ["fmt ", "data"])
    let error = #expect(throws: MetadataError.self) { try file.plan(replacing: [.ixml: [[1]]]) }
    #expect(error?.code == .unsupported)
  }

  static let others: [(name: String, bytes: [UInt8])] = {
    let wide = Array("RF64".utf8) + ChunkRecipe.little(0xFFFF_FFFF, 4) + Array("WAVE".utf8)
    let empty = ChunkRecipe.chunk("JUNK", [])
    let many = Array(repeatElement(empty, count: 10_001).joined())
    return [
      ("no wave", Array("RIFF\u{4}\0\0\0AVI ".utf8)),
      ("chunk too large", ChunkRecipe.wave(ChunkRecipe.chunk("fmt ", [], size: 5000))),
      ("no ds64", wide + ChunkRecipe.format), ("many chunks", ChunkRecipe.wave(many)),
    ]
  }()

  @Test(arguments: [
    (ChunkRecipe.chunk("XYZ1", [1]), "it has no sound"),
    (ChunkRecipe.sound + [0xFF, 1, 2, 3, 0, 0, 0, 0], "at byte 48 there is no chunk"),
  ])
  func whatOtherProgramsMayFindIsNotMoved(rest: [UInt8], problem: String) throws {
    let file = try ChunkFile(MemoryReader(ChunkRecipe.wave(ChunkRecipe.format, rest)))
    let error = #expect(throws: MetadataError.self) { try file.plan(replacing: [.ixml: [[1]]]) }
    #expect(error?.message == "the file cannot be changed: " + problem)
  }

  @Test func zerosAtTheEndStayBehindTheChunks() throws {
    let zeros = [UInt8](repeating: 0, count: 16)
    let wave = ChunkRecipe.wave(ChunkRecipe.format, ChunkRecipe.sound, zeros)
    let chunk = ChunkRecipe.chunk("iXML", [7, 8])
    #expect(
      try edited(wave, [.ixml: [[7, 8]]])
        == ChunkRecipe.wave(ChunkRecipe.format, ChunkRecipe.sound, chunk, tail: zeros))
  }

  @Test(arguments: others)
  func whatIsNoSuchFileIsRefused(name: String, bytes: [UInt8]) {
    #expect(throws: MetadataError.self) { try ChunkFile(MemoryReader(bytes)) }
  }

  @Test func infoKeepsWhatIsNotChanged() {
    var info = InfoList(
      Array(ChunkRecipe.info(("INAM", "T"), ("IENG", "odd"), ("IART", "A")).dropFirst(12)))
    info.set("IART", "Me")
    info.set("INAM", nil)
    #expect(info.encoded == Array(ChunkRecipe.info(("IENG", "odd"), ("IART", "Me")).dropFirst(12)))
    #expect(info.items.map(\.identifier.description) == ["riff/IENG", "riff/IART"])
  }

  static let texts: [(bytes: [UInt8], isMacintosh: Bool, text: String)] = [
    ([0x93, 0x41, 0x94, 0xE9, 0], false, "“A”é"), ([0xC3, 0xA9, 0, 0x58], false, "é"),
    ([0x8E, 0x41], true, "éA"), ([0xC3, 0xA9], true, "é"),
  ]

  @Test(arguments: texts)
  func textsWithoutAnEncodingAreReadAsOldProgramsWroteThem(
    bytes: [UInt8], isMacintosh: Bool, text: String
  ) { #expect(TextChunk.decode(bytes, isMacintosh: isMacintosh) == text) }

  @Test func theBroadcastExtensionKeepsItsLayout() throws {
    var bext = BroadcastExtension()
    #expect(bext.encoded.count == 602)
    try bext.set("bext.Description", "Ünï")
    try bext.set("bext.OriginationDate", "2023-10-25")
    try bext.set("bext.TimeReference", "4294967297")
    try bext.set("bext.CodingHistory", "A=PCM\r\n")
    #expect(Array(bext.encoded[338..<346]) == [1, 0, 0, 0, 1, 0, 0, 0])
    #expect(Array(bext.encoded[320..<330]) == Array("2023-10-25".utf8))
    #expect(bext.encoded.count == 602 + 7)
    #expect(
      bext.items.map { "\($0.identifier.key)=\($0.values[0])" } == [
        "bext.Description=Ünï", "bext.OriginationDate=2023-10-25", "bext.TimeReference=4294967297",
        "bext.CodingHistory=A=PCM\r\n",
      ])
    #expect(throws: MetadataError.self) { try bext.set("bext.TimeReference", "noon") }
    #expect(BroadcastExtension(Array(bext.encoded.prefix(300))).encoded.count == 602)
  }

  @Test func pointsAreChaptersWithTheirLabels() throws {
    let points = CuePoints(rate: 44_100)
    let chapters = [
      MetadataChapter(start: .zero, title: "Intro"),
      MetadataChapter(start: Rational(7, 10), title: "Zwei – “ü”"),
    ]
    let other = ChunkRecipe.chunk("file", [1, 2, 3])
    let (cue, labels) = try points.encoded(
      chapters, labels: ChunkRecipe.chunk("labl", [1, 0, 0, 0, 65]) + other)
    #expect(cue.count == 4 + 2 * 24)
    #expect(Array(cue[48..<52]) == ChunkRecipe.little(30_870, 4))
    #expect(points.chapters(cue: cue, labels: labels) == chapters)
    #expect(Array(labels.suffix(other.count)) == other)
    #expect(throws: MetadataError.self) {
      try points.encoded([MetadataChapter(start: Rational(100_000), title: "")], labels: [])
    }
  }
}
