@testable import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Every sample against its golden, and against itself.
///
/// With `RECORD_GOLDEN=1` the goldens are recorded instead, and the tests fail on purpose.
@Suite struct GoldenSampleTests {
  static let folder = PackageFolder.root.appending(path: "golden").path
  static let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"

  @Test(arguments: try PackageFolder.samples.map(\.path))
  func theSampleIsAsRecordedWithAnyNumberOfJobs(_ path: String) throws {
    let cancellation = Cancellation()
    let name = Golden.name(ofComposition: path)
    try SampleWorkshop.with(parent: nil, cancellation: cancellation) {
      (workshop) throws(CutroomError) in
      let one = try workshop.export(path, jobs: 1)
      let two = try workshop.export(path, jobs: 2)
      #expect(
        FileManager.default.contentsEqual(atPath: one.output, andPath: two.output),
        "the bytes depend on the number of jobs")
      let file = "\(Self.folder)/\(name)\(Golden.suffix)"
      if Self.isRecording {
        try SampleWorkshop.createFolder(Self.folder)
        try Golden(
          name: name, composition: SampleWorkshop.relative(path, from: Self.folder), report: one,
          cancellation: cancellation
        ).write(to: file)
        Issue.record("recorded \(file): read the difference, then commit it")
        return
      }
      let golden = try Golden.read(file)
      let fingerprint = try FingerprintReader(path: one.output, cancellation: cancellation)
        .read(plan: one.plan)
      let report = ComparisonReport(
        name: name, output: path,
        tiers: Comparison(golden: golden, output: fingerprint).results())
      #expect(report.isEqual, "\(report.text)")
    }
  }

  @Test func chunksComeOutTheSameWhoeverRendersThem() throws {
    try withGoldenFolder { folder in
      let clips = (0..<12).map { index in
        """
        {"source": "\(["a", "b"][index % 2])", "in": "1s", "duration": "\(30 + index)f"},
        {"transition": "dissolve", "duration": "\(3 + index)f", "alignment": "start"},
        """
      }
      let composition = try folder.write(
        """
        {"format": "cutroom/1", "timeline": {"frameRate": 25, "size": [64, 36]},
         "sources": {
           "a": {"generator": "testsrc2", "size": [64, 36], "frameRate": 25, "duration": "4s"},
           "b": {"generator": "smptebars", "size": [64, 36], "frameRate": 30, "duration": "4s"},
           "c": {"color": "#2040A0"}},
         "tracks": [{"kind": "video", "clips": [
           \(clips.joined()) {"source": "c", "duration": "2s"}]}],
         "export": {"container": "mkv", "video": {"codec": "h264", "preset": "ultrafast"}}}
        """, "long.json")
      let checked = Engine.check(path: composition)
      var outputs: [String] = []
      for jobs in [1, 2, 5] {
        let output = folder.path("\(jobs).mkv")
        let planned = Engine.plan(checked, output: output)
        let plan = try #require(planned.plan, "\(planned.diagnostics.map(\.message))")
        #expect((plan.video?.chunks.count ?? 0) >= 2)
        _ = try Engine.export(plan, jobs: jobs)
        outputs.append(output)
      }
      for output in outputs.dropFirst() {
        #expect(FileManager.default.contentsEqual(atPath: outputs[0], andPath: output))
      }
    }
  }
}
