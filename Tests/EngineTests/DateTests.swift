import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Times, places and other items of a file, through cuts of every mode into every movie container.
///
/// `loc.mp4` was made at 2024-01-02T03:04:05Z, near the Eiffel tower.
@Suite(.needsFFmpeg)
struct DateTests {
  static let modes = ["", Text.passthrough, Text.quick]

  private func metadata(_ text: String) -> String { "\"metadata\": {\(text)}" }

  private func times(_ url: URL) throws -> Set<String?> {
    let file = try ProbedFile(url)
    return Set([file.format["tags.creation_time"]] + file.streams.map { $0["tags.creation_time"] })
  }

  @Test(
    "every header says the time",
    arguments: ["mp4", "mov", "m4a"],
    [
      (#""dates": "keep""#, "2024-01-02T03:04:05.000000Z"),
      (#""dates": "shift""#, "2024-01-02T03:04:09.000000Z"), (#""dates": "drop""#, nil),
      (#""dates": "2023-10-25T10:09:10+02:00""#, "2023-10-25T08:09:10.000000Z"),
      (#""inherit": "none""#, nil), (#""inherit": "sharing""#, nil),
    ] as [(String, String?)])
  func everyHeaderSaysTheTime(ending: String, wanted: (setting: String, time: String?)) throws {
    try withTemporaryDirectory { folder in
      let isSound = ending == "m4a"
      let clips = try clip("loc.mp4", #""in": 4, "out": 6"#)
      let kind = isSound ? "\"kind\": \"audio\", " : ""
      for mode in isSound ? ["", Text.passthrough, #""mode": "render""#] : Self.modes {
        let text = Text(
          tracks: "{\"id\": \"main\", \(kind)\"clips\": [\(clips)]}", export: mode,
          more: metadata(wanted.setting))
        let exported = try text.export(to: "out." + ending, in: folder)
        #expect(try times(exported.url) == [wanted.time], "\(mode)")
        try FileManager.default.removeItem(at: exported.url)
      }
    }
  }

  @Test(arguments: modes) func thePlaceStaysUnlessItIsForSharing(mode: String) throws {
    try withTemporaryDirectory { folder in
      for (inherit, place) in [("all", "+48.8577+002.2950/"), ("sharing", nil)] {
        for ending in ["mp4", "mov"] {
          let text = Text(
            clips: try clip("loc.mp4", #""in": 4, "out": 6"#), export: mode,
            more: metadata("\"inherit\": \"\(inherit)\""))
          let exported = try text.export(to: "out." + ending, in: folder)
          let items = try TagStore.read(exported.url.path).items
          let found = items.first { $0.commonKey == .location }?.values.first
          #expect(found == place, "\(inherit), \(ending)")
          #expect(items.contains { $0.commonKey == .title && $0.values == ["Here"] })
          try FileManager.default.removeItem(at: exported.url)
        }
      }
    }
  }

  /// The first file that says a time says it for the whole.
  @Test func ofSeveralSourcesTheFirstSaysTheTime() throws {
    try withTemporaryDirectory { folder in
      let clips = [
        try clip("count25.mp4", #""out": 1"#), try clip("loc.mp4", #""in": 4, "out": 5"#),
      ]
      let text = Text(clips: clips.joined(separator: ","), more: metadata(#""dates": "shift""#))
      let exported = try text.export(to: "out.mp4", in: folder)
      #expect(try times(exported.url) == ["2024-01-02T03:04:09.000000Z"])
    }
  }

  /// A day, and a moment with its zone: only the moment moves.
  @Test func datesOfItemsMoveWithTheCut() throws {
    try withTemporaryDirectory { folder in
      let source = folder.appending(path: "source.mov")
      try FileManager.default.copyItem(at: try Fixtures.file("loc.mp4"), to: source)
      for (date, moved) in [
        ("2023-10-25T10:09:10+0200", "2023-10-25T10:09:14+0200"), ("2023-10-25", "2023-10-25"),
      ] {
        _ = try TagStore.retag(
          source.path, changes: [.set(key: "creationDate", values: [date])])
        for mode in Self.modes {
          let text = Text(
            clips: try clip(source.path, #""in": 4, "out": 6"#), export: mode,
            more: metadata(#""dates": "shift""#))
          for ending in ["mp4", "mov"] {
            let exported = try text.export(to: "out." + ending, in: folder)
            let items = try TagStore.read(exported.url.path).items
            let found = items.first { $0.commonKey == .creationDate }?.values.first
            #expect(found.map(Self.plain) == Self.plain(moved), "\(ending) \(mode)")
            try FileManager.default.removeItem(at: exported.url)
          }
        }
      }
    }
  }

  private static func plain(_ date: String) -> String { date.replacing(":", with: "") }
}
