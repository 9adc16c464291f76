import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// What programs that are not ours read from MP3, FLAC, Ogg and Opus files that we wrote.
@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct SoundOracleTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func copy(_ name: String) throws -> String {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    return try folder.file("file." + ending, SharedMedia.bytes(name)).path
  }

  func python(_ script: String, _ path: String) throws -> [String] {
    let run = try Tool.run("python3", ["-c", "import sys, mutagen\n" + script, path])
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  static let lame = "real/quodlibet-lame-peak.mp3"

  @Test(.enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote))
  func picturesKeepTheirTypes() throws {
    let path = try copy(Self.lame)
    let full = try TagStore.read(SharedMedia.url("fixtures/full.flac").path)
    _ = try TagStore.retag(path, changes: [.copy(full)])
    let script = """
      import hashlib
      for f in mutagen.File(sys.argv[1]).tags.getall('APIC'):
        print(int(f.type), f.mime, hashlib.sha256(f.data).hexdigest())
      """
    let sums = try TagStoreTests.pictures().map(SHA256.sum)
    #expect(
      try python(script, path) == ["3 image/jpeg \(sums[0])", "4 image/png \(sums[1])"])
  }

  @Test(.enabled(if: Tool.isThere("ffprobe"), Tool.note("ffprobe")))
  func ffprobeReadsChaptersOfTheOldVersionToTheMillisecond() throws {
    let path = try copy(Self.lame)
    _ = try TagStore.write(
      [MetadataItem(.title, "T")], chapters: OracleTests.chapters, to: path, id3Version: 3,
      duration: Rational(2))
    let output = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "chapter=start,end:chapter_tags=title", "-of", "csv", path]
    ).output
    #expect(output.contains("chapter,0,700,Intro\n"))
    #expect(
      output.contains("chapter,700,1500,\"Kapitel zwei – “ü”\"\n")
        || output.contains("chapter,700,1500,Kapitel zwei – “ü”\n"))
    #expect(output.contains("chapter,1500,2000,xxx"))
  }

  @Test(.enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote))
  func threeHundredChaptersAreTablesOfAtMost255() throws {
    let path = try copy(Self.lame)
    let chapters = (0..<300).map { MetadataChapter(start: Rational($0), title: "c\($0)") }
    _ = try TagStore.write([], chapters: chapters, to: path)
    let script = """
      f = mutagen.File(sys.argv[1]).tags
      tables = {t.element_id: t for t in f.getall('CTOC')}
      print(len(f.getall('CHAP')), sorted(len(t.child_element_ids) for t in tables.values()))
      top = [t for t in tables.values() if int(t.flags) & 2]
      print(len(top), sum(len(tables[c].child_element_ids) for c in top[0].child_element_ids))
      """
    #expect(try python(script, path) == ["300 [2, 45, 255]", "1 300"])
  }

  @Test(.enabled(if: Program.hasFFmpeg, "needs ffmpeg"))
  func theFrameOfLAMEStaysSoThatSoundHasItsLength() throws {
    let source = folder.url.appending(path: "s.mp3").path
    let made = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "sine=440:r=44100:d=2", "-c:a", "libmp3lame", source])
    #expect(made.status == 0, "\(made.errors)")
    func samples() throws -> Int {
      let raw = folder.url.appending(path: "s.raw").path
      let arguments = ["-v", "error", "-y", "-i", source, "-f", "s16le", "-ac", "1", raw]
      #expect(try Tool.run("ffmpeg", arguments).status == 0)
      return try Data(contentsOf: URL(filePath: raw)).count / 2
    }
    #expect(try samples() == 88_200)
    let hash = try Tool.streamHash(URL(filePath: source))
    for size in [0, 1000, 2_000_000] {
      let changes: [TagChange] = [
        .clear, .set(key: "title", values: ["T"]),
        .set(key: "comment", values: [String(repeating: "x", count: size)]),
      ]
      _ = try TagStore.retag(source, changes: size == 0 ? Array(changes.prefix(2)) : changes)
      #expect(try samples() == 88_200)
      #expect(try Tool.streamHash(URL(filePath: source)) == hash)
      let probe = try Tool.run(
        "ffprobe",
        ["-v", "error", "-show_entries", "stream=codec_name,duration", "-of", "csv=p=0", source])
      #expect(probe.output.hasPrefix("mp3,2.0"), "\(probe.output)")
    }
  }

  @Test(
    .enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote),
    arguments: [
      "real/taglib-itunes10.mp3", "real/quodlibet-id3v22-test.mp3", "fixtures/full.mp3",
      "real/devsnd-id3_multiple_artists.mp3", "real/borewit-tcon.mp3",
    ])
  func textsAreReadAsMutagenReadsThem(name: String) throws {
    let path = try SharedMedia.url(name).path
    let script = """
      import mutagen.id3
      f = mutagen.id3.ID3(sys.argv[1])
      for k in ('TIT2', 'TPE1', 'TALB', 'TRCK', 'TCOM'):
        if k in f: print(k + '=' + '|'.join(str(t) for t in f[k].text))
      """
    let items = try TagStore.read(path).items
    for line in try python(script, path) {
      let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
      let found = items.filter { $0.identifier == MetadataIdentifier(.id3, parts[0]) }
      let texts = found.flatMap(\.values).joined(separator: "|")
      #expect(texts == parts.last ?? "", "\(name): \(line)")
    }
  }

  @Test(.enabled(if: Tool.isThere("metaflac") && Tool.isThere("flac"), Tool.note("flac")))
  func metaflacReadsRepeatedFieldsAndThePicture() throws {
    let path = try copy("fixtures/full.flac")
    _ = try TagStore.retag(
      path,
      changes: [.clear, .set(key: "artist", values: ["A1", "A2"])]
        + [.artwork(try TagStoreTests.pictures())])
    let tags = try Tool.run("metaflac", ["--export-tags-to=-", path]).output
    #expect(tags == "ARTIST=A1\nARTIST=A2\n")
    let blocks = try Tool.run("metaflac", ["--list", "--block-type=PICTURE", path]).output
    #expect(blocks.contains("type: 3 (Cover (front))"))
    #expect(!blocks.contains("width: 0"))
    #expect(try Tool.run("flac", ["-t", "-s", path]).status == 0)
  }

  /// Padding before the comments confuses writers that forget which block is the last.
  @Test(.enabled(if: Tool.isThere("metaflac") && Tool.isThere("flac"), Tool.note("flac")))
  func paddingInTheMiddleOfFLACIsNoObstacle() throws {
    let path = try copy("fixtures/full.flac")
    #expect(
      try Tool.run("metaflac", ["--dont-use-padding", "--add-padding=300", path]).status == 0)
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    var (position, blocks, end): (Int, [[UInt8]], Int) = (4, [], 0)
    repeat {
      let size = bytes[position + 1..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      end = position + 4 + size
      blocks.append(Array(bytes[position..<end]))
      position = end
    } while blocks.last.map { $0[0] & 0x80 == 0 } ?? false
    let padding = blocks.filter { $0[0] & 0x7F == 1 }
    let others = blocks.filter { $0[0] & 0x7F != 1 }
    var ordered = [others[0]] + padding + others.dropFirst()
    for index in ordered.indices {
      ordered[index][0] = ordered[index][0] & 0x7F | (index == ordered.count - 1 ? 0x80 : 0)
    }
    bytes.replaceSubrange(4..<end, with: ordered.joined())
    try Data(bytes).write(to: URL(filePath: path))
    let sum = try Tool.run("metaflac", ["--show-md5sum", path]).output
    var picture = try TagStoreTests.pictures()[0]
    picture += Array(repeating: 0, count: 500_000)
    let (tags, _) = try TagStore.retag(
      path, changes: [.set(key: "title", values: ["New"]), .artwork([picture])])
    #expect(tags.items.contains { $0.commonKey == .title && $0.values == ["New"] })
    #expect(try Tool.run("flac", ["-t", "-s", path]).status == 0)
    #expect(try Tool.run("metaflac", ["--show-md5sum", path]).output == sum)
  }

  /// FLAC in Ogg: the comments may be the last block before the sound, and must say so.
  @Test(
    .enabled(if: Tool.isThere("flac") && Program.hasFFmpeg, "needs flac and ffmpeg"),
    .enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote), arguments: ["ffmpeg", "flac"])
  func flacInOggTakesTagsAndPictures(writer: String) throws {
    let wave = folder.url.appending(path: "s.wav").path
    let path = folder.url.appending(path: "s.ogg").path
    let made = try Tool.run(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=440:r=44100:d=1", wave])
    try #require(made.status == 0)
    let written =
      writer == "flac"
      ? try Tool.run("flac", ["-s", "--ogg", wave, "-o", path])
      : try Tool.run("ffmpeg", ["-v", "error", "-i", wave, "-c:a", "flac", path])
    try #require(written.status == 0, "\(written.errors)")
    let media = try Tool.streamHash(URL(filePath: path))
    let script = """
      import hashlib, mutagen.flac, base64
      f = mutagen.File(sys.argv[1])
      print(type(f).__name__, f['artist'], f['chapter000name'], len(f['comment'][0]))
      for t in f['metadata_block_picture']:
        print(hashlib.sha256(mutagen.flac.Picture(base64.b64decode(t)).data).hexdigest())
      """
    // The second time the comments take more pages, the third fewer.
    for size in [10, 200_000, 20] {
      let (tags, outcomes) = try TagStore.retag(
        path,
        changes: [
          .set(key: "artist", values: ["A1", "A2"]), .artwork([try TagStoreTests.pictures()[0]]),
          .set(key: "comment", values: [String(repeating: "x", count: size)]),
          .chapters([MetadataChapter(start: .zero, title: "Eins")]),
        ])
      #expect(outcomes.allSatisfy { $0.outcome == .exact })
      #expect(tags.chapters.map(\.title) == ["Eins"])
      #expect(try Tool.run("flac", ["-t", "-s", path]).status == 0)
      #expect(try Tool.streamHash(URL(filePath: path)) == media)
      #expect(
        try python(script, path) == [
          "OggFLAC ['A1', 'A2'] ['Eins'] \(size)", SHA256.sum(TagStoreTests.pictures()[0]),
        ])
    }
  }

  @Test func aPictureBeyond16MegabytesHasNoPlaceInFLAC() throws {
    let path = try copy("fixtures/full.flac")
    let before = try Data(contentsOf: URL(filePath: path))
    let picture = try TagStoreTests.pictures()[0] + Array(repeating: 0, count: 17 << 20)
    var options = TagOptions()
    options.refusesLoss = true
    let error = #expect(throws: MetadataError.self) {
      try TagStore.retag(path, changes: [.artwork([picture])], options: options)
    }
    #expect(error?.message.contains("16 MB") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test(.enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote))
  func picturesOfOggAreBlocksOfFLAC() throws {
    let path = try copy("real/quodlibet-multipagecomment.ogg")
    _ = try TagStore.retag(path, changes: [.clear, .artwork(try TagStoreTests.pictures())])
    let script = """
      import base64, hashlib, mutagen.flac
      for text in mutagen.File(sys.argv[1])['metadata_block_picture']:
        p = mutagen.flac.Picture(base64.b64decode(text))
        print(p.type, p.mime, p.width > 0, hashlib.sha256(p.data).hexdigest())
      """
    let sums = try TagStoreTests.pictures().map(SHA256.sum)
    #expect(
      try python(script, path)
        == ["3 image/jpeg True \(sums[0])", "0 image/png True \(sums[1])"])
  }
}
