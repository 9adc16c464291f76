import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// What programs that are not ours read from what we write.
@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct OracleTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func tagged(
    _ name: String, id3Version: Int? = nil, chapters: [MetadataChapter]? = nil
  ) throws -> String {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    let path = try folder.file("file." + ending, SharedMedia.bytes(name)).path
    let changes = TagStoreTests.canonical + [.artwork(try TagStoreTests.pictures())]
    var options = TagOptions()
    options.id3Version = id3Version
    _ = try TagStore.retag(path, changes: changes, options: options)
    if let chapters {
      _ = try TagStore.write(
        [], chapters: chapters, to: path, id3Version: id3Version, duration: Rational(2))
    }
    return path
  }

  static let hasMutagen: Bool = {
    guard Tool.isThere("python3") else { return false }
    do { return try Tool.run("python3", ["-c", "import mutagen"]).status == 0 } catch {
      return false
    }
  }()

  static let mutagenNote: Comment = "needs Python with mutagen"

  func mutagen(_ script: String, _ path: String) throws -> [String] {
    let result = try Tool.run("python3", ["-c", "import sys, mutagen\n" + script, path])
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  static let chapters = [
    MetadataChapter(start: .zero, title: "Intro"),
    MetadataChapter(start: Rational(7, 10), title: "Kapitel zwei – “ü”"),
    MetadataChapter(start: Rational(3, 2), title: String(repeating: "x", count: 150)),
  ]

  @Test(.enabled(if: hasMutagen, mutagenNote)) func mutagenReadsAnM4A() throws {
    let path = try tagged("real/quodlibet-no-tags.m4a", chapters: Self.chapters)
    let lines = try mutagen(
      """
      import mutagen.mp4
      f = mutagen.mp4.MP4(sys.argv[1])
      for k in ['\\xa9nam', '\\xa9ART', 'trkn', 'disk', 'tmpo', 'cpil', 'sonm', 'aART', '\\xa9lyr',
          '----:com.apple.iTunes:ISRC', '----:com.apple.iTunes:REPLAYGAIN_TRACK_GAIN']:
        print([bytes(v) if isinstance(v, bytes) else v for v in f[k]] if isinstance(f[k], list) else f[k])
      print([(len(c), int(c.imageformat)) for c in f['covr']])
      print([(c.start, len(c.title)) for c in f.chapters])
      """, path)
    #expect(
      lines == [
        "['Título Ünïcode 😀']", "['A1', 'A2']", "[(3, 12)]", "[(1, 2)]", "[128]", "True",
        "['ST']", "['AA']", "['l1\\nl2']", "[b'USRC17607839']", "[b'-6.50 dB']",
        "[(2170, 13), (362, 14)]", "[(0.0, 5), (0.7, 18), (1.5, 150)]",
      ])
  }

  @Test(.enabled(if: hasMutagen, mutagenNote), arguments: [4, 3])
  func mutagenReadsAnMP3(version: Int) throws {
    let path = try tagged(
      "real/quodlibet-lame-peak.mp3", id3Version: version, chapters: Self.chapters)
    let lines = try mutagen(
      """
      import mutagen.id3
      f = mutagen.id3.ID3(sys.argv[1], translate=False)
      print(f.version)
      print(f['TPE1'].text, f['TIT2'].text[0], f['USLT::eng'].text.split('\\n'), f['TCMP'].text)
      print('COMM::eng' in f, f['TXXX:REPLAYGAIN_TRACK_GAIN'].text, f['TSOP'].text, f['TRCK'].text)
      print(sorted((int(a.type), a.mime, len(a.data)) for a in f.getall('APIC')))
      print([str(f[k].text[0]) for k in (['TDRC'] if f.version[1] == 4 else ['TYER', 'TDAT'])])
      print(int(f['TALB'].encoding), int(f['TIT2'].encoding))
      print(sorted((c.element_id, c.start_time, c.end_time, len(c.sub_frames['TIT2'].text[0]))
          for c in f.getall('CHAP')), [(int(t.flags), t.child_element_ids) for t in f.getall('CTOC')])
      print(open(sys.argv[1], 'rb').read()[-128:-125] == b'TAG')
      """, path)
    #expect(
      lines == [
        "(2, \(version), 0)",
        (version == 4 ? "['A1', 'A2']" : "['A1/A2']") + " Título Ünïcode 😀 ['l1', 'l2'] ['1']",
        "True ['-6.50 dB'] ['SA'] ['3/12']", "[(0, 'image/png', 362), (3, 'image/jpeg', 2170)]",
        version == 4 ? "['2023-10-25']" : "['2023', '2510']", version == 4 ? "3 3" : "0 1",
        "[('chp0', 0, 700, 5), ('chp1', 700, 1500, 18), ('chp2', 1500, 2000, 150)] "
          + "[(3, ['chp0', 'chp1', 'chp2'])]",
        "False",
      ])
  }

  @Test(.enabled(if: hasMutagen, mutagenNote)) func mutagenReadsFLACAndOpus() throws {
    let flac = try tagged("fixtures/full.flac")
    let script = """
      f = mutagen.File(sys.argv[1])
      print(f['artist'], f['title'], f['tracknumber'], f['tracktotal'])
      """
    let common = "['A1', 'A2'] ['Título Ünïcode 😀'] ['3'] ['12']"
    #expect(
      try mutagen(
        script + "\nprint([(p.type, p.width > 0, len(p.data)) for p in f.pictures])", flac)
        == [common, "[(3, True, 2170), (0, True, 362)]"])
    let opus = try tagged(
      "real/taglib-correctness_gain_silent_output.opus", chapters: Self.chapters)
    let more = """

      print(f['r128_track_gain'], [k for k in f.keys() if k.startswith('replaygain')])
      print(f['chapter001'], f['chapter002'], len(f['metadata_block_picture']))
      """
    #expect(
      try mutagen(script + more, opus) == [
        common, "['-2944'] []", "['00:00:00.700'] ['00:00:01.500'] 2",
      ])
  }

  @Test(.enabled(if: Tool.isThere("AtomicParsley"), Tool.note("AtomicParsley")))
  func atomicParsleyReadsAnM4A() throws {
    let path = try tagged("real/quodlibet-no-tags.m4a")
    let output = try Tool.run("AtomicParsley", [path, "-t"]).output
    for line in [
      #"Atom "sonm" contains: ST"#, #"Atom "soar" contains: SA"#, #"Atom "soal" contains: SAl"#,
      #"Atom "soaa" contains: SAA"#, #"Atom "soco" contains: SC"#,
      #"[com.apple.iTunes;ISRC] contains: USRC17607839"#, #"Atom "tmpo" contains: 128"#,
    ] { #expect(output.contains(line), "\(line)") }
  }

  @Test(.enabled(if: Tool.isThere("exiftool"), Tool.note("exiftool")))
  func exiftoolReadsQuickTimeKeys() throws {
    let path = try folder.file("a.mov", SharedMedia.bytes("hostile/qt-udta-terminator-first.mov"))
      .path
    _ = try TagStore.retag(
      path,
      changes: [
        .set(key: "title", values: ["Ünï"]), .set(key: "make", values: ["Acme"]),
        .set(key: "creationDate", values: ["2023-10-25T10:09:10+0200"]),
        .set(key: "location", values: ["+48.8577+002.2950+035.000/"]),
      ])
    let output = try Tool.run("exiftool", ["-a", "-G1", "-s", path]).output
    for (key, value) in [
      ("Title", "Ünï"), ("Make", "Acme"), ("CreationDate", "2023:10:25 10:09:10+02:00"),
      ("GPSCoordinates", "48 deg 51' 27.72\" N, 2 deg 17' 42.00\" E"),
    ] {
      #expect(
        output.split(separator: "\n").contains {
          $0.hasPrefix("[Keys]") && $0.contains(key) && $0.contains(value)
        }, "\(key)")
    }
  }

  @Test(.enabled(if: Tool.isThere("ffprobe"), Tool.note("ffprobe"))) func ffprobeReadsPlaces()
    throws
  {
    let path = try folder.file("a.mp4", SharedMedia.bytes("hostile/moov64-noudta.mp4")).path
    let (_, outcomes) = try TagStore.retag(
      path,
      changes: [
        .set(key: "location", values: ["+48.8577+002.2950/"]), .set(key: "title", values: ["T"]),
      ])
    #expect(outcomes.map(\.outcome) == [.exact, .exact])
    let arguments = ["-v", "error", "-show_entries", "format_tags", "-of", "default", path]
    let output = try Tool.run("ffprobe", arguments).output
    #expect(output.contains("TAG:title=T\n"))
    #expect(output.contains("TAG:location=+48.8577+002.2950/"))
  }
}

/// What says how a sound file plays.
extension OracleTests {
  private static let gapless = "com.apple.iTunes.iTunSMPB"

  /// Words 1 and 2 are 1000·10^0.65, words 3 and 4 are 2500·10^0.65, words 7 and 8 the peak.
  @Test(.enabled(if: hasMutagen, mutagenNote)) func soundCheckFollowsTheGain() throws {
    let path = try folder.file("a.m4a", SharedMedia.bytes("real/quodlibet-no-tags.m4a")).path
    _ = try TagStore.retag(
      path,
      changes: [
        .set(key: "replayGainTrackGain", values: ["-6.50 dB"]),
        .set(key: "replayGainTrackPeak", values: ["0.988553"]),
      ])
    let script = "print(bytes(mutagen.File(sys.argv[1])['----:com.apple.iTunes:iTunNORM'][0]))"
    #expect(
      try mutagen(script, path) == [
        "b' 00001173 00001173 00002B9F 00002B9F 00000000 00000000 00007E88 00007E88 "
          + "00000000 00000000'"
      ])
  }

  /// Two seconds of AAC at 44100 Hz: 1024 samples before, 888 after, 88 packets in all.
  @Test(.enabled(if: hasMutagen, mutagenNote)) func aFreshSoundFilePlaysWithoutAGap() throws {
    let url = folder.url.appending(path: "fresh.m4a")
    let made = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "sine=d=2:r=44100", "-c:a", "aac", "-fflags",
        "+bitexact",
      ]
        + ["-movie_timescale", "44100", url.path])
    try #require(made.status == 0, "\(made.errors)")
    _ = try TagStore.write([MetadataItem(.title, "T")], to: url.path, container: "m4a")
    let script = "print(bytes(mutagen.File(sys.argv[1])['----:com.apple.iTunes:iTunSMPB'][0]))"
    let zeros = String(repeating: " 00000000", count: 8)
    #expect(
      try mutagen(script, url.path) == ["b' 00000000 00000400 00000378 0000000000015888\(zeros)'"])
    // It stays when a user clears the tags, and goes when it is named.
    let (cleared, _) = try TagStore.retag(url.path, changes: [.clear])
    #expect(cleared.items.map(\.identifier.key) == [Self.gapless])
    let (removed, _) = try TagStore.retag(url.path, changes: [.remove(key: "itlk/" + Self.gapless)])
    #expect(removed.items.isEmpty)
  }
}
