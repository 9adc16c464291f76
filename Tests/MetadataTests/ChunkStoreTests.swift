import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Tags of WAV and AIFF files, read back by ours and by others' programs.
@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct ChunkStoreTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func copy(_ name: String) throws -> String {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    return try folder.file("file." + ending, SharedMedia.bytes(name)).path
  }

  static let samples = [
    "real/devsnd-riff_extra_zero.wav", "real/quodlibet-silence-2s-PCM-16000-08-ID3v23.wav",
    "real/taglib-rf64.wav", "real/quodlibet-with-id3.aif",
  ]

  @Test(arguments: samples) func whatIsSetIsReadBackInBothPlaces(name: String) throws {
    let path = try copy(name)
    let before = try chunks(path)
    let changes = TagStoreTests.canonical + [.artwork(try TagStoreTests.pictures())]
    let (tags, outcomes) = try TagStore.retag(path, changes: changes)
    // Version 2.3 of ID3 has one text in a frame.
    let isOld = tags.id3Version == 3
    #expect(
      outcomes.allSatisfy { $0.outcome == .exact || isOld && $0.key == .artist }, "\(outcomes)")
    for case .set(let key, let wanted) in changes {
      let found = tags.items.filter { $0.commonKey?.rawValue == key }
      #expect(!found.isEmpty, "\(key)")
      for item in found {
        let isWhole =
          item.values == wanted || item.values == [wanted.joined(separator: isOld ? "/" : "; ")]
        #expect(isWhole, "\(item.identifier): \(item.values)")
      }
    }
    #expect(
      tags.items.filter { $0.commonKey == .title }.map(\.identifier.keySpace) == [.id3, .riff])
    #expect(
      tags.items.filter { $0.commonKey == .artwork }.map(\.mediaType) == [
        "image/jpeg", "image/png",
      ])
    let bytes = try Data(contentsOf: URL(filePath: path))
    let (again, _) = try TagStore.retag(path, changes: changes)
    #expect(again == tags)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    _ = try TagStore.retag(path, changes: [.clear])
    #expect(try TagStore.read(path).items.isEmpty)
    // Of the chunks only those with texts are gone.
    let texts: Set<String> = ["LIST", "ID3 ", "id3 ", "NAME", "AUTH", "ANNO", "(c) "]
    #expect(try chunks(path) == before.filter { !texts.contains($0) })
  }

  /// The ids of all chunks, by arithmetic on the bytes; each is on an even place.
  func chunks(_ path: String) throws -> [String] {
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let isBig = bytes.starts(with: "FORM".utf8)
    func size(_ offset: Int) -> Int {
      let part = bytes[offset..<offset + 4]
      return (isBig ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
    let isWide = bytes.starts(with: "RF64".utf8)
    #expect((isWide ? size(20) : size(4)) == bytes.count - 8)
    var position = 12
    var ids: [String] = []
    while position + 8 <= bytes.count {
      let id = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      var length = size(position + 4)
      if isWide, id == "data" { length = size(28) }
      ids.append(id)
      position += 8 + length + length % 2
    }
    #expect(position == bytes.count)
    return ids
  }

  @Test func removingMeansBothPlaces() throws {
    for name in Self.samples {
      let path = try copy(name)
      _ = try TagStore.retag(
        path, changes: [.set(key: "title", values: ["T"]), .set(key: "artist", values: ["A"])])
      for key in ["title", "id3/TPE1"] {
        let (tags, _) = try TagStore.retag(path, changes: [.remove(key: key)])
        let common = Mapping.commonKey(of: try MetadataIdentifier(parsing: key))
        #expect(!tags.items.contains { $0.commonKey == common }, "\(name): \(key)")
      }
    }
  }

  @Test func aFieldThatIsGivenSetsTheFrame() throws {
    let path = try copy(Self.samples[0])
    let (tags, outcomes) = try TagStore.retag(
      path,
      changes: [
        .set(key: "riff/INAM", values: ["N"]), .set(key: "riff/IENG", values: ["E"]),
        .set(key: "riff/bext.Description", values: ["D"]), .set(key: "riff/iXML", values: ["<X/>"]),
        .set(key: "creationDate", values: ["2023-10-25T10:09:10"]),
        .add(key: "artist", value: "Two"),
      ])
    #expect(outcomes.allSatisfy { $0.outcome == .exact })
    func values(_ key: String) throws -> [String]? {
      let identifier = try MetadataIdentifier(parsing: key)
      return tags.items.first { $0.identifier == identifier }?.values
    }
    #expect(try values("id3/TIT2") == ["N"])
    #expect(try values("riff/IENG") == ["E"])
    #expect(try values("riff/bext.Description") == ["D"])
    #expect(try values("riff/iXML") == ["<X/>"])
    let artists = try #require(try values("id3/TPE1"))
    #expect(artists.last == "Two")
    #expect(try values("riff/IART") == [artists.joined(separator: "; ")])
    let (dated, _) = try TagStore.retag(
      path,
      changes: [
        .set(key: "riff/bext.OriginationDate", values: ["2020-01-01"]),
        .set(key: "creationDate", values: ["2023-10-25T10:09:10"]),
      ])
    let dates = dated.items.filter { $0.commonKey == .creationDate }.map(\.values)
    #expect(dates == [["2023-10-25T10:09:10"], ["2023-10-25T10:09:10"], ["2023-10-25"]])
  }

  @Test func whatOnlyInfoSaidIsInTheNewTagToo() throws {
    let path = try copy(Self.samples[0])
    let (tags, _) = try TagStore.retag(path, changes: [.set(key: "title", values: ["T"])])
    let artist = tags.items.filter { $0.commonKey == .artist }
    #expect(artist.map(\.identifier.description) == ["id3/TPE1", "riff/IART"])
    #expect(artist.map(\.values) == [["B.O.S.E."], ["B.O.S.E."]])
  }

  @Test(arguments: samples) func chaptersAreWrittenAndReadBack(name: String) throws {
    let path = try copy(name)
    let chapters = OracleTests.chapters
    _ = try TagStore.write(
      [MetadataItem(.title, "T")], chapters: chapters, to: path, duration: Rational(2))
    let tags = try TagStore.read(path)
    #expect(tags.chapters == chapters)
    _ = try TagStore.retag(path, changes: [.set(key: "title", values: ["U"])])
    #expect(try TagStore.read(path).chapters == chapters)
    _ = try TagStore.write([], chapters: [], to: path)
    #expect(try TagStore.read(path).chapters.isEmpty)
  }

  static let hasTools =
    OracleTests.hasMutagen && Tool.isThere("ffprobe") && Tool.isThere("exiftool")

  @Test(.enabled(if: hasTools, "needs mutagen, ffprobe and exiftool"), arguments: samples)
  func otherProgramsReadTheSame(name: String) throws {
    let path = try copy(name)
    let hash = try Tool.streamHash(URL(filePath: path))
    let title = "Ünï 日本"
    _ = try TagStore.retag(
      path,
      changes: [
        .set(key: "title", values: [title]), .set(key: "copyright", values: ["Me 2023"]),
        .artwork(try TagStoreTests.pictures()),
      ])
    _ = try TagStore.write([], chapters: OracleTests.chapters, to: path, duration: Rational(2))
    #expect(try Tool.streamHash(URL(filePath: path)) == hash)
    let probe = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "default=nw=1", path])
    #expect(probe.output.contains("TAG:title=\(title)\n"))
    let isAIFF = path.hasSuffix("aif")
    let exif = try Tool.run("exiftool", ["-a", "-G1", "-s", path]).output.split(separator: "\n")
    #expect(
      exif.contains {
        $0.hasPrefix("[\(isAIFF ? "AIFF" : "RIFF")]") && $0.contains("Copyright")
          && $0.contains("Me 2023")
      })
    if !isAIFF {
      #expect(exif.contains { $0.contains("CuePointLabel") && $0.contains(": 1 Intro") })
      #expect(exif.contains { $0.contains("CuePointLabel") && $0.contains(": 2 Kapitel zwei") })
    }
    // Mutagen knows no 64-bit files.
    guard !name.contains("rf64") else { return }
    let script = """
      import sys, mutagen
      f = mutagen.File(sys.argv[1])
      print(f['TIT2'].text[0], [(int(a.type), a.mime, len(a.data)) for a in f.tags.getall('APIC')])
      """
    let run = try Tool.run("python3", ["-c", script, path])
    #expect(
      run.output == "\(title) [(3, 'image/jpeg', 2170), (0, 'image/png', 362)]\n", "\(run.errors)")
  }
}
