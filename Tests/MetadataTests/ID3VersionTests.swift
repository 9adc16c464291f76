import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct ID3VersionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static var old: TagOptions {
    var options = TagOptions()
    options.id3Version = 3
    return options
  }

  func file(_ changes: [TagChange], _ options: TagOptions = TagOptions()) throws -> String {
    let path = try folder.file("a.mp3", SharedMedia.bytes("real/quodlibet-lame-peak.mp3")).path
    _ = try TagStore.retag(path, changes: [.clear] + changes, options: options)
    return path
  }

  static let newFrames: [TagChange] = [
    .set(key: "creationDate", values: ["2024-05-06T07:08:09"]),
    .set(key: "id3/TMOO", values: ["calm"]),
    .set(key: "sortAlbum", values: ["Sorted"]), .set(key: "id3/TDOR", values: ["1999-12-31"]),
    .set(key: "artist", values: ["A", "B"]),
  ]

  @Test func framesOfTheNewVersionGetOldNamesAndLossesAreTold() throws {
    let path = try file(Self.newFrames)
    let (tags, outcomes) = try TagStore.retag(
      path, changes: [.set(key: "title", values: ["T"])], options: Self.old)
    #expect(tags.id3Version == 3)
    let report = outcomes.map { "\($0.identifier) \($0.outcome)" }
    #expect(
      Set(report) == [
        "id3/TDRC truncated", "id3/TXXX:MOOD rekeyed", "id3/TDOR truncated", "id3/TIT2 exact",
        "id3/TPE1 truncated",
      ])
    let values = Dictionary(tags.items.map { ($0.identifier.description, $0.values) }) { $1 }
    #expect(values["id3/TXXX:MOOD"] == ["calm"])
    #expect(values["id3/TSOA"] == ["Sorted"])
    #expect(values["id3/TDRC"] == ["2024-05-06T07:08"])
    #expect(values["id3/TDOR"] == ["1999"])
    #expect(values["id3/TPE1"] == ["A/B"])
    #expect(values["id3/TMOO"] == nil)
  }

  @Test(.enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote))
  func mutagenReadsTheOldVersion() throws {
    let path = try file(Self.newFrames + [.set(key: "title", values: ["Ünï 日本 🎬"])], Self.old)
    let script = """
      import sys, mutagen.id3
      f = mutagen.id3.ID3(sys.argv[1], translate=False)
      print(f.version, f['TYER'].text, f['TDAT'].text, f['TIME'].text, f['TORY'].text)
      print(f['TXXX:MOOD'].text, f['TSOA'].text, int(f['TIT2'].encoding), f['TIT2'].text)
      """
    let run = try Tool.run("python3", ["-c", script, path])
    #expect(
      run.output == """
        (2, 3, 0) ['2024'] ['0605'] ['0708'] ['1999']
        ['calm'] ['Sorted'] 1 ['Ünï 日本 🎬']

        """, "\(run.errors)")
  }

  /// Version 2.3 has one text in a frame: what follows its first NUL is not read by all.
  @Test(.enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote), arguments: ["/", "; "])
  func severalValuesAreJoinedInTheOldVersionAndStayApartInTheNew(separator: String) throws {
    var options = Self.old
    options.id3Separator = separator
    let values: [TagChange] = [
      .set(key: "artist", values: ["A", "B"]), .set(key: "id3/TXXX:MOOD", values: ["x", "y"]),
    ]
    let script = """
      import sys, mutagen.id3
      f = mutagen.id3.ID3(sys.argv[1], translate=False)
      print(f.version[1], f['TPE1'].text, f['TXXX:MOOD'].text)
      """
    let joined = "3 ['A\(separator)B'] ['x\(separator)y']\n"
    #expect(try Tool.run("python3", ["-c", script, try file(values, options)]).output == joined)
    let path = try file(values)
    #expect(try Tool.run("python3", ["-c", script, path]).output == "4 ['A', 'B'] ['x', 'y']\n")
    // A tag that goes back a version, and a value that is added there.
    let (_, outcomes) = try TagStore.retag(path, changes: [], options: options)
    #expect(outcomes.map(\.outcome) == [.truncated, .truncated])
    #expect(try Tool.run("python3", ["-c", script, path]).output == joined)
    let (tags, _) = try TagStore.retag(
      path, changes: [.add(key: "artist", value: "C")], options: options)
    let artists = tags.items.filter { $0.commonKey == .artist }
    #expect(artists.map(\.values) == [["A\(separator)B\(separator)C"]])
  }

  @Test func frameBytesThatTheOldVersionHasNotAreDroppedAndTold() throws {
    let items = [MetadataItem(MetadataIdentifier(.id3, "RVA2"), .data([1, 2, 3]))]
    let changed = ID3Downgrade.changed(items, separator: "/")
    #expect(changed.map(\.new.outcome.outcome) == [.dropped])
  }

  /// The last 128 bytes of a file.
  func tail(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)).suffix(128))
  }

  @Test func anOldTagIsOnlyWrittenWhenAskedForAndThenFollows() throws {
    let long = "A title that is longer than thirty characters"
    let path = try file([
      .set(key: "title", values: [long]), .set(key: "trackNumber", values: ["7"]),
    ])
    #expect(try !tail(path).starts(with: "TAG".utf8))
    var options = TagOptions()
    options.addsID3v1 = true
    let before = try Tool.isThere("ffmpeg") ? Tool.streamHash(URL(filePath: path)) : ""
    _ = try TagStore.retag(path, changes: [.set(key: "artist", values: ["Ä"])], options: options)
    let old = try tail(path)
    #expect(old.starts(with: Array(("TAG" + long.prefix(30)).utf8)))
    #expect(Array(old[33..<35]) == [0xC4, 0])
    #expect(Array(old[125..<127]) == [0, 7])
    _ = try TagStore.retag(path, changes: [.set(key: "title", values: ["New"])])
    #expect(try tail(path).starts(with: "TAGNew\0".utf8))
    if Tool.isThere("ffmpeg") { #expect(try Tool.streamHash(URL(filePath: path)) == before) }
  }

  @Test func aFileWithOnlyAnOldTagIsReadAndKeepsIt() throws {
    func field(_ text: String, _ count: Int) -> [UInt8] {
      Array(text.utf8) + Array(repeating: 0, count: count - text.utf8.count)
    }
    let old =
      Array("TAG".utf8) + field("Title", 30) + field("Artist", 30) + field("", 30)
      + field("1999", 4) + field("", 28) + [0, 5, 17]
    let path = try file([])
    let sound = try Data(contentsOf: URL(filePath: path))
    let bare =
      sound.starts(with: "ID3".utf8)
      ? Array(sound.dropFirst(10 + Int(sound[8]) << 7 + Int(sound[9]))) : Array(sound)
    let new = try folder.file("b.mp3", bare + old).path
    let tags = try TagStore.read(new)
    let values = Dictionary(tags.items.map { ($0.commonKey?.rawValue ?? "", $0.values) }) { $1 }
    #expect(values["title"] == ["Title"])
    #expect(values["trackNumber"] == ["5"])
    #expect(values["genre"] == ["Rock"])
    let (changed, _) = try TagStore.retag(new, changes: [.set(key: "title", values: ["New"])])
    let after = Dictionary(changed.items.map { ($0.commonKey?.rawValue ?? "", $0.values) }) { $1 }
    #expect(after["title"] == ["New"])
    #expect(after["artist"] == ["Artist"])
    #expect(try tail(new).starts(with: "TAGNew\0".utf8))
  }
}
