import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Details of what other programs read: whole tags, raw bytes, rare files.
@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct FurtherOracleTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func copy(_ name: String) throws -> String {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    return try folder.file("file." + ending, SharedMedia.bytes(name)).path
  }

  private func python(_ script: String, _ path: String) throws -> [String] {
    let run = try Tool.run("python3", ["-c", "import sys, mutagen\n" + script, path])
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  // MARK: - MP4

  private static let all = """
    for k, v in sorted(mutagen.File(sys.argv[1]).tags.items()):
      print(k, [(bytes(x), int(getattr(x, 'dataformat', 0))) if isinstance(x, bytes) else x
          for x in v] if isinstance(v, list) else v)
    """

  /// Of odd items all stay but the one that is set, for another program as well.
  @Test(.enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote))
  func onlyTheTitleOfOddItemsChanges() throws {
    let path = try copy("hostile/ilst-odd.m4a")
    let before = try python(Self.all, path).filter { !$0.hasPrefix("©nam ") }
    _ = try TagStore.retag(path, changes: [.set(key: "itsk/©nam", values: ["New"])])
    let after = try python(Self.all, path)
    #expect(after.filter { !$0.hasPrefix("©nam ") } == before)
    #expect(after.contains("©nam ['New']"))
    #expect(before.count > 5)
  }

  @Test(
    .enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote),
    .enabled(if: Tool.isThere("AtomicParsley"), Tool.note("AtomicParsley")))
  func whatIsClearedIsGoneForOthersToo() throws {
    let path = try copy("fixtures/full.m4a")
    let technical = ["com.apple.iTunes.iTunSMPB", "com.apple.iTunes.iTunNORM"]
    _ = try TagStore.retag(path, changes: [.clear] + technical.map { .remove(key: "itlk/" + $0) })
    #expect(try python(Self.all, path).isEmpty)
    #expect(try !Tool.run("AtomicParsley", [path, "-t"]).output.contains("contains:"))
  }

  @Test(.enabled(if: Tool.isThere("AtomicParsley"), Tool.note("AtomicParsley")))
  func aGainIsAFreeformItem() throws {
    let path = try copy("real/quodlibet-no-tags.m4a")
    _ = try TagStore.retag(path, changes: TagStoreTests.canonical)
    let output = try Tool.run("AtomicParsley", [path, "-t"]).output
    #expect(output.contains("[com.apple.iTunes;REPLAYGAIN_TRACK_GAIN] contains: -6.50 dB"))
  }

  /// Times of the list count 100 ns: 0.7 s is 0x6ACFC0; titles are whole.
  @Test(.enabled(if: Tool.isThere("ffprobe"), Tool.note("ffprobe")))
  func theChapterListAndTheTrackSayTheSame() throws {
    let path = try copy("real/quodlibet-no-tags.m4a")
    _ = try TagStore.retag(path, changes: [.chapters(OracleTests.chapters)])
    let title = Array(OracleTests.chapters[1].title.utf8)
    let entry = BoxBuilder.number(0x6A_CFC0, 8) + [UInt8(title.count)] + title
    let found = try bytes(path)
    #expect(found.indices.contains { found[$0...].starts(with: entry) })
    let shown = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "chapter=start_time,end_time", "-of", "csv=p=0", path])
    let times = shown.output.split(separator: "\n").map { line in
      line.split(separator: ",").compactMap { Double($0) }
    }
    #expect(times.map(\.first) == [0, 0.7, 1.5])
    #expect(times.first?.last == 0.7 && times.dropFirst().first?.last == 1.5)
  }

  /// An item of another key space becomes its twin; there is no second tag.
  @Test func anID3FrameBecomesAnAtomAndNoTagOfID3() throws {
    let path = try copy("real/quodlibet-no-tags.m4a")
    _ = try TagStore.retag(path, changes: [.set(key: "id3/TIT2", values: ["Twin"])])
    let found = try bytes(path)
    let atom = BoxBuilder.atom("©nam", "Twin")
    #expect(found.indices.count { found[$0...].starts(with: atom) } == 1)
    for absent in ["ID32", "ID3\u{4}", "TIT2"] {
      #expect(!found.indices.contains { found[$0...].starts(with: absent.utf8) }, "\(absent)")
    }
  }

  /// Some writers leave an empty atom behind a real one.
  @Test(.enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote))
  func anEmptyTwinOfAnItemIsPassedOverAndGoesWhenItIsSet() throws {
    let empty = BoxBuilder.box("©ART", BoxBuilder.box("data", BoxBuilder.number(1), [0, 0, 0, 0]))
    let tags = BoxBuilder.itunes(BoxBuilder.atom("©ART", "Real"), empty)
    let bytes = BoxBuilder.file(BoxBuilder.box("udta", tags))
    let path = try folder.file("twin.mp4", bytes).path
    func artists() throws -> [String] {
      try TagStore.read(path).items.filter { $0.commonKey == .artist }.flatMap(\.values)
    }
    #expect(try artists().filter { !$0.isEmpty } == ["Real"])
    _ = try TagStore.retag(path, changes: [.set(key: "artist", values: ["New"])])
    #expect(try artists() == ["New"])
    let found = try self.bytes(path)
    #expect(!found.indices.contains { found[$0...].starts(with: empty) })
  }

  @Test func aCompressedMovieHeaderIsRefused() throws {
    let bytes = BoxBuilder.file(BoxBuilder.box("cmov", BoxBuilder.box("dcom", Array("zlib".utf8))))
    let path = try folder.file("cmov.mov", bytes).path
    let error = #expect(throws: MetadataError.self) {
      try TagStore.retag(path, changes: [.set(key: "title", values: ["T"])])
    }
    #expect(error?.message.contains("compressed") == true)
    #expect(try self.bytes(path) == bytes)
  }

  /// A hundred thousand boxes in each other, and a table of twenty million entries.
  @Test(arguments: ["hostile/nest-100k.mp4", "hostile/stco-count-20M.mp4"])
  func claimsThatAreTooLargeAreRefusedAtOnce(name: String) throws {
    let path = try copy(name)
    let use = try DamagedFileTests.use(["tag", path, "--set", "title=T"])
    #expect(use.status == 1)
    #expect(use.seconds < 1 && use.megabytes < 100, "\(use)")
    #expect(try bytes(path) == SharedMedia.bytes(name))
  }

  // MARK: - ID3

  /// Unsynchronised bytes, an extended header, two tags.
  @Test(
    .enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote),
    arguments: [
      "real/taglib-duplicate_id3v2.mp3", "real/mono-sample_v2_3_ext_header.mp3", "unsync",
    ])
  func rareTagsAreReadAsMutagenReadsThem(name: String) throws {
    let path: String
    if name == "unsync" {
      let text: [UInt8] = [1, 0xFF, 0, 0xFE, 0x41, 0, 0xFF, 0, 0]  // "Aÿ" in UTF-16
      let frame = Array("TIT2".utf8) + BoxBuilder.number(7) + [0, 0] + text
      let tag = Array("ID3".utf8) + [3, 0, 0x80] + BoxBuilder.number(frame.count) + frame
      let sound = try SharedMedia.bytes("real/quodlibet-lame-peak.mp3")
      let start = try #require(sound.indices.first { sound[$0] == 0xFF && sound[$0 + 1] == 0xFB })
      path = try folder.file("unsync.mp3", tag + sound[start...]).path
    } else {
      path = try copy(name)
    }
    let script = """
      import mutagen.id3
      f = mutagen.id3.ID3(sys.argv[1])
      for k in ('TIT2', 'TPE1', 'TALB', 'TRCK', 'TCOM'):
        if k in f: print(k + '=' + '|'.join(str(t) for t in f[k].text))
      """
    let items = try TagStore.read(path).items
    let lines = try python(script, path)
    #expect(!lines.isEmpty)
    for line in lines {
      let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
      let found = items.filter { $0.identifier == MetadataIdentifier(.id3, parts[0]) }
      #expect(found.flatMap(\.values).joined(separator: "|") == parts.last, "\(name): \(line)")
    }
    // What is not named stays for others, too.
    _ = try TagStore.retag(path, changes: [.set(key: "title", values: ["New"])])
    #expect(try python(script, path) == ["TIT2=New"] + lines.filter { !$0.hasPrefix("TIT2") })
  }

  // MARK: - Ogg

  @Test(.enabled(if: Tool.isThere("ogginfo"), Tool.note("ogginfo")))
  func ogginfoFindsNothingWrong() throws {
    let path = try copy("real/quodlibet-multipagecomment.ogg")
    for size in [10, 300_000, 20] {
      _ = try TagStore.retag(
        path,
        changes: TagStoreTests.canonical + [
          .artwork(try TagStoreTests.pictures()),
          .set(key: "vorb/NOTE", values: [String(repeating: "x", count: size)]),
        ])
      let info = try Tool.run("ogginfo", [path])
      #expect(info.status == 0)
      #expect(!(info.output + info.errors).lowercased().contains("warning"), "\(info.output)")
    }
  }

  // MARK: - WAV and AIFF

  /// An odd number of samples of 8 bits, and texts of odd lengths.
  @Test(
    .enabled(if: OracleTests.hasMutagen && Program.hasFFmpeg, "needs mutagen and ffmpeg"),
    .enabled(if: Tool.isThere("exiftool"), Tool.note("exiftool")))
  func oddChunksOfWaveFilesAreFilledUp() throws {
    let path = folder.url.appending(path: "odd.wav").path
    let made = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "aevalsrc=sin(n):s=8000,atrim=end_sample=4001"]
        + ["-c:a", "pcm_u8", "-metadata", "title=odd", "-metadata", "artist=even", path])
    try #require(made.status == 0, "\(made.errors)")
    let hash = try Tool.streamHash(URL(filePath: path))
    _ = try TagStore.retag(
      path,
      changes: [
        .set(key: "title", values: ["Odd"]), .set(key: "album", values: ["four"]),
        .set(key: "riff/bext.Description", values: ["said"]),
      ])
    let found = try bytes(path)
    let size = found[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(size == found.count - 8)
    #expect(found.count.isMultiple(of: 2))
    #expect(try Tool.streamHash(URL(filePath: path)) == hash)
    let probe = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "default=nw=1", path])
    for line in ["TAG:title=Odd\n", "TAG:artist=even\n", "TAG:album=four\n"] {
      #expect(probe.output.contains(line), "\(line)")
    }
    let script = "f = mutagen.File(sys.argv[1]); print(f['TIT2'], f['TPE1'], f['TALB'])"
    #expect(try python(script, path) == ["Odd even four"])
    let exif = try Tool.run("exiftool", ["-a", "-G1", "-s", path]).output.split(separator: "\n")
    #expect(exif.contains { $0.contains(" Description ") && $0.hasSuffix(": said") })
  }

  @Test(
    .enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote),
    .enabled(if: Tool.isThere("exiftool"), Tool.note("exiftool")))
  func theNameOfAnAIFFFileIsItsTitle() throws {
    let path = try copy("real/quodlibet-with-id3.aif")
    _ = try TagStore.retag(path, changes: [.set(key: "title", values: ["Plain"])])
    #expect(try python("print(mutagen.File(sys.argv[1])['TIT2'])", path) == ["Plain"])
    let exif = try Tool.run("exiftool", ["-a", "-G1", "-s", path]).output.split(separator: "\n")
    #expect(
      exif.contains { $0.hasPrefix("[AIFF]") && $0.contains("Name ") && $0.hasSuffix(": Plain") })
  }

  @Test(.enabled(if: Tool.isThere("ffprobe"), Tool.note("ffprobe")))
  func a64BitWaveFileKeepsItsLength() throws {
    let path = try copy("real/taglib-rf64.wav")
    let arguments = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
    let before = try Tool.run("ffprobe", arguments).output
    _ = try TagStore.retag(
      path, changes: TagStoreTests.canonical + [.artwork(try TagStoreTests.pictures())])
    #expect(try Tool.run("ffprobe", arguments).output == before)
    let found = try bytes(path)
    let size = found[20..<28].reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(size == found.count - 8)
  }

  // MARK: - Names

  /// Names that are no UTF-8 are not found rather than taken for others.
  @Test func aNameThatIsNoTextIsAnError() throws {
    let script = """
      import os, subprocess, sys
      path = os.fsencode(sys.argv[2]) + b'/\\xff\\xfe.m4a'
      open(path, 'wb').write(open(sys.argv[3], 'rb').read())
      before = open(path, 'rb').read()
      run = subprocess.run([os.fsencode(sys.argv[1]), b'tag', path, b'--set', b'title=T'],
          capture_output=True)
      print(run.returncode, open(path, 'rb').read() == before or run.returncode == 0)
      """
    try #require(Tool.isThere("python3"))
    let source = try SharedMedia.url("fixtures/full.m4a").path
    let run = try Tool.run(
      "python3", ["-c", script, TagSafetyTests.program, folder.url.path, source])
    #expect(
      ["0 True\n", "1 True\n", "2 True\n"].contains(run.output), "\(run.output)\(run.errors)")
  }
}
