import CutroomModel
import Testing

/// Compositions that were edited in Swift, as documents.
struct CompositionDocumentTests {
  private static func clips(_ track: DocumentTrack) -> [Clip] {
    track.items.compactMap { if case .clip(let clip) = $0 { clip } else { nil } }
  }

  @Test func segmentsAreClipsAtTheirPlaces() throws {
    var composition = Composition()
    let picture = composition.addTrack(.video, name: "main")
    try composition.update(picture) { (track) throws(EditError) in
      try track.insert(
        [
          .media(Sources.a, 2..<6, duration: 2, playback: .reversed),
          .media(Sources.b, 3..<3, duration: 1, playback: .frozen),
          .media(
            Sources.a, 0..<Rational(1, 3), clip: ClipPart(name: "shot", length: Rational(1, 3))),
        ], at: 1)
      track.language = "eng"
    }
    let document = try CompositionDocument(composition)
    #expect(document.tracks.map(\.kind) == [.video] && document.tracks[0].name == "main")
    #expect(document.tracks[0].language == "eng" && document.tracks[0].id == "track1")
    var reversed = Clip(source: "a")
    (reversed.at, reversed.in, reversed.out) = (.seconds(1), .seconds(2), .seconds(6))
    (reversed.fitDuration, reversed.isReversed) = (.seconds(2), true)
    var held = Clip(source: "b")
    (held.at, held.freeze, held.duration) = (.seconds(3), .seconds(3), .seconds(1))
    var plain = Clip(source: "a")
    (plain.at, plain.in, plain.out) = (.seconds(4), .seconds(0), .seconds(Rational(1, 3)))
    plain.name = "shot"
    #expect(Self.clips(document.tracks[0]) == [reversed, held, plain])
    let again = CompositionReader.read(
      SourceText(file: "x.json", text: CompositionWriter.text(document)))
    #expect(again.document == document)
  }

  @Test func volumesAndOpacitiesAreKeyframes() throws {
    var composition = Composition()
    let (picture, sound) = (composition.addTrack(.video), composition.addTrack(.audio))
    try composition.insert(0..<10, of: Sources.a, into: picture)
    try composition.insert(0..<10, of: Sources.sound, into: sound)
    let size = PixelSize(width: 64, height: 36)
    var video = try #require(
      VideoComposition(
        of: composition, frameRate: FrameRate(25), renderSize: size, grouping: .whole))
    try video.instructions[0].layers[0].setOpacityRamp(from: 0, to: 1, over: 0..<2, curve: .easeIn)
    var mix = AudioMix()
    try mix[sound].setVolumeRamp(from: Rational(1, 2), to: Rational(1, 5), over: 4..<9)
    let document = try CompositionDocument(composition, video: video, mix: mix)
    #expect(document.timeline.frameRate == FrameRate(25) && document.timeline.size == size)
    // What the keyframes say at any time is what the ramps say.
    let rate = try #require(FrameRate(25))
    let opacity = try Animation(document.tracks[0].opacity, at: rate)
    for frame in 0..<250 {
      let time = Rational(frame, 25)
      #expect(opacity.value(at: time) == video.layers(at: time).first?.opacity ?? 0, "\(frame)")
      guard case .keyframes(let keys) = document.tracks[1].gain else { break }
      let numbers = keys.map { key in
        guard case .factor(let factor) = key.value else { return key.at }
        return factor == mix.volume(of: composition.tracks[1], at: key.at.seconds(at: rate))
          ? key.at : .seconds(-1)
      }
      #expect(numbers == keys.map(\.at))
    }
    #expect(document.tracks[1].gain.keyframes.map(\.curve) == [.linear, .hold, .linear])
    #expect(
      document.tracks[1].gain.keyframes.map { $0.at.seconds(at: rate) } == [0, 4, 9])
  }

  @Test func whatTheFormatHasNoWordsForIsRefused() throws {
    var composition = Composition()
    let (picture, sound) = (composition.addTrack(.video), composition.addTrack(.audio))
    try composition.insert(0..<10, of: Sources.a, into: picture)
    try composition.insert(0..<10, of: Sources.sound, into: sound)
    let size = PixelSize(width: 64, height: 36)
    let plain = try #require(VideoComposition(of: composition, renderSize: size))
    var turned = plain
    try turned.instructions[0].layers[0].setTransform(.quarterTurns(1), at: 0)
    var short = plain
    short.instructions[0].range = 0..<9
    var panned = AudioMix()
    try panned[sound].setPan(1, at: 0)
    var jumping = AudioMix()
    try jumping[sound].setVolumeRamp(from: 1, to: 0, over: 0..<2)
    try jumping[sound].setVolumeRamp(from: 1, to: 0, over: 2..<4)
    let attempts: [(VideoComposition?, AudioMix, String)] = [
      (turned, AudioMix(), "transforms and crops"), (short, AudioMix(), "covers 9s to 10s"),
      (nil, panned, "pan"), (nil, jumping, "jumps"),
    ]
    for (video, mix, words) in attempts {
      let error = #expect(throws: DocumentError.self) {
        try CompositionDocument(composition, video: video, mix: mix)
      }
      #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
    var outer = Composition()
    try outer.insert(0..<2, of: NestedComposition(composition, name: "scene").sourceTracks)
    #expect(throws: DocumentError.self) { try CompositionDocument(outer) }
    var fine = Composition()
    try fine.insert(
      0..<Rational(1, Int128(Int64.max) * 2), of: Sources.color, into: fine.addTrack(.video))
    #expect(throws: DocumentError.self) { try CompositionDocument(fine) }
  }
}
