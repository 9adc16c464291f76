import Cutroom
import Foundation
import TestSupport
import Testing

/// The examples of the page about the Swift interface: what stands between the marks of an example
/// is what stands on the page, and each is run.
struct EditingPageTests {
  @Test func thePageHasTheseExamples() throws {
    let root = PackageFolder.root
    let page = try String(
      contentsOf: root.appending(path: "Sources/Cutroom/Cutroom.docc/Editing.md"), encoding: .utf8)
    let source = try String(
      contentsOf: root.appending(path: "Tests/EngineTests/EditingPageTests.swift"), encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    var examples: [String] = []
    var lines: [Substring]?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      if text == "// example" {
        lines = []
      } else if text == "// end" {
        let margin = lines?.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        examples.append((lines ?? []).map { $0.dropFirst(margin) + "\n" }.joined())
        lines = nil
      } else {
        lines?.append(line)
      }
    }
    #expect(blocks.count >= 6)
    #expect(blocks == examples)
  }

  @Test func editing() throws {
    // example
    let a = SourceTrack("a.mov", kind: .video, extent: 0..<20)
    let c = SourceTrack("c.mov", kind: .video, extent: 0..<3)

    var composition = Composition()
    let picture = composition.addTrack(.video, name: "main")
    try composition.insert(0..<4, of: a, into: picture)  // | a       |
    try composition.insert(1..<3, of: c, at: 2, into: picture)  // | a  | c  | a  |

    let before = composition
    try composition.remove(3..<5)  // | a  |c|a |
    try composition.scale(0..<2, to: 1)  // the first part at twice its speed
    composition = before  // undone
    // end
    #expect(composition.tracks[0].segments.map(\.sourceRange) == [0..<2, 1..<3, 2..<4])
    #expect(composition.duration == 6)

    do {
      // example
      do throws(EditError) {
        try composition.insert(2..<9, of: c, at: 0, into: picture)
      } catch {
        print(error)  // 'c.mov' is asked for 2s to 9s, but has only 0s to 3s
        print(error.fix ?? "")  // use 2s to 3s, which the source has
        print(error.avFoundationNumber ?? 0)  // -11827
      }
      // end
    }
    let refusal = #expect(throws: EditError.self) {
      try composition.insert(2..<9, of: c, at: 0, into: picture)
    }
    #expect(refusal?.description == "'c.mov' is asked for 2s to 9s, but has only 0s to 3s")
    #expect(refusal?.fix == "use 2s to 3s, which the source has")
    #expect(refusal?.avFoundationNumber == -11827 && composition == before)

    // example
    try composition.update(picture) { (track) throws(EditError) in
      try track.insert([
        .media(c, 0..<2, duration: 4),  // at half its speed
        .media(a, 6..<8, playback: .reversed),
        .empty(1),
        .media(a, 9..<9, duration: 1, playback: .frozen),
      ])
      track.language = "eng"
    }
    for segment in composition.tracks[0].segments {
      print(segment.range, segment.source?.id ?? "nothing", segment.rate ?? 0)
    }
    let shown = composition.track(picture)?.content(at: 11)  // a.mov at 7 s, on its way back
    // end
    #expect(composition.duration == 14 && shown?.source == a && shown?.time == 7)
  }

  @Test func exactTimes() throws {
    let a = SourceTrack("a.mov", kind: .video, extent: 0..<20)
    // example
    let frame = MediaTime(value: 1001, timescale: 30000)
    let second = frame.multiplied(by: 30)  // 30030/30000, exact
    let coarse = second.rescaled(to: 600, rounding: .down)  // 600/600, and hasBeenRounded
    let mapping = TimeMapping(
      source: TimeRange(start: .zero, duration: second),
      target: TimeRange(start: .zero, duration: coarse))

    var track = CompositionTrack(id: 1, kind: .video)
    try track.replaceSegments(with: [TrackSegment(a, mapping: mapping)])
    let rate = track.segments[0].rate  // 1001/1000
    // end
    #expect(second.value == 30030 && !second.hasBeenRounded)
    #expect(coarse.value == 600 && coarse.hasBeenRounded)
    #expect(rate == Rational(1001, 1000))
  }

  @Test func drawingMixingAndExporting() throws {
    try withTemporaryDirectory { directory in
      let folder = directory.path
      // example
      let sources = [
        NamedSource(id: "sky", source: .color(Color(red: 27, green: 58, blue: 91))),
        NamedSource(
          id: "bars",
          source: .generator(
            GeneratorSource(
              filter: "smptebars", size: PixelSize(width: 64, height: 36),
              frameRate: FrameRate(25), duration: .seconds(4)))),
        NamedSource(
          id: "tone",
          source: .generator(
            GeneratorSource(filter: "sine=frequency=440", duration: .seconds(4)))),
      ]
      let sky = SourceTrack("sky", kind: .video, extent: nil)  // a colour has no end
      let bars = SourceTrack("bars", kind: .video, extent: 0..<4)
      let tone = SourceTrack("tone", kind: .audio, extent: 0..<4)

      var composition = Composition()
      let (below, above) = (composition.addTrack(.video), composition.addTrack(.video))
      let sound = composition.addTrack(.audio)
      try composition.insert(0..<3, of: sky, into: below)
      try composition.insert(0..<2, of: bars, at: 1, into: above)
      try composition.insert(0..<3, of: tone, into: sound)
      // end

      // example
      guard
        var video = VideoComposition(
          of: composition, frameRate: FrameRate(25), renderSize: PixelSize(width: 64, height: 36),
          grouping: .whole)
      else { return }
      try video.instructions[0].layers[1].setOpacityRamp(
        from: 0, to: 1, over: 1..<2, curve: .easeInOut)
      let problems = video.problems(with: composition)  // none: no gap, no unknown track
      let opacity = video.layers(inFrame: 37)[1].opacity  // exactly 7344/15625

      var mix = AudioMix()
      try mix[sound].setVolumeRamp(from: 1, to: 0, over: 2..<3)
      // end
      #expect(problems == [])
      #expect(opacity == Rational(7344, 15625))

      // example
      var document = try CompositionDocument(
        composition, sources: sources, video: video, mix: mix)
      document.export.container = "mp4"
      document.chapters = .list([ChapterMark(at: .seconds(1), title: "The bars")])
      let file = CompositionWriter.text(document)  // what `cutroom check` and `export` read

      let checked = Engine.check(document: document, baseDirectory: folder)
      for finding in checked.diagnostics {
        print(finding.severity, finding.code, finding.pointer, finding.message)
      }
      let planned = Engine.plan(checked, output: folder + "/scene.mp4")
      if let plan = planned.plan {
        let report = try Engine.export(plan)
        print(report.plan.duration)  // 3/1
      }
      // end
      #expect(!checked.hasErrors && !planned.hasErrors, "\(planned.diagnostics)")
      let read = CompositionReader.read(SourceText(file: "scene.json", text: file))
      #expect(read.document == document && read.diagnostics.isEmpty)

      let path = folder + "/scene.mp4"
      // example
      let tracks = try Engine.sourceTracks(ofFile: path)  // its picture and its sound
      var next = Composition()
      try next.insert(0..<2, of: tracks)  // makes the tracks that it needs
      try next.insert(1..<2, of: tracks, at: 1)  // what follows moves right on all tracks
      let timeline = try Engine.check(
        document: CompositionDocument(next), baseDirectory: folder
      ).timeline
      // end
      #expect(tracks.map(\.kind) == [.video, .audio])
      #expect(tracks[0].extent == 0..<3 && tracks[0].frameRate == FrameRate(25))
      #expect(next.tracks.map(\.duration) == [3, 3])
      #expect(timeline?.duration == 3)
      // The picture that fades in is all there at 2 s, and half way before.
      let frames = try DecodedPictures.bytes(
        URL(filePath: path), filter: "extractplanes=y", size: 64 * 36)
      #expect(frames.count == 75)
      #expect(frames[24][0] != frames[60][0] && frames[30][0] != frames[60][0])
    }
  }
}
