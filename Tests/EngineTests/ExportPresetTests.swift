import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

@Suite(.needsFFmpeg)
struct ExportPresetTests {
  @Test(arguments: [
    ((1920, 1080), (1920, 1080)), ((3840, 2160), (1920, 1080)), ((1280, 720), (1280, 720)),
    ((2560, 1080), (1920, 810)), ((4096, 2160), (1920, 1012)), ((2160, 3840), (1080, 1920)),
    ((1081, 1921), (1080, 1920)), ((2000, 2000), (1080, 1080)), ((320, 180), (320, 180)),
    ((100_000, 10), (1920, 2)),
  ])
  func picturesAreFittedInsideAndNeverEnlarged(size: (Int, Int), fitted: (Int, Int)) throws {
    let preset = try #require(ExportPreset.named("h264-1080p"))
    let result = preset.size(fitting: PixelSize(width: size.0, height: size.1))
    #expect(result == PixelSize(width: fitted.0, height: fitted.1))
  }

  @Test func everyPresetPlansInItsOwnContainer() throws {
    try withTemporaryDirectory { folder in
      for preset in ExportPreset.all where preset.mode == .render {
        var overrides = ExportOverrides()
        overrides.preset = preset
        let checked = Engine.check(
          text: SourceText(file: "a.json", text: ContainerTests.composition), baseDirectory: "")
        let planned = Engine.plan(
          checked, output: folder.appending(path: "result").path, overrides: overrides)
        #expect(planned.plan?.containerName == preset.container, "\(preset.name)")
      }
    }
  }

  @Test func scaledPicturesHaveThePresetsSize() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "small.mp4")
      let text = ContainerTests.composition.replacing("[160, 90]", with: "[2560, 1080]")
        .replacing("\"2s\"", with: "\"3f\"")
      _ = try ContainerTests.export(to: url.path, preset: "h264-720p", text: text)
      let stream = try ProbedFile(url).stream("video")
      #expect(stream["width"] == "1280" && stream["height"] == "540")
      #expect(stream["color_space"] == "bt709" && stream["color_range"] == "tv")
      #expect(stream["nb_frames"] == "3")
    }
  }

  @Test func aPresetLeavesOutWhatTheCompositionLeavesOut() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "silent.mp4")
      let text = ContainerTests.composition.dropLast() + #", "export": {"audio": false}}"#
      _ = try ContainerTests.export(to: url.path, preset: "h264-720p", text: String(text))
      #expect(try ProbedFile(url).streams.count == 1)
    }
  }
}

@Suite(.needsFFmpeg)
struct PictureFolderTests {
  private func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test(arguments: [("png-sequence", "png"), ("jpeg-sequence", "jpg")])
  func everyPictureHasAFile(preset: String, ending: String) throws {
    try withTemporaryDirectory { folder in
      let target = folder.appending(path: "frames")
      _ = try ContainerTests.export(to: target.path, preset: preset)
      #expect(try names(target) == (0..<50).map { String(format: "%05d.", $0) + ending })
      #expect(try names(folder) == ["frames"])
    }
  }

  @Test func picturesAreTheFramesOfTheTimeline() throws {
    try withTemporaryDirectory { folder in
      let target = folder.appending(path: "frames")
      let path = try Fixtures.file("count25.mp4").path
      let text = """
        {"format": "cutroom/1", "tracks": [{"clips": [{"source": "\(path)", "in": "11f", "out": "16f"}]}]}
        """
      _ = try ContainerTests.export(to: target.path, preset: "png-sequence", text: text)
      let numbers = try names(target).flatMap {
        try DecodedPictures.numbers(target.appending(path: $0))
      }
      #expect(numbers == [11, 12, 13, 14, 15])
    }
  }

  @Test func aFolderOfPicturesIsReplacedOnlyWhenAsked() throws {
    try withTemporaryDirectory { folder in
      let target = folder.appending(path: "frames")
      _ = try ContainerTests.export(to: target.path, preset: "png-sequence")
      #expect(throws: CutroomError.self) {
        try ContainerTests.export(to: target.path, preset: "png-sequence")
      }
      let short = ContainerTests.composition.replacing("\"2s\"", with: "\"4f\"")
      _ = try ContainerTests.export(
        to: target.path, preset: "png-sequence", text: short, overwrite: true)
      #expect(try names(target).count == 4)
      #expect(try names(folder) == ["frames"])
    }
  }

  @Test func aFolderThatHoldsAnythingElseIsNeverReplaced() throws {
    try withTemporaryDirectory { folder in
      let target = folder.appending(path: "frames")
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      let note = target.appending(path: "notes.txt")
      try Data("mine".utf8).write(to: note)
      let error = #expect(throws: CutroomError.self) {
        try ContainerTests.export(to: target.path, preset: "png-sequence", overwrite: true)
      }
      #expect(error?.diagnostics.map(\.code) == ["output.exists"])
      #expect(try names(target) == ["notes.txt"])
      #expect(try names(folder) == ["frames"])
    }
  }
}
