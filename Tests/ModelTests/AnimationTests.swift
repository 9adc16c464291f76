import CutroomModel
import Testing

/// Values over time: ramps of layers and of sound.
struct AnimationTests {
  private static func decimal(_ thousandths: Int64) -> Rational { Rational(thousandths, 1000) }

  private static func layer() throws -> LayerInstruction {
    var layer = LayerInstruction(track: 1)
    try layer.setOpacityRamp(from: decimal(200), to: 1, over: 4..<8)
    try layer.setOpacity(decimal(800), at: 2)
    return layer
  }

  @Test(
    arguments: [
      (0, 1000), (1990, 1000), (2000, 800), (3990, 800), (4000, 200), (5000, 400), (6000, 600),
      (7990, 998), (8000, 1000), (100_000, 1000),
    ] as [(Int64, Int64)])
  func opacityHasItsExactValue(time: Int64, value: Int64) throws {
    let layer = try Self.layer()
    #expect(layer.opacity.value(at: Self.decimal(time)) == Self.decimal(value))
    #expect(layer.state(at: Self.decimal(time)).opacity == Self.decimal(value))
  }

  @Test func findsTheRampOfATime() throws {
    let opacity = try Self.layer().opacity
    for time in [0, 1990, 2000, 3990] as [Int64] {
      #expect(opacity.ramp(at: Self.decimal(time))?.range == 2..<2, "\(time)")
    }
    for time in [4000, 5000, 6000, 7990] as [Int64] {
      #expect(opacity.ramp(at: Self.decimal(time))?.range == 4..<8, "\(time)")
    }
    #expect(opacity.ramp(at: 8) == nil && opacity.ramp(at: 100) == nil)
    var set = Animation(Rational.one)
    try set.set(0, at: 3)
    #expect(set.ramp(at: 100)?.to == 0)
  }

  @Test func rampsDoNotOverlap() throws {
    var layer = try Self.layer()
    let before = layer
    for range in [7..<9, 3..<5, 5..<6, 0..<20, 4..<8] as [Range<Rational>] {
      #expect(throws: RampError.self, "\(range)") {
        try layer.setOpacityRamp(from: 1, to: 0, over: range)
      }
    }
    #expect(throws: RampError.overlap(5..<5, with: 4..<8)) { try layer.setOpacity(1, at: 5) }
    #expect(throws: RampError.overlap(4..<4, with: 4..<8)) { try layer.setOpacity(1, at: 4) }
    #expect(throws: RampError.overlap(1..<3, with: 2..<2)) {
      try layer.setOpacityRamp(from: 1, to: 0, over: 1..<3)
    }
    #expect(layer == before)
    try layer.setOpacityRamp(from: 1, to: 0, over: 8..<9)
    try layer.setOpacityRamp(from: 1, to: 0, over: 3..<4)
    try layer.setOpacity(Rational(1, 2), at: 2)
    #expect(layer.opacity.ramps.map(\.range.lowerBound) == [2, 3, 4, 8])
    #expect(layer.opacity.value(at: 2) == Rational(1, 2))
  }

  @Test func aRampReplacesTheValueSetAtItsStart() throws {
    var volume = Animation(Rational.one)
    try volume.set(0, at: 0)
    try volume.ramp(from: 0, to: 1, over: 0..<2)
    #expect(volume.ramps.count == 1 && volume.value(at: 1) == Rational(1, 2))
  }

  @Test func refusesWhatIsNoValueAndNoTime() throws {
    var layer = LayerInstruction(track: 1)
    var sound = AudioMixParameters()
    #expect(throws: RampError.value("an opacity is 1.5, but must be from 0 to 1")) {
      try layer.setOpacity(Rational(3, 2), at: 0)
    }
    #expect(throws: RampError.self) { try layer.setOpacityRamp(from: 0, to: -1, over: 0..<1) }
    #expect(throws: RampError.self) { try layer.setOpacity(.invalid, at: 0) }
    #expect(throws: RampError.self) { try layer.setOpacity(1, at: .invalid) }
    #expect(throws: RampError.self) { try layer.setOpacityRamp(from: 0, to: 1, over: 1..<1) }
    #expect(throws: RampError.self) {
      try layer.setOpacityRamp(from: 0, to: 1, over: 1..<Rational.invalid)
    }
    #expect(throws: RampError.self) { try layer.setCrop(PictureSettings.Crop(left: -1), at: 0) }
    #expect(throws: RampError.self) { try layer.setTransform(.scale(x: .invalid, y: 1), at: 0) }
    #expect(throws: RampError.self) { try sound.setVolume(-1, at: 0) }
    #expect(throws: RampError.self) { try sound.setPan(2, at: 0) }
    #expect(layer == LayerInstruction(track: 1) && sound == AudioMixParameters())
  }

  // MARK: Curves

  @Test(
    arguments: [
      (.hold, [0, 0, 0, 0, 64]), (.linear, [0, 16, 32, 48, 64]), (.easeIn, [0, 4, 16, 36, 64]),
      (.easeOut, [0, 28, 48, 60, 64]), (.easeInOut, [0, 10, 32, 54, 64]),
    ] as [(KeyframeCurve, [Int64])])
  func curvesAreExact(curve: KeyframeCurve, weights: [Int64]) throws {
    for (quarter, weight) in weights.enumerated() {
      #expect(curve.weight(at: Rational(quarter, 4)) == Rational(weight, 64))
    }
    #expect(curve.weight(at: -1) == 0 && curve.weight(at: 2) == 1)
    let ramp = Ramp<Rational>(over: 10..<12, from: 100, to: 164, curve: curve)
    #expect(ramp.value(at: Rational(21, 2)) == Rational(100 + weights[1]))
    #expect(ramp.value(at: 12) == 164 && ramp.value(at: 0) == 100)
  }

  @Test(arguments: KeyframeCurve.allCases)
  func curvesRiseAndStayBetweenTheirEnds(curve: KeyframeCurve) {
    var dice = Dice(11)
    for _ in 0..<500 {
      let (a, b) = (Rational(dice.roll(0...999), 1000), Rational(dice.roll(0...999), 1000))
      let (low, high) = (curve.weight(at: min(a, b)), curve.weight(at: max(a, b)))
      #expect(0 <= low && low <= high && high <= 1, "seed \(dice.seed)")
    }
  }

  @Test(arguments: KeyframeCurve.allCases)
  func fractionsBeyondExactnessHaveNumbersTooClose(curve: KeyframeCurve) throws {
    let fine = Int128(1) << 120
    let progress = Rational(fine / 3, fine - 1)
    let (weight, near) = (curve.weight(at: progress), curve.weight(at: Rational(1, 3)))
    #expect(weight.isValid && (weight - near).magnitude < Rational(1, 1 << 28))
    let ramp = Ramp<Rational>(
      over: Rational(1, fine - 1)..<Rational(7, 3), from: Rational(1, 7), to: Rational(5, 11),
      curve: curve)
    let value = ramp.value(at: Rational(1, fine / 2 - 1) + 1)
    #expect(value.isValid && value >= Rational(1, 7) && value <= Rational(5, 11))
  }

  @Test func transformsAndCropsGoByTheirParts() throws {
    var layer = LayerInstruction(track: 1, transform: .quarterTurns(1))
    try layer.setTransformRamp(
      from: .identity, to: .translation(x: 100, y: -50), over: 2..<4, curve: .easeIn)
    try layer.setCropRamp(from: .none, to: PictureSettings.Crop(left: 8, bottom: 4), over: 0..<4)
    #expect(layer.state(at: 1).transform == .quarterTurns(1))
    let state = layer.state(at: 3)
    #expect(state.transform == .translation(x: 25, y: Rational(-25, 2)))
    #expect(state.crop == PictureSettings.Crop(left: 6, bottom: 3))
    #expect(layer.changes(within: 0..<1) && !layer.changes(within: 4..<9))
  }

  @Test func turnsAndTransformsFollowEachOther() {
    let turned = PictureTransform.scale(x: 2, y: 3).followed(by: .quarterTurns(1))
      .followed(by: .translation(x: 10, y: 0))
    let point = turned.apply(x: 1, y: 1)
    #expect(point.x == 7 && point.y == 2)
    var whole = PictureTransform.identity
    for _ in 0..<4 { whole = whole.followed(by: .quarterTurns(1)) }
    #expect(whole == .identity && PictureTransform.quarterTurns(-1) == .quarterTurns(3))
  }

  // MARK: Keyframes

  @Test func keyframesAreRampsThatFollowEachOther() throws {
    let rate = try FrameRate.parse("25")
    let keys: [Keyframe<Rational>] = [
      Keyframe(at: .seconds(1), value: 0), Keyframe(at: .frames(50, rate: nil), value: 1),
      Keyframe(at: .seconds(3), value: 5, curve: .hold),
      Keyframe(at: .seconds(4), value: 9, curve: .easeIn),
    ]
    let animation = try Animation(.keyframes(keys), at: rate)
    let half = Rational(1, 2)
    let expected: [(Rational, Rational)] = [
      (0, 0), (1, 0), (1 + half, half), (2, 1), (2 + half, 1), (3, 5), (3 + half, 6), (4, 9),
      (99, 9),
    ]
    for (time, value) in expected { #expect(animation.value(at: time) == value, "\(time)") }
    #expect(try Animation(Animated<Rational>.constant(3), at: rate) == Animation(3))
    #expect(try Animation(Animated.keyframes([keys[1]]), at: rate) == Animation(1))
    #expect(throws: RampError.invalidTime(1..<1)) {
      try Animation(.keyframes([keys[0], keys[0]]), at: rate)
    }
    #expect(throws: RampError.self) {
      try Animation(.keyframes([keys[2], keys[1]]), at: rate)
    }
    #expect(throws: RampError.self) { try Animation(Animated<Rational>.keyframes([]), at: rate) }
  }

  // MARK: Sound

  @Test(
    arguments: [
      (0, 1000), (3999, 1000), (4000, 500), (6500, 350), (9000, 200), (20000, 200),
    ] as [(Int64, Int64)])
  func volumeJumpsToItsRamp(time: Int64, value: Int64) throws {
    var mix = AudioMix()
    try mix[2].setVolume(1, at: 0)
    try mix[2].setVolumeRamp(from: Self.decimal(500), to: Self.decimal(200), over: 4..<9)
    var track = CompositionTrack(id: 2, kind: .audio)
    #expect(mix.volume(of: track, at: Self.decimal(time)) == Self.decimal(value))
    track.isEnabled = false
    #expect(mix.volume(of: track, at: Self.decimal(time)) == 0)
  }

  @Test func tracksWithoutParametersHaveTheirPreferredVolume() throws {
    var track = CompositionTrack(id: 1, kind: .audio)
    track.preferredVolume = Rational(1, 4)
    var mix = AudioMix()
    #expect(mix.volume(of: track, at: 3) == Rational(1, 4))
    try mix[1].setPanRamp(from: -1, to: 1, over: 0..<2)
    #expect(mix.volume(of: track, at: 3) == 1 && mix[1].pan.value(at: 1) == 0)
    #expect(mix[9] == AudioMixParameters())
  }
}
