@testable import Cutroom
import CutroomModel
import Testing

/// The compact tables of a golden.
@Suite struct GoldenTableTests {
  private func rows(_ count: Int) -> [TimestampTable.Row] {
    (0..<count).map { .init(time: Int64($0) * 512, length: 512, flags: $0 % 12 == 0 ? 1 : 0) }
  }

  @Test func timesAreKeptAsRunsAndReadBack() throws {
    var rows = rows(100)
    rows[40].time += 3
    let table = TimestampTable(rows)
    #expect(table.row(40) == rows[40])
    #expect(table.row(99) == rows[99])
    #expect(table.row(100) == nil)
    #expect(try TimestampTable(table.json, "a table") == table)
  }

  @Test(arguments: [0, 1, 11, 12, 57, 99])
  func theFirstDifferentRowIsFound(_ index: Int) throws {
    let table = TimestampTable(rows(100))
    var other = rows(100)
    other[index].length += 1
    let found = try #require(TimestampTable(other).difference(from: table))
    #expect(found.row == index)
    #expect(found.own == other[index])
    #expect(found.other == rows(100)[index])
  }

  @Test func aTableThatEndsEarlyDiffersAtItsEnd() throws {
    let found = try #require(TimestampTable(rows(90)).difference(from: TimestampTable(rows(100))))
    #expect(found.row == 90)
    #expect(found.own == nil)
  }

  @Test func tablesWithoutRunsAreSummedUp() throws {
    var rows = (0..<10_000).map { TimestampTable.Row(time: Int64($0 * $0), length: 1) }
    let table = TimestampTable(rows)
    #expect(table.runs.isEmpty)
    #expect(try TimestampTable(table.json, "a table") == table)
    rows[7777].length = 2
    let found = try #require(TimestampTable(rows).difference(from: table))
    #expect(abs(found.row - 7777) <= 5)
  }

  @Test func longListsAreSummedUpInGroups() throws {
    var sums = (0..<6001).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 }
    let list = HashList(sums)
    #expect(list.group == 4)
    #expect(list.hashes.count <= HashList.limit)
    #expect(try HashList(.object(list.members), "a list") == list)
    sums[4242] ^= 1
    let found = try #require(HashList(sums).difference(from: list))
    #expect(found.first == 4240)
    #expect(found.number == 1)
  }

  @Test func equalSumsInARowAreCounted() throws {
    let list = HashList([1, 1, 1, 2])
    #expect(list.members.last?.value == ["0000000000000001*3", "0000000000000002"])
    #expect(try HashList(.object(list.members), "a list") == list)
  }

  @Test func picturesAreThinnedOutEvenly() throws {
    var thumbnails = Thumbnails()
    for frame in 0..<1000 where thumbnails.wants(frame) {
      thumbnails.append(Array(repeating: UInt8(frame / 8), count: Thumbnails.size))
    }
    #expect(thumbnails.every == 8)
    #expect(thumbnails.pictures.count == 125)
    #expect(thumbnails.picture(of: 800)?.first == 100)
    #expect(thumbnails.picture(of: 801) == nil)
    let json = JSONValue.object(thumbnails.members)
    #expect(try Thumbnails(json, frames: 1000, "pictures") == thumbnails)
  }
}
