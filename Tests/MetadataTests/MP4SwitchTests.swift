import CutroomMetadata
import Foundation
import TestSupport
import Testing

/// Edits where a file lies: after any part of what is written, the file is the old one or the new.
@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct MP4SwitchTests {
  private typealias Build = BoxBuilder
  private static let title = MetadataIdentifier(.itsk, "©nam")

  static func set(_ text: String) -> TagOperation {
    .set(title, [MetadataItem(title, text)])
  }

  /// A real file whose movie header stands last, or first with free space behind it.
  static func file(_ layout: String) throws -> [UInt8] {
    let bytes = try SharedMedia.bytes("fixtures/full.m4a")
    let boxes = try Self.boxes(bytes)
    let movie = try #require(boxes.first { $0.type == "moov" })
    let media = try #require(boxes.first { $0.type == "mdat" })
    #expect(movie.range.lowerBound > media.range.lowerBound)
    let free = [UInt8](repeating: 0, count: 50_000 - 8)
    switch layout {
    case "last": return bytes
    case "last, then free": return bytes + Build.box("free", [UInt8](repeating: 0, count: 30))
    case "free before and after":
      let rest = Array(bytes[..<movie.range.lowerBound])
      return rest + Build.box("free", free) + bytes[movie.range] + Build.box("free", free)
    case "two free boxes after": return bytes + Build.box("free", free) + Build.box("skip", free)
    case "without user data":
      let plan = try MP4TagEditor(MP4File(MemoryReader(bytes)), container: .m4a).plan([.clear])
      let cleared = plan.applied(to: bytes)
      var data = cleared
      let place = try #require(data.indices.first { data[$0...].starts(with: "udta".utf8) })
      data.replaceSubrange(place..<place + 4, with: "uuid".utf8)
      return data
    default: throw Program.Failure(description: layout)
    }
  }

  static let layouts = [
    "last", "last, then free", "free before and after", "two free boxes after",
    "without user data",
  ]

  static func boxes(_ bytes: [UInt8]) throws -> [(type: String, range: Range<Int>)] {
    var boxes: [(type: String, range: Range<Int>)] = []
    var position = 0
    while position + 8 <= bytes.count {
      let size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
      let end = size < 8 ? bytes.count : min(bytes.count, position + size)
      boxes.append((type, position..<end))
      position = end
    }
    return boxes
  }

  static func media(_ bytes: [UInt8]) throws -> [[UInt8]] {
    try boxes(bytes).filter { $0.type == "mdat" }.map { Array(bytes[$0.range]) }
  }

  /// The file with a patch of which only the first `count` bytes are written.
  static func applied(
    _ patch: MP4EditPlan.Patch, first count: Int? = nil, to bytes: [UInt8]
  ) -> [UInt8] {
    let new = patch.bytes.prefix(count ?? patch.bytes.count)
    let start = Int(patch.offset)
    var result = bytes
    if result.count < start + new.count {
      result += [UInt8](repeating: 0, count: start + new.count - result.count)
    }
    result.replaceSubrange(start..<start + new.count, with: new)
    return result
  }

  static func titles(_ bytes: [UInt8]) throws -> [[String]] {
    try MP4File(MemoryReader(bytes)).items().filter { $0.identifier == title }.map(\.values)
  }

  static func edit(_ bytes: [UInt8], _ operation: TagOperation) throws -> MP4SwitchEdit? {
    try MP4TagEditor(MP4File(MemoryReader(bytes)), container: .m4a).switchEdit([operation])
  }

  @Test(arguments: layouts) func everyMomentIsTheOldFileOrTheNewOne(layout: String) throws {
    var bytes = try Self.file(layout)
    let media = try Self.media(bytes)
    let others = try Self.others(bytes)
    let start = bytes.count
    // Each edit takes the room that the ones before left, in turns before and after.
    for round in 0..<6 {
      let text = "Title \(round) " + String(repeating: "é", count: round * 37 % 100)
      let old = try Self.titles(bytes)
      let edit = try #require(try Self.edit(bytes, Self.set(text)), "\(layout), round \(round)")
      for (index, step) in edit.steps.enumerated() {
        for patch in step {
          let lengths = [0, 1, 7, 8, 9, patch.bytes.count / 2, patch.bytes.count - 1]
          for length in lengths where length < patch.bytes.count && patch.bytes.count > 8 {
            let torn = Self.applied(patch, first: length, to: bytes)
            let wanted = index > edit.visibleStep ? [[text]] : old
            #expect(try Self.titles(torn) == wanted, "\(layout), step \(index), \(length) bytes")
            #expect(try Self.others(torn) == others)
            #expect(try Self.media(torn) == media)
          }
          bytes = Self.applied(patch, to: bytes)
        }
        #expect(try Self.titles(bytes) == (index >= edit.visibleStep ? [[text]] : old))
        #expect(try Self.others(bytes) == others)
        #expect(try Self.media(bytes) == media)
      }
      #expect(bytes.count == Int(edit.size))
      // Nothing is left of what was replaced.
      if round > 0 {
        let gone = Array("Title \(round - 1) ".utf8)
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: gone) })
      }
    }
    #expect(bytes.count - start < 40_000)
    #expect(try Self.edit(bytes, Self.set("x"))?.steps.isEmpty == false)
  }

  private static func others(_ bytes: [UInt8]) throws -> [MetadataItem] {
    try MP4File(MemoryReader(bytes)).items().filter { $0.identifier != title }
  }

  @Test(.enabled(if: Tool.isThere("ffmpeg"), Tool.note("ffmpeg")))
  func aFileWithoutRoomIsNotEditedWhereItLies() throws {
    // The movie header is first, and only 8 bytes are free.
    let folder = try TemporaryFolder()
    let made = folder.url.appending(path: "first.m4a").path
    let arguments = ["-v", "error", "-i", try SharedMedia.url("fixtures/full.m4a").path]
    let copying = ["-map", "0:a", "-c", "copy", "-movflags", "+faststart", made]
    try #require(try Tool.run("ffmpeg", arguments + copying).status == 0)
    let first = Array(try Data(contentsOf: URL(filePath: made)))
    let long = String(repeating: "x", count: 100_000)
    #expect(try Self.edit(first, Self.set(long)) == nil)
    // What is only taken away needs no room.
    let place = MetadataIdentifier(.udta, "©xyz")
    let tagged = try MP4TagEditor(MP4File(MemoryReader(first)), container: .m4a).plan([
      .set(place, [MetadataItem(place, "+1+2/")])
    ]).applied(to: first)
    #expect(try Self.edit(tagged, .set(place, [])) != nil)
  }

  @Test func noHeaderThatIsSwitchedCrossesASector() throws {
    let bytes = try Self.file("last")
    let head = try #require(try Self.boxes(bytes).first).range.upperBound
    for shift in stride(from: 8, to: 520, by: 4) {
      // A box in front moves everything; the tables are wrong then, but nobody reads samples here.
      let moved =
        bytes.prefix(head) + Build.box("free", [UInt8](repeating: 0, count: shift))
        + bytes.dropFirst(head)
      guard let edit = try Self.edit(Array(moved), Self.set("New")) else { continue }
      for patch in edit.steps[...edit.visibleStep].joined() where patch.bytes.count == 8 {
        #expect(patch.offset / 512 == (patch.offset + 7) / 512)
      }
    }
  }
}
