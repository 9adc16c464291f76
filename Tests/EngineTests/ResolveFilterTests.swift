import CutroomMedia
import Foundation
import TestSupport
import Testing

@testable import Cutroom
@testable import CutroomModel

/// A filter that a clip cannot have, and the finding: its code, place, and words in it and its fix.
struct FilterMistake: Sendable, CustomTestStringConvertible {
  var filter: String
  var isSound = false
  var code = "capability.filter"
  /// The place within the list of filters.
  var place = "/0"
  var words: [String]
  var fix: String?
  var testDescription: String { filter }
}

@Suite("Filters of clips")
struct ResolveFilterTests {
  static let mistakes = [
    FilterMistake(filter: #"{"gblurr": {}}"#, words: ["'gblurr'"], fix: "did you mean 'gblur'?"),
    FilterMistake(filter: #"{"blackdetec": {}}"#, words: [], fix: "did you mean 'blackdetect'?"),
    FilterMistake(
      filter: #"{"eq": {"contrst": 1}}"#, code: "capability.option", place: "/0/eq/contrst",
      words: ["'eq' has no option 'contrst'"], fix: "did you mean 'contrast'?"),
    FilterMistake(
      filter: #"{"hflip": {"amount": 1}}"#, code: "capability.option", place: "/0/hflip/amount",
      words: ["'hflip'"], fix: "it has 'enable'"),
    FilterMistake(
      filter: #"{"pixelize": {"zzz": 1}}"#, code: "capability.option", place: "/0/pixelize/zzz",
      words: ["'pixelize' has no option 'zzz'"],
      fix: "it has 'width', 'w', 'height', 'h', 'mode', 'm', 'planes', 'p', 'enable'"),
    FilterMistake(
      filter: #"{"gblur": {"sigma": 2000}}"#, code: "capability.option", place: "/0/gblur/sigma",
      words: ["is \"2000\"", "0 to 1024"]),
    FilterMistake(
      filter: #"{"pixelize": {"mode": "mean"}}"#, code: "capability.option",
      place: "/0/pixelize/mode", words: ["is \"mean\"", "'avg', 'min', 'max'"]),
    FilterMistake(
      filter: #"{"gblur": {"sigma": "wide"}}"#, code: "capability.option", place: "/0/gblur/sigma",
      words: ["is \"wide\""]),
    FilterMistake(
      filter: #"{"colorhold": {"similarity": 0.3, "blend": true, "color": "noColour"}}"#,
      code: "capability.option", place: "/0/colorhold/color", words: ["is \"noColour\""]),
    FilterMistake(
      filter: #"{"gblur": {}}, {"crop": {"w": "iw+10"}}"#, place: "/1/crop",
      words: ["'crop' cannot be made"]),
    FilterMistake(
      filter: #"{"hue": {"h": "t*"}}"#, place: "/0/hue", words: ["'hue' cannot be made"]),
    FilterMistake(
      filter: #"{"scale": {"w": 20000, "h": 10}}"#, place: "/0/scale",
      words: ["20000×10 pixels", "16384"]),
    FilterMistake(
      filter: #"{"hue": {"enable": "between(t,1"}}"#, place: "/0/hue",
      words: ["'hue' cannot be made"]),
    FilterMistake(
      filter: #"{"pad": {"w": 640, "width": 320}}"#, code: "shape.exclusive-keys",
      place: "/0/pad/width", words: ["'width' and 'w' are names of the same option of 'pad'"]),
    FilterMistake(filter: #"{"overlay": {}}"#, words: ["does not take one picture and give one"]),
    FilterMistake(filter: #"{"split": {}}"#, words: ["does not take one picture and give one"]),
    FilterMistake(filter: #"{"testsrc2": {}}"#, words: ["does not take one picture and give one"]),
    FilterMistake(
      filter: #"{"highpass": {}}"#, words: ["none for pictures"],
      fix: "put it into the \"filters\" of \"audio\""),
    FilterMistake(
      filter: #"{"gblur": {}}"#, isSound: true, words: ["none for sound"],
      fix: "put it into the \"filters\" of \"video\""),
    FilterMistake(
      filter: #"{"amix": {}}"#, isSound: true, words: ["does not take one sound and give one"]),
    FilterMistake(
      filter: #"{"setpts": {"expr": "PTS/2"}}"#, words: ["which pictures there are"],
      fix: "use the clip's \"speed\", \"in\" and \"out\""),
    FilterMistake(
      filter: #"{"atempo": {"tempo": 2}}"#, isSound: true, words: ["how long the sound lasts"],
      fix: "use the clip's \"speed\" with \"pitch\": \"keep\""),
    FilterMistake(
      filter: #"{"yadif": {"mode": "send_field"}}"#, code: "capability.option",
      place: "/0/yadif/mode", words: ["two pictures"]),
    FilterMistake(
      filter: #"{"drawtext": {"text": "A"}}"#, words: ["reads or writes beside the composition"],
      fix: "use a source with \"text\" on a track above"),
    FilterMistake(filter: #"{"hwupload": {}}"#, words: ["needs a device"]),
    FilterMistake(
      filter: #"{"curves": {"plot": "/tmp/plot.gnuplot"}}"#, code: "capability.option",
      place: "/0/curves/plot", words: ["writes a file"]),
    FilterMistake(
      filter: #"{"lut3d": {"file": "nowhere.cube"}}"#, code: "media.missing",
      place: "/0/lut3d/file", words: ["'nowhere.cube'"]),
  ]

  @Test(arguments: mistakes)
  func aFilterThatCannotRunIsFoundAtItsPlace(_ item: FilterMistake) throws {
    let key = item.isSound ? "audio" : "video"
    let checked = FakeFiles.usual.check(
      clips: #"{"source": "a.mp4", "\#(key)": {"filters": [\#(item.filter)]}}"#)
    let errors = checked.diagnostics.filter { $0.severity == .error }
    #expect(errors.count == 1)
    let error = try #require(errors.first)
    #expect(error.code == item.code)
    #expect(error.pointer == "/tracks/0/clips/0/\(key)/filters" + item.place)
    for words in item.words { #expect(error.message.contains(words), "\(error.message)") }
    #expect(error.fix == item.fix)
  }

  static let usable = [
    #"{"eq": {"contrast": 1.2, "saturation": "1+0.1"}}"#, #"{"hue": {"h": "90*t"}}"#,
    #"{"avgblur": {"sizeX": 3, "enable": "between(t,1,2)"}}"#,
    #"{"curves": {"preset": "vintage"}}"#,
    #"{"scale": {"w": 160, "h": -2, "flags": "lanczos"}}, {"negate": {}}"#,
    #"{"crop": {"w": "iw/2", "h": "ih/2"}}"#, #"{"yadif": {}}"#,
    #"{"format": {"pix_fmts": "gray"}}"#,
    #"{"drawbox": {"x": 1, "color": "red@0.5", "t": "fill"}}"#, #"{"rotate": {"a": "PI/6"}}"#,
    #"{"vignette": {}}, {"noise": {"alls": 20, "allf": "t+u"}}"#, #"{"boxblur": {"lr": 2}}"#,
  ]

  @Test(arguments: usable)
  func aFilterThatRunsHasNoFinding(_ filter: String) {
    let checked = FakeFiles.usual.check(
      clips: #"{"source": "a.mp4", "video": {"filters": [\#(filter)]}}"#)
    #expect(checked.diagnostics.map(\.message) == [])
  }

  @Test(arguments: [
    #"{"highpass": {"f": 80}}"#, #"{"aecho": {"delays": "60|120", "decays": "0.4|0.2"}}"#,
    #"{"pan": {"args": "stereo|c0=c1|c1=c0"}}"#, #"{"equalizer": {"f": 1000, "g": -6, "w": 1}}"#,
    #"{"loudnorm": {"I": -16}}"#, #"{"acompressor": {"threshold": "0.1"}}"#,
  ])
  func aFilterOfSoundThatRunsHasNoFinding(_ filter: String) {
    let checked = FakeFiles.usual.check(
      clips: #"{"source": "a.mp4", "audio": {"filters": [\#(filter)]}}"#)
    #expect(checked.diagnostics.map(\.message) == [])
  }

  @Test func filesOfFiltersAreSeenFromTheComposition() throws {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "a:b ' %41")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var cube = "LUT_3D_SIZE 2\n"
      for value in 0..<8 { cube += "\(value & 1) \(value >> 1 & 1) \(value >> 2)\n" }
      try Data(cube.utf8).write(to: folder.appending(path: "look.cube"))
      let checked = FakeFiles(assets: [
        folder.path + "/a.mp4": FakeFiles.clip(
          folder.path + "/a.mp4", picture: 10, sound: 10)
      ]).check(
        tracks: """
          {"clips": [{"source": "a.mp4", "video": {"filters": [{"lut3d": {"file": "look.cube"}}]}}]}
          """,
        baseDirectory: folder.path)
      #expect(checked.findings(.error) == [])
      let filters = checked.timeline?.tracks.first?.segments.first?.picture.filters
      #expect(filters?.first?.options.first?.value == folder.path + "/look.cube")
    }
  }

  /// Libavfilter's filters as the library lists them: what is not refused must do as promised.
  @Test func everyFilterOfferedTakesOneAndGivesOne() {
    for kind in [MediaKind.video, .audio] {
      let names = FilterGraph.filterNames { $0.inputs == [kind] && $0.outputs == [kind] }
      #expect(names.count > 90)
      let files = names.filter { name in
        guard FilterPolicy.refusal(of: name) == nil, let info = FilterGraph.filterInfo(name: name)
        else { return false }
        let named = info.options.filter {
          !$0.isNumber && ($0.help.contains("file") || $0.help.contains("path"))
            && $0.constants.isEmpty
        }.map(\.name)
        let known = FilterPolicy.readOptions(of: name).union(FilterPolicy.writtenOptions(of: name))
        return !Set(named).subtracting(known).isEmpty
      }
      #expect(files == [], "these name files, and the policy does not say so")
    }
  }

  @Test(arguments: [
    "testsrc2,drawtext=text=a", "life=filename=seed.txt", "life=seed.txt", "testsrc2,lut3d=x.cube",
    "testsrc2,curves=plot=p.txt", "cellauto=f=a.txt", "testsrc2,hwupload",
  ])
  func generatorsReadAndWriteNothingElse(_ text: String) {
    guard case .failure(let problem) = GeneratedSources.kind(of: text) else {
      Issue.record("\(text) is accepted")
      return
    }
    #expect(problem.message.contains("cannot be used"))
  }

  @Test func generatorsMayStillBeChains() {
    for text in ["testsrc2=size=64x36,curves=preset=vintage,fps=10", "life=s=64x36:mold=10"] {
      guard case .success(.video) = GeneratedSources.kind(of: text) else {
        Issue.record("\(text) is refused")
        continue
      }
    }
  }
}
