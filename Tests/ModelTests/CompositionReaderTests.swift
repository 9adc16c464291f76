import Testing

@testable import CutroomModel

struct CompositionReaderTests {
  /// A composition in which `tracks`, or another top-level key, is replaced.
  static func read(_ top: String) -> (document: CompositionDocument?, diagnostics: [Diagnostic]) {
    CompositionReader.read(
      SourceText(file: "a.json", text: "{format: 'cutroom/1', \(top)}"),
      commonKeys: ["title", "artist", "trackNumber"],
      keyProblem: { $0.hasPrefix("idd3/") ? "'\($0)' is no key" : nil })
  }

  static func read(clip: String) -> (document: CompositionDocument?, diagnostics: [Diagnostic]) {
    read("tracks: [{clips: [{source: 'a.mp4', \(clip)}]}]")
  }

  @Test func readsEverythingOfTheFormatThatIsDone() throws {
    let (document, diagnostics) = Self.read(Self.full)
    #expect(diagnostics == [])
    let read = try #require(document)
    #expect(read.name == "Trailer")
    #expect(read.timeline.frameRate == FrameRate(Rational(30000, 1001)))
    #expect(read.timeline.size == PixelSize(width: 1920, height: 1080))
    #expect(read.timeline.background == Color(red: 0x11, green: 0x22, blue: 0x33))
    #expect(read.timeline.color == .bt2020HLG)
    #expect(read.timeline.startTimecode?.hours == 1)
    #expect(read.sources.map(\.id) == ["a", "b", "bars", "tone", "blue", "title"])
    #expect(
      read.sources[1].source
        == .file(path: "media/walk.mp4", video: .index(0), audio: .language("eng")))
    #expect(read.sources[4].source == .color(Color(red: 0x11, green: 0x33, blue: 0xAA)))
    guard case .text(let title) = read.sources[5].source else {
      Issue.record("no text")
      return
    }
    #expect(title.box == Color(red: 0, green: 0, blue: 0, alpha: 0x80))
    #expect(title.color == .white && title.size == 64)
    let track = try #require(read.tracks.first)
    #expect(track.items.count == 5 && track.gain == .constant(.decibels(-3)))
    guard case .clip(let clip) = track.items[0], case .transition(let dissolve) = track.items[1],
      case .gap(let gap, at: nil) = track.items[3]
    else {
      Issue.record("items in another order")
      return
    }
    #expect(clip.in == .seconds(3) && clip.out == .seconds(7) && clip.duration == nil)
    #expect(clip.picture?.opacity == .constant(Rational(1, 2)) && clip.picture?.fit == .cover)
    #expect(clip.sound?.fadeOut == .seconds(Rational(1, 4)) && clip.sound?.curve == .equalPower)
    #expect(dissolve.name == "dissolve" && dissolve.duration == .frames(12, rate: nil))
    #expect(gap == .seconds(1))
    #expect(read.tracks[1].kind == .audio && !read.tracks[1].isEnabled)
    #expect(read.chapters == .list([ChapterMark(at: .seconds(0), title: "Intro")]))
    #expect(read.metadata.inherit == .from("a"))
    #expect(
      read.metadata.items.map(\.value) == [
        .texts(["A", "B"]), .texts(["3"]), .files(["cover.jpg"]),
      ])
    #expect(read.export.mode == .render)
    guard case .settings(let video) = read.export.video else {
      Issue.record("no video settings")
      return
    }
    #expect(video.bitrate == 6_000_000 && video.options == [.init(name: "bf", value: "2")])
    #expect(read.export.audio == .none)
  }

  static let full = """
    name: "Trailer",
    timeline: {frameRate: 29.97, size: [1920, 1080], background: "#123", color: "bt2020-hlg",
      sampleRate: 48000, channelLayout: "5.1(side)", startTimecode: "01:00:00:00", "x-note": 1},
    sources: {a: "media/interview.mov", b: {path: "media/walk.mp4", video: 0, audio: "eng"},
      bars: {generator: "smptehdbars", size: [1280, 720], frameRate: "25", duration: "10s"},
      tone: {generator: "sine=frequency=1000"}, blue: {color: "#1133AA"},
      title: {text: "Chapter\\none", font: "Sans", size: 64, color: "#ffffff", align: "left",
        box: "#00000080"}},
    tracks: [
      {id: "main", kind: "av", name: "Main", language: "eng", enabled: true, gain: "-3dB",
       opacity: 1, clips: [
        {source: "a", in: "3s", out: "7s", name: "one", speed: 1, reverse: false, pitch: "keep",
         fill: "error",
         video: {fit: "cover", position: [10, 0.5], scale: 1.5, opacity: 0.5, anchor: [0.5, 0.5],
           rotation: 0, crop: {left: 0}, blend: "normal", filters: []},
         audio: {gain: 0, fadeIn: "12f@24", fadeOut: "250ms", curve: "equalPower", pan: 0}},
        {transition: "dissolve", duration: "12f"},
        {source: "b", in: {value: 3, timescale: 2}, duration: "4s", enabled: false, video: false},
        {gap: "1s"},
        {source: "dir/c.mp4", at: "20s", in: "9s", audio: false}]},
      {id: "music", kind: "audio", enabled: false, clips: []}],
    edits: [], chapters: [{at: 0, title: "Intro"}],
    audio: {declick: "2ms", peak: "clip"},
    metadata: {inherit: {from: "a"}, dates: "2024-01-02T03:04:05Z", remove: ["artist"],
      items: {artist: ["A", "B"], trackNumber: 3, "id3/APIC": {file: "cover.jpg"}}},
    export: {container: "mp4", mode: "render", cut: "exact", range: {in: "2s"},
      video: {codec: "h264", bitrate: "6M", preset: "medium", keyframeInterval: "2s",
        pixelFormat: "yuv420p", options: {bf: 2}},
      audio: false, optimizeForNetworkUse: false, damaged: "error"},
    "x-tool": {anything: [1, 2]},
    """

  /// Whatever `full` leaves out.
  static let rest = """
    sources: {scene: {composition: "scene2.json"}},
    tracks: [
      {id: "main", gain: {keyframes: [{at: 0, value: "-6dB"}, {at: "2s", value: 1}]}, clips: [
        {source: "scene", in: "1s", out: "3s", speed: "3/2", pitch: "shift", fill: "loop",
         reverse: true,
         video: {position: {keyframes: [{at: 0, value: [1, 2]}, {at: "1f", value: [3, -4]}]},
           anchor: [0, 1], scale: {keyframes: [{at: 0, value: 1}]}, rotation: -90.5,
           crop: {left: 10, bottom: 0.5}, blend: "multiply", deinterlace: "auto",
           filters: [{eq: {contrast: 1.2, eval: "frame"}}, {hflip: {}}]},
         audio: {pan: -0.5, filters: [{highpass: {f: 80}}],
           channels: {FL: "FR", FR: {FL: 1, FC: "-3dB"}}}},
        {transition: "wipeleft", duration: "12f", audio: "cut"},
        {source: "scene", fitDuration: "2s",
         video: {opacity: {keyframes: [
           {at: "0s", value: 0}, {at: "1s", value: 1, curve: "easeInOut"}]},
           crop: {keyframes: [{at: 0, value: {}}, {at: 1, value: {left: 5}, curve: "hold"}]}}},
        {source: "scene", freeze: "1s", duration: "2s"}]},
      {kind: "subtitle", clips: [{source: "a.srt"}]}],
    edits: [
      {op: "insert", track: "main", clip: {source: "b", in: "1s", out: "3s"}, at: "2s"},
      {op: "insertEmpty", range: {in: "2s", out: "5s"}}, {op: "remove", range: {in: 3, out: 6}},
      {op: "scale", range: {in: "2s", out: "6s"}, duration: "2s", track: "track2"}],
    chapters: "clips",
    audio: {loudness: {integrated: -16, truePeak: -1}},
    export: {container: "mxf", cut: "keyframe", damaged: "conceal", video: {codec: "gif"}}
    """

  @Test func readsWhatTheEngineCannotDoYet() throws {
    let (document, diagnostics) = Self.read(Self.rest)
    #expect(diagnostics == [])
    let read = try #require(document)
    #expect(read.sources.map(\.source) == [.composition(path: "scene2.json")])
    guard case .clip(let clip) = read.tracks[0].items[0],
      case .transition(let wipe) = read.tracks[0].items[1],
      case .clip(let fitted) = read.tracks[0].items[2],
      case .clip(let frozen) = read.tracks[0].items[3]
    else {
      Issue.record("items in another order")
      return
    }
    #expect(clip.speed == Rational(3, 2) && clip.pitch == .shift && clip.fill == .loop)
    #expect(clip.isReversed && fitted.fitDuration == .seconds(2))
    #expect(frozen.freeze == .seconds(1))
    let picture = try #require(clip.picture)
    #expect(picture.position?.keyframes.last?.value == .init(x: 3, y: -4))
    #expect(picture.rotation == .constant(Rational(-181, 2)) && picture.blend == .multiply)
    #expect(picture.crop == .constant(.init(left: 10, bottom: Rational(1, 2))))
    #expect(
      picture.filters == [
        FilterSetting(
          name: "eq",
          options: [.init(name: "contrast", value: "1.2"), .init(name: "eval", value: "frame")]),
        FilterSetting(name: "hflip"),
      ])
    #expect(clip.sound?.pan == .constant(Rational(-1, 2)))
    #expect(clip.sound?.channels.first == .init(output: "FL", inputs: [.init(channel: "FR")]))
    #expect(fitted.picture?.opacity.keyframes.last?.curve == .easeInOut)
    #expect(wipe.name == "wipeLeft" && wipe.sound == .cut)
    #expect(read.edits.map(\.operation.name) == DocumentEdit.Operation.names)
    #expect(read.edits[1].track == nil && read.edits[3].track == "track2")
    #expect(read.chapters == .clips && read.sound.loudness?.integrated == -16)
    #expect(read.export.cut == .keyframe && read.export.damaged == .conceal)
  }

  struct Mistake: CustomTestStringConvertible {
    var text: String
    var code: DiagnosticCode
    var pointer: String
    var says: String
    var testDescription: String { text }

    init(_ text: String, _ code: DiagnosticCode, _ pointer: String, _ says: String) {
      (self.text, self.code, self.pointer, self.says) = (text, code, pointer, says)
    }
  }

  static let clip = "/tracks/0/clips/0"

  @Test(arguments: [
    Mistake("durration: 1", .shapeUnknownKey, "\(clip)/durration", "'duration'"),
    Mistake("in: [1, 2]", .shapeType, "\(clip)/in", "the list [1, 2]"),
    Mistake("in: null", .shapeType, "\(clip)/in", "leave the key out"),
    Mistake("in: '5min'", .timeSyntax, "\(clip)/in", "'5min'"),
    Mistake("in: 1e400", .timeOverflow, "\(clip)/in", "'1e400'"),
    Mistake("in: -1", .timeNegative, "\(clip)/in", "number -1"),
    Mistake("at: '-3f'", .timeNegative, "\(clip)/at", "-3f"),
    Mistake("in: {value: 1, timescale: 0}", .timeSyntax, "\(clip)/in", "timescale 0"),
    Mistake("in: {value: 1}", .timeSyntax, "\(clip)/in", "timescale"),
    Mistake("in: 1, out: 2, duration: 1", .shapeExclusiveKeys, "\(clip)/duration", "two of them"),
    Mistake("speed: 0", .shapeValue, "\(clip)/speed", "above 0"),
    Mistake("speed: 'fast'", .shapeType, "\(clip)/speed", "must be a number"),
    Mistake("fill: 'lop'", .shapeEnum, "\(clip)/fill", "did you mean \"loop\""),
    Mistake("enabled: 1", .shapeType, "\(clip)/enabled", "true or false"),
    Mistake("name: 5", .shapeType, "\(clip)/name", "a text"),
    Mistake("video: true", .shapeType, "\(clip)/video", "or false"),
    Mistake("video: {fit: 'fill'}", .shapeEnum, "\(clip)/video/fit", "\"fill\""),
    Mistake("video: {position: [1]}", .shapeType, "\(clip)/video/position", "[x, y]"),
    Mistake("video: {position: [1, 'a']}", .shapeType, "\(clip)/video/position/1", "y of"),
    Mistake("video: {scale: 0}", .shapeValue, "\(clip)/video/scale", "above 0, at most 1000"),
    Mistake("video: {opacity: 1.5}", .shapeValue, "\(clip)/video/opacity", "from 0 to 1"),
    Mistake(
      "video: {opacity: {keyframes: []}}", .shapeValue, "\(clip)/video/opacity/keyframes", "empty"),
    Mistake(
      "video: {opacity: {keyframes: [{at: 0, value: 2}]}}", .shapeValue,
      "\(clip)/video/opacity/keyframes/0/value", "from 0 to 1"),
    Mistake(
      "audio: {pan: {keyframes: [{at: 1, value: 0}, {at: 1, value: 1}]}}", .timeKeyframeOrder,
      "\(clip)/audio/pan/keyframes/1/at", "order of time"),
    Mistake(
      "audio: {gain: {keyframes: [{at: 1, value: 0, curve: 'easyIn'}]}}", .shapeEnum,
      "\(clip)/audio/gain/keyframes/0/curve", "easeIn"),
    Mistake("speed: 2, fitDuration: 1", .shapeExclusiveKeys, "\(clip)/fitDuration", "speed"),
    Mistake("freeze: 1", .shapeMissingKey, "\(clip)/freeze", "'duration'"),
    Mistake("freeze: 1, duration: 2, in: 1", .shapeExclusiveKeys, "\(clip)/in", "one picture"),
    Mistake("fitDuration: '0f'", .shapeValue, "\(clip)/fitDuration", "above 0"),
    Mistake("video: {anchor: [0, 2]}", .shapeValue, "\(clip)/video/anchor/1", "y of"),
    Mistake("video: {blend: 'mutliply'}", .shapeEnum, "\(clip)/video/blend", "multiply"),
    Mistake("video: {filters: ['eq']}", .shapeType, "\(clip)/video/filters/0", "one filter"),
    Mistake("video: {filters: [{eq: 1}]}", .shapeType, "\(clip)/video/filters/0/eq", "options"),
    Mistake("audio: {channels: {FL: 1}}", .shapeType, "\(clip)/audio/channels/FL", "mapping"),
    Mistake("video: {crop: {lft: 0}}", .shapeUnknownKey, "\(clip)/video/crop/lft", "'left'"),
    Mistake("audio: {gain: -1}", .shapeGain, "\(clip)/audio/gain", "-6dB"),
    Mistake("audio: {gain: '-6 dB'}", .shapeGain, "\(clip)/audio/gain", "'-6 dB'"),
    Mistake("audio: {gain: '-6db'}", .shapeGain, "\(clip)/audio/gain", "'-6db'"),
    Mistake("audio: {gain: '2'}", .shapeGain, "\(clip)/audio/gain", "a number such as 0.5"),
    Mistake("audio: {pan: 2}", .shapeValue, "\(clip)/audio/pan", "from -1 to 1"),
    Mistake("audio: {curve: 'cut'}", .shapeEnum, "\(clip)/audio/curve", "\"equalPower\""),
    Mistake("source: 5", .syntaxDuplicateKey, "\(clip)/source", "stands twice"),
  ])
  func reportsMistakesInClips(mistake: Mistake) throws {
    try expect(mistake, Self.read(clip: mistake.text))
  }

  @Test(arguments: [
    Mistake("tracks: {}", .shapeType, "/tracks", "a list of tracks"),
    Mistake("trakcs: []", .shapeUnknownKey, "/trakcs", "did you mean 'tracks'"),
    Mistake("tracks: [], audoi: {}", .shapeUnknownKey, "/audoi", "'audio'"),
    Mistake("tracks: [], qqq: {}", .shapeUnknownKey, "/qqq", "'metadata'"),
    Mistake("tracks: [{}]", .shapeMissingKey, "/tracks/0", "'clips'"),
    Mistake("tracks: [{kind: 'vidoe', clips: []}]", .shapeEnum, "/tracks/0/kind", "\"video\""),
    Mistake("tracks: [{clips: [5]}]", .shapeType, "/tracks/0/clips/0", "the number 5"),
    Mistake("tracks: [{clips: [{}]}]", .shapeMissingKey, "/tracks/0/clips/0", "'source'"),
    Mistake(
      "tracks: [{clips: [{sorce: 'a'}]}]", .shapeUnknownKey, "/tracks/0/clips/0/sorce", "'source'"),
    Mistake(
      "tracks: [{clips: [{source: 'a', gap: 1}]}]", .shapeExclusiveKeys, "/tracks/0/clips/0/gap",
      "exclude"),
    Mistake("tracks: [{clips: [{source: ''}]}]", .shapeValue, "/tracks/0/clips/0/source", "empty"),
    Mistake(
      "tracks: [{clips: [{source: 'a\\u0000'}]}]", .shapeValue, "/tracks/0/clips/0/source",
      "U+0000"),
    Mistake(
      "tracks: [{clips: [{gap: 1, in: 1}]}]", .shapeUnknownKey, "/tracks/0/clips/0/in", "gap"),
    Mistake(
      "tracks: [{clips: [{transition: 'dissolve', duration: 1}, {source: 'a'}]}]",
      .transitionNeighbours, "/tracks/0/clips/0", "nothing before"),
    Mistake(
      "tracks: [{clips: [{source: 'a'}, {transition: 'dissolve', duration: 1}, {gap: 1}]}]",
      .transitionNeighbours, "/tracks/0/clips/1", "a gap after"),
    Mistake(
      "tracks: [{clips: [{source: 'a'}, {transition: 'disolve', duration: 1}, {source: 'b'}]}]",
      .shapeEnum, "/tracks/0/clips/1/transition", "\"dissolve\""),
    Mistake(
      "tracks: [{clips: [{source: 'a'}, {transition: 'dissolve'}, {source: 'b'}]}]",
      .shapeMissingKey, "/tracks/0/clips/1", "'duration'"),
    Mistake(
      "tracks: [{id: 'a', clips: []}, {id: 'a', clips: []}]", .referenceDuplicateID, "/tracks/1/id",
      "'a'"),
    Mistake(
      "tracks: [{id: 'track2', clips: []}, {clips: []}]", .referenceDuplicateID, "/tracks/1",
      "'track2'"),
    Mistake("tracks: [], timeline: {frameRate: 29.9}", .timeRate, "/timeline/frameRate", "29.97"),
    Mistake("tracks: [], timeline: {frameRate: 0}", .timeRate, "/timeline/frameRate", "'0'"),
    Mistake("tracks: [], timeline: {frameRate: '1/0'}", .timeRate, "/timeline/frameRate", "1/0"),
    Mistake("tracks: [], timeline: {size: [0, 10]}", .shapeSize, "/timeline/size", "[0, 10]"),
    Mistake("tracks: [], timeline: {size: [1.5, 10]}", .shapeSize, "/timeline/size", "whole"),
    Mistake("tracks: [], timeline: {size: '4x3'}", .shapeType, "/timeline/size", "[width, height]"),
    Mistake(
      "tracks: [], timeline: {background: 'red'}", .shapeColor, "/timeline/background", "#RRGGBB"),
    Mistake("tracks: [], timeline: {color: 'bt710'}", .shapeEnum, "/timeline/color", "\"bt709\""),
    Mistake(
      "tracks: [], timeline: {sampleRate: 0}", .shapeValue, "/timeline/sampleRate", "from 1"),
    Mistake(
      "tracks: [], timeline: {channelLayout: 'sterio'}", .shapeEnum, "/timeline/channelLayout",
      "\"stereo\""),
    Mistake(
      "tracks: [], timeline: {startTimecode: '1s'}", .shapeType, "/timeline/startTimecode",
      "timecode"),
    Mistake("tracks: [], sources: {a: {}}", .shapeMissingKey, "/sources/a", "'path'"),
    Mistake("tracks: [], sources: {a: {pth: 'x'}}", .shapeUnknownKey, "/sources/a/pth", "'path'"),
    Mistake(
      "tracks: [], sources: {a: {path: 'x', color: '#000'}}", .shapeExclusiveKeys,
      "/sources/a/color", "exclude"),
    Mistake("tracks: [], sources: {a: {text: 't', size: 0}}", .shapeValue, "/sources/a/size", "0"),
    Mistake(
      "tracks: [], sources: {a: {path: 'x', video: -1}}", .shapeValue, "/sources/a/video", "0"),
    Mistake("tracks: [], chapters: 'kep'", .shapeEnum, "/chapters", "\"keep\""),
    Mistake("tracks: [], chapters: [{at: 1}]", .shapeMissingKey, "/chapters/0", "'title'"),
    Mistake("tracks: [], audio: {peak: 'limt'}", .shapeEnum, "/audio/peak", "\"limit\""),
    Mistake("tracks: [], metadata: {inherit: 'al'}", .shapeEnum, "/metadata/inherit", "\"all\""),
    Mistake(
      "tracks: [], metadata: {inherit: {from: 'b'}}, sources: {a: 'x'}", .referenceUnknownSource,
      "/metadata/inherit/from", "'a'"),
    Mistake("tracks: [], metadata: {dates: '2024-13-01'}", .shapeEnum, "/metadata/dates", "2024"),
    Mistake(
      "tracks: [], metadata: {items: {titel: 'x'}}", .metadataKey, "/metadata/items/titel",
      "'title'"),
    Mistake(
      "tracks: [], metadata: {items: {'idd3/TIT2': 'x'}}", .metadataKey,
      "/metadata/items/idd3~1TIT2", "no key"),
    Mistake(
      "tracks: [], metadata: {remove: ['titl']}", .metadataKey, "/metadata/remove/0", "title"),
    Mistake(
      "tracks: [], metadata: {items: {title: null}}", .shapeType, "/metadata/items/title", "null"),
    Mistake(
      "tracks: [], metadata: {items: {title: []}}", .shapeValue, "/metadata/items/title", "empty"),
    Mistake("tracks: [], export: {mode: 'copy'}", .shapeEnum, "/export/mode", "\"passthrough\""),
    Mistake("tracks: [], export: {container: 'mp5'}", .shapeEnum, "/export/container", "\"mp4\""),
    Mistake(
      "tracks: [], export: {video: {codec: 'h265'}}", .shapeEnum, "/export/video/codec",
      "\"hevc\""),
    Mistake("tracks: [], edits: [{op: 'remove'}]", .shapeMissingKey, "/edits/0", "'range'"),
    Mistake("tracks: [], edits: [{}]", .shapeMissingKey, "/edits/0", "\"op\""),
    Mistake("tracks: [], edits: [{op: 'delete'}]", .shapeEnum, "/edits/0/op", "'op'"),
    Mistake(
      "tracks: [{id: 'main', clips: []}], edits: [{op: 'remove', track: 'mian', range: {in: 0, out: 1}}]",
      .referenceUnknownTrack, "/edits/0/track", "'main'"),
    Mistake(
      "tracks: [], audio: {loudness: {integrated: 0}}", .shapeValue, "/audio/loudness/integrated",
      "-70"),
    Mistake("tracks: [], export: {video: {crf: 99}}", .shapeValue, "/export/video/crf", "63"),
    Mistake(
      "tracks: [], export: {audio: {bitrate: '192 k'}}", .shapeValue, "/export/audio/bitrate",
      "\"192k\""),
    Mistake(
      "tracks: [], export: {video: false, audio: false}", .shapeExclusiveKeys, "/export/audio",
      "nothing"),
    Mistake(
      "tracks: [], export: {range: {in: 1, duration: 1}}", .shapeUnknownKey,
      "/export/range/duration", "'in', 'out'"),
  ])
  func reportsMistakesElsewhere(mistake: Mistake) throws {
    try expect(mistake, Self.read(mistake.text))
  }

  private func expect(
    _ mistake: Mistake, _ result: (document: CompositionDocument?, diagnostics: [Diagnostic])
  ) throws {
    let first = try #require(result.diagnostics.first)
    #expect(first.code == mistake.code.rawValue, "\(first.message)")
    #expect(first.pointer == mistake.pointer)
    #expect(first.message.contains(mistake.says), "\(first.message)")
    #expect(first.place?.line == 1)
    #expect(result.document == nil)
    // Nothing follows from one mistake.
    #expect(result.diagnostics.count == 1, "\(result.diagnostics)")
  }

  @Test func reportsAllMistakesInTheOrderOfTheStagesAndOfTheText() {
    let (document, diagnostics) = Self.read(
      """
      name: 5,
      tracks: [{id: 'a', clips: [{source: 'x', in: '5min', out: true}]}, {id: 'a', clips: []}],
      export: {mod: 1}
      """)
    #expect(document == nil)
    #expect(
      diagnostics.map(\.code) == [
        "shape.type", "shape.type", "shape.unknown-key", "reference.duplicate-id", "time.syntax",
      ])
    #expect(diagnostics[3].related.first?.pointer == "/tracks/0/id")
  }

  @Test func warnsOfWhatHasNoEffect() {
    let (document, diagnostics) = Self.read(
      """
      tracks: [{kind: 'video', gain: 1, clips: [{source: 'x', audio: {gain: 1}}]},
               {kind: 'audio', clips: [{source: 'x', video: {scale: 2}}]}],
      export: {video: {codec: 'copy', crf: 20}}
      """)
    let both = Self.read("tracks: [], export: {video: {crf: 20, bitrate: '6M'}}")
    #expect(both.document != nil)
    #expect(both.diagnostics.map(\.pointer) == ["/export/video/bitrate"])
    #expect(document != nil)
    #expect(diagnostics.allSatisfy { $0.code == "shape.no-effect" && $0.severity == .warning })
    #expect(diagnostics.count == 4)
  }

  @Test(arguments: [
    ("{tracks: []}", "missing"), ("{format: 'cutroom/2', trax: 1}", "'cutroom/2'"),
    ("{format: 1, tracks: []}", "the number 1"), ("[]", "object"), ("{}", "missing"),
  ])
  func demandsTheFormat(text: String, says: String) throws {
    let result = CompositionReader.read(SourceText(file: "a.json", text: text))
    let first = try #require(result.diagnostics.first)
    #expect(first.message.contains(says), "\(first.message)")
    #expect(result.document == nil)
  }

  @Test func staysSilentAboutValuesWhoseSyntaxWasReported() {
    let (_, diagnostics) = Self.read(clip: "in: NaN, speed: Infinity, video: {opacity: True}")
    #expect(diagnostics.map(\.code) == ["syntax.number", "syntax.number", "syntax.unexpected"])
  }

  @Test func keepsAtMostAThousandFindings() {
    let items = String(repeating: "{sorce: 1},", count: 3000)
    let (_, diagnostics) = Self.read("tracks: [{clips: [\(items)]}]")
    #expect(diagnostics.count == 1001)
  }
}

struct SuggestionTests {
  @Test(arguments: [
    ("durration", "duration"), ("soruce", "source"), ("frame-rate", "frameRate"), ("IN", "in"),
    ("frmaerate", "frameRate"), ("zzzzzz", nil), ("", nil), ("duration", nil),
  ])
  func findsTheNearestWord(word: String, nearest: String?) {
    #expect(
      Suggestion.nearest(to: word, in: ["in", "source", "duration", "frameRate"]) == nearest)
  }
}
