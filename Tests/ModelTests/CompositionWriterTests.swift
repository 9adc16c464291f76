import Testing

@testable import CutroomModel

struct CompositionWriterTests {
  private func roundTrip(_ document: CompositionDocument) -> CompositionDocument? {
    let text = CompositionWriter.text(document)
    let result = CompositionReader.read(SourceText(file: "a.json", text: text))
    let errors = result.diagnostics.filter { $0.severity == .error }
    #expect(errors == [], "\(text)")
    return result.document
  }

  @Test func writesWhatReadsBackAsTheSame() throws {
    let document = try #require(CompositionReaderTests.read(CompositionReaderTests.full).document)
    #expect(roundTrip(document) == document)
  }

  @Test func writesWhatTheEngineCannotDoYet() throws {
    let document = try #require(CompositionReaderTests.read(CompositionReaderTests.rest).document)
    #expect(roundTrip(document) == document)
  }

  @Test func leavesOutDefaults() {
    #expect(
      CompositionWriter.json(CompositionDocument()).encoded()
        == #"{"format":"cutroom/1","tracks":[]}"#)
    var document = CompositionDocument()
    document.tracks = [DocumentTrack()]
    document.tracks[0].items = [.clip(Clip(source: "a.mp4"))]
    document.sources = [NamedSource(id: "a", source: .file(path: "b", video: nil, audio: nil))]
    #expect(
      CompositionWriter.json(document).encoded()
        == #"{"format":"cutroom/1","sources":{"a":"b"},"tracks":[{"clips":[{"source":"a.mp4"}]}]}"#)
  }

  @Test func writesTimesExactly() throws {
    for (time, text) in [
      (TimeExpression.seconds(Rational(1, 3)), #""1/3""#), (.seconds(Rational(-3, 2)), "-1.5"),
      (.seconds(7), "7"), (.frames(36, rate: nil), #""36f""#),
      (.frames(36, rate: FrameRate(Rational(30000, 1001))), #""36f@30000/1001""#),
      (
        .timecode(Timecode(hours: 1, minutes: 2, seconds: 3, frames: 4, isDropFrame: true)),
        #""01:02:03;04""#
      ),
    ] {
      #expect(time.json.encoded() == text)
      #expect(try TimeText.parse(time.text) == time)
    }
  }

  @Test(arguments: 0..<200)
  func roundTripsGeneratedCompositions(seed: Int) {
    var generator = DocumentGenerator(seed: UInt64(seed))
    let document = generator.document()
    #expect(roundTrip(document) == document, "seed \(seed)")
  }
}

/// Makes compositions from a seed.
struct DocumentGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  /// A number below `limit`, from SplitMix64.
  private mutating func number(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }

  private mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
    number(2) == 0 ? nil : value(&self)
  }

  private mutating func text() -> String {
    pick(["a", "Ünïcode 🎬", "quote \" \\ / \n tab\t", "", "it's", "\u{1}\u{7F}\u{2028}"])
  }

  private mutating func name() -> String { pick(["a", "b c", "é/~", "%03d:'#", "-x"]) }

  private mutating func fraction() -> Rational { Rational(number(1_000_000), number(9999) + 1) }

  private mutating func unit() -> Rational { Rational(number(11), 10) }

  private mutating func rate() -> FrameRate? {
    FrameRate(pick([25, Rational(30000, 1001), Rational(25, 2), 120]))
  }

  private mutating func time() -> TimeExpression {
    switch number(4) {
    case 0: .seconds(fraction())
    case 1: .frames(Int64(number(100_000)), rate: number(2) == 0 ? nil : rate())
    case 2: .timecode(timecode())
    default: .seconds(Rational(number(100_000), pick([1, 10, 1000, 48000, 90000])))
    }
  }

  private mutating func timecode() -> Timecode {
    Timecode(
      hours: number(100), minutes: number(60), seconds: number(60), frames: number(25),
      isDropFrame: number(2) == 0)
  }

  private mutating func color() -> Color {
    Color(
      red: UInt8(number(256)), green: UInt8(number(256)), blue: UInt8(number(256)),
      alpha: pick([255, 128, 0]))
  }

  private mutating func gain() -> Gain {
    pick([.unity, .factor(fraction()), .decibels(-fraction() / 100_000), .decibels(6)])
  }

  private mutating func filter() -> FilterSetting {
    FilterSetting(
      name: "eq",
      options: [.init(name: "contrast", value: "1.20"), .init(name: "eval", value: text())])
  }

  /// A setting that is the same all the time, or has keys in the order of time.
  private mutating func animated<Value>(_ value: (inout Self) -> Value) -> Animated<Value> {
    guard number(3) == 0 else { return .constant(value(&self)) }
    var keys: [Keyframe<Value>] = []
    for second in 0...number(3) {
      let at = TimeExpression.seconds(Rational(second * 7 + number(7), 7))
      keys.append(Keyframe(at: at, value: value(&self), curve: pick(KeyframeCurve.allCases)))
    }
    return .keyframes(keys)
  }

  private mutating func edit(_ track: String?) -> DocumentEdit {
    let range = EditRange(in: time(), out: time())
    return DocumentEdit(
      pick([
        .insert(clip(), at: maybe { $0.time() }), .insertEmpty(range), .remove(range),
        .scale(range, duration: time()),
      ]), track: track)
  }

  private mutating func size() -> PixelSize {
    PixelSize(width: number(4000) + 1, height: number(4000) + 1)
  }

  mutating func document() -> CompositionDocument {
    var document = CompositionDocument()
    document.name = maybe { $0.text() }
    document.timeline.frameRate = rate()
    document.timeline.size = maybe { $0.size() }
    document.timeline.background = color()
    document.timeline.color = maybe { $0.pick(TimelineColor.allCases) }
    document.timeline.startTimecode = maybe { $0.timecode() }
    document.timeline.channelLayout = maybe { $0.pick(["mono", "5.1"]) }
    for index in 0..<number(5) {
      document.sources.append(NamedSource(id: "\(index)\(name())", source: source()))
    }
    for index in 0..<number(4) { document.tracks.append(track(index)) }
    let ids = document.tracks.enumerated().map { $1.id ?? "track\($0 + 1)" } + [nil]
    for _ in 0..<number(3) { document.edits.append(edit(pick(ids))) }
    document.sound.loudness = maybe { generator in
      LoudnessTarget(
        integrated: -16 - generator.unit(), truePeak: generator.maybe { -$0.unit() })
    }
    if number(4) == 0 {
      document.chapters = .clips
    } else if number(2) == 0 {
      document.chapters = .list((0..<number(3)).map { _ in .init(at: time(), title: text()) })
    }
    document.sound.declick = maybe { $0.time() }
    document.sound.peak = pick(SoundPolicy.Peak.allCases)
    document.metadata = metadata()
    document.export = export()
    return document
  }

  private mutating func source() -> SourceDescription {
    switch number(5) {
    case 4: .composition(path: name())
    case 0:
      .file(
        path: name(), video: maybe { .index($0.number(9)) }, audio: maybe { .language($0.name()) })
    case 1: .color(color())
    case 2:
      .generator(
        GeneratorSource(
          filter: "testsrc2=n='a:b'", size: maybe { $0.size() }, frameRate: rate(),
          duration: maybe { $0.time() }))
    default: .text(lettering())
    }
  }

  private mutating func lettering() -> TextSource {
    var source = TextSource(text: text())
    source.size = fraction() / 1000 + 1
    source.color = color()
    source.align = pick(TextSource.Alignment.allCases)
    source.box = maybe { $0.color() }
    source.outline = maybe { $0.color() }
    if source.outline != nil { source.outlineWidth = maybe { $0.fraction() / 1000 + 1 } }
    return source
  }

  private mutating func track(_ index: Int) -> DocumentTrack {
    var track = DocumentTrack()
    track.id = maybe { _ in "id\(index)" }
    track.kind = pick(DocumentTrack.Kind.allCases)
    track.name = maybe { $0.text() }
    track.language = maybe { $0.name() }
    track.isEnabled = number(2) == 0
    track.gain = animated { $0.gain() }
    track.opacity = animated { $0.unit() }
    for _ in 0..<number(4) {
      track.items.append(.clip(clip()))
      switch number(3) {
      case 0: track.items.append(.gap(time(), at: maybe { $0.time() }))
      case 1:
        track.items.append(.transition(transition()))
        track.items.append(.clip(clip()))
      default: break
      }
    }
    return track
  }

  private mutating func transition() -> TransitionItem {
    var item = TransitionItem(name: pick(TransitionName.all), duration: time())
    item.alignment = pick(TransitionItem.Alignment.allCases)
    item.isOverlapping = number(2) == 0
    item.sound = pick(FadeCurve.allCases)
    return item
  }

  private mutating func clip() -> Clip {
    var clip = Clip(source: name())
    clip.in = maybe { $0.time() }
    clip.out = maybe { $0.time() }
    clip.at = maybe { $0.time() }
    clip.name = maybe { $0.text() }
    clip.isEnabled = number(2) == 0
    clip.speed = pick([1, Rational(3, 2), fraction() + 1])
    if clip.speed == 1 { clip.fitDuration = maybe { .frames(Int64($0.number(99) + 1), rate: nil) } }
    clip.isReversed = number(2) == 0
    clip.pitch = clip.speed == 1 ? .keep : pick(Clip.Pitch.allCases)
    clip.fill = pick(Clip.Fill.allCases)
    if number(3) == 0 {
      clip.picture = nil
    } else {
      clip.picture?.fit = maybe { $0.pick(PictureSettings.Fit.allCases) }
      clip.picture?.position = maybe { generator in
        generator.animated { .init(x: $0.fraction(), y: -$0.fraction() / 7) }
      }
      clip.picture?.anchor = .init(x: unit(), y: unit())
      clip.picture?.scale = animated { $0.unit() + Rational(1, 3) }
      clip.picture?.rotation = animated { -$0.fraction() / 9 }
      clip.picture?.opacity = animated { $0.unit() }
      clip.picture?.crop = animated { .init(left: $0.unit(), bottom: $0.unit()) }
      clip.picture?.blend = pick(PictureSettings.Blend.allCases)
      clip.picture?.filters = pick([[], [.init(name: "hflip"), filter()]])
      clip.picture?.deinterlace = maybe { $0.pick(PictureSettings.Deinterlace.allCases) }
    }
    if number(3) == 0 {
      clip.sound = nil
    } else {
      clip.sound?.gain = animated { $0.gain() }
      clip.sound?.pan = animated { $0.unit() - $0.unit() }
      clip.sound?.filters = pick([[], [filter()]])
      clip.sound?.channels = pick([
        [],
        [
          .init(output: "FL", inputs: [.init(channel: "c1")]),
          .init(output: "FR", inputs: [.init(channel: "FL", gain: gain()), .init(channel: "FC")]),
        ],
      ])
      clip.sound?.fadeIn = maybe { $0.time() }
      clip.sound?.curve = pick([.linear, .equalPower])
    }
    return clip
  }

  private mutating func metadata() -> MetadataSettings {
    var metadata = MetadataSettings()
    metadata.inherit = pick([.all, .none, .sharing])
    metadata.dates = pick([.keep, .shift, .drop, .set("2024-01-02T03:04:05+01:00")])
    metadata.items = [
      .init(key: "title", value: .texts([text(), "2"])),
      .init(key: "itsk/©grp", value: .files([name()])),
      .init(key: "artist", value: .texts([text()])),
    ]
    metadata.remove = [name()]
    return metadata
  }

  private mutating func export() -> ExportSettings {
    var export = ExportSettings()
    export.container = maybe { $0.pick(["mp4", "mkv"]) }
    export.mode = pick(ExportSettings.Mode.allCases)
    export.cut = pick(ExportSettings.Cut.allCases)
    export.damaged = pick(ExportSettings.Damage.allCases)
    export.range = maybe { generator in
      ExportRange(in: generator.maybe { $0.time() }, out: generator.maybe { $0.time() })
    }
    var video = VideoExport()
    video.codec = maybe { $0.pick(["h264", "hevc"]) }
    video.crf = maybe { Rational($0.number(64)) }
    video.keyframeInterval = .seconds(fraction() + 1)
    video.options = [.init(name: "bf", value: text())]
    var audio = AudioExport()
    audio.bitrate = maybe { $0.number(1_000_000) + 1 }
    export.video = .settings(video)
    export.audio = number(4) == 0 ? .none : .settings(audio)
    export.optimizesForNetworkUse = number(2) == 0
    return export
  }
}
