import CutroomModel

/// Edits of a composition of three tracks, and arithmetic of any times, as bytes tell.
struct EditProgram {
  private var bytes: ArraySlice<UInt8>
  private var composition = Composition()
  private var ids: [TrackID] = []
  private var history: [Composition] = []

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes.prefix(192)
    for kind in [CompositionTrack.Kind.video, .audio, .video] {
      ids.append(composition.addTrack(kind))
    }
  }

  mutating func run() {
    while !bytes.isEmpty { step() }
    checkDerived(composition)
    for old in history.reversed() { composition = old }
    require(composition.duration == .zero, "what was undone is still there")
  }

  private mutating func step() {
    let (kind, id) = (byte() % 10, ids[Int(byte() % 3)])
    let (time, other) = (rational(), rational())
    let range = Range(start: time, end: other) ?? Range(start: other, end: time) ?? 0..<0
    let before = composition
    switch kind {
    case 0, 1:
      let pieces = (0...byte() % 3).map { _ in piece(composition.track(id)?.kind ?? .video) }
      let place = kind == 0 ? nil : time
      make(&composition) { (value) throws(EditError) in
        try value.update(id) { (track) throws(EditError) in try track.insert(pieces, at: place) }
      }
    case 2: make(&composition) { (value) throws(EditError) in try value.insertEmpty(range) }
    case 3: make(&composition) { (value) throws(EditError) in try value.remove(range) }
    case 4:
      let length = rational()
      make(&composition) { (value) throws(EditError) in try value.scale(range, to: length) }
    case 5:
      let sources = [CompositionTrack.Kind.video, .audio].map {
        SourceTrack("film", kind: $0, extent: range)
      }
      make(&composition) { (value) throws(EditError) in
        try value.insert(range, of: sources, at: time)
      }
    case 6:
      let operations: [EditOperation] = [
        .insert([piece(.video), piece(.audio)], at: time, into: .all),
        .remove(range, from: .tracks([id])), .scale(range, to: other, in: .all),
      ]
      if (try? composition.apply(operations)) == nil {
        require(composition == before, "a refused list of edits changed something")
      }
    case 7: animate(range, other)
    case 8: checkTimes(mediaTime(), mediaTime())
    default: checkTimecode(time)
    }
    if composition != before, history.count < 8 { history.append(before) }
    // A long list of edits is cut off where tracks grow beyond what anyone would wait for.
    if composition.tracks.contains(where: { $0.segments.count > 64 }) { bytes = [] }
  }

  private mutating func piece(_ kind: CompositionTrack.Kind) -> TrackSegment {
    let (start, length, mode) = (rational(), rational(), byte())
    guard mode % 8 > 0, let range = Range(start: start, duration: length) else {
      return .empty(length)
    }
    let playback = TrackSegment.Playback.allCases[Int(mode) % 3]
    return .media(
      SourceTrack(mode > 99 ? "a" : "b", kind: kind, extent: mode % 5 == 0 ? 0..<20 : nil), range,
      duration: mode % 7 == 0 ? rational() : nil, playback: playback,
      clip: mode % 11 == 0 ? ClipPart(length: length) : nil)
  }

  private mutating func animate(_ range: Range<Rational>, _ value: Rational) {
    var layer = LayerInstruction(track: 1)
    for curve in KeyframeCurve.allCases {
      let before = layer
      do throws(RampError) {
        try layer.setOpacityRamp(from: 0, to: value, over: range, curve: curve)
        try layer.setOpacity(value, at: range.upperBound)
      } catch {
        if case .value = error { require(layer == before, "a refused ramp changed something") }
      }
      let opacity = layer.opacity.value(at: rational())
      require(
        opacity.isValid && opacity >= .zero && opacity <= .one, "an opacity is \(opacity)")
    }
  }

  private func checkTimes(_ a: MediaTime, _ b: MediaTime) {
    require(a + b == b + a, "\(a) + \(b)")
    require((a < b) != (b <= a) && (a == b) == !(a < b || b < a), "\(a), \(b)")
    if a == b { require(a.hashValue == b.hashValue, "\(a), \(b)") }
    let sum = a + b
    if sum.isNumeric, !sum.hasBeenRounded, let left = a.seconds, let right = b.seconds {
      require(sum.seconds == left + right, "\(a) + \(b) = \(sum)")
    }
    let scale = Int32(truncatingIfNeeded: b.value)
    if scale > 0, let exact = a.seconds,
      let up = a.rescaled(to: scale, rounding: .up).seconds,
      let down = a.rescaled(to: scale, rounding: .down).seconds
    {
      require(down <= exact && exact <= up, "\(a) in 1/\(scale)")
    }
    _ = a.multiplied(by: scale, over: Int32(truncatingIfNeeded: b.epoch))
    let (one, other) = (TimeRange(start: a, duration: b), TimeRange(from: a, to: b))
    for range in [one, other] {
      let folded = range.fold(b)
      if folded.isNumeric, !folded.hasBeenRounded, !range.end.hasBeenRounded {
        require(range.contains(folded), "\(b) in \(range)")
      }
      _ = (range.union(other), range.intersection(one), range.map(a, to: other), range.clamp(b))
    }
  }

  private func checkTimecode(_ time: Rational) {
    for rate in [Rational(25), Rational(30000, 1001), Rational(60000, 1001)].compactMap(
      FrameRate.init)
    {
      let frame = rate.frame(at: time)
      for drops in [false, true] {
        guard let timecode = Timecode(frame: frame, at: rate, isDropFrame: drops) else { continue }
        require(timecode.frame(at: rate) == frame, "frame \(frame) of \(rate)")
      }
    }
  }

  // MARK: Reading

  private mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  private mutating func number(_ count: UInt8) -> Int128 {
    (0..<count).reduce(Int128(0)) { value, _ in value << 8 | Int128(byte()) }
  }

  /// Small whole numbers and the fractions of media, and now and then anything.
  private mutating func rational() -> Rational {
    let units: [(Int64, Int64)] = [(1, 24), (1001, 30000), (1, 48000), (1, 7), (1, 600)]
    switch byte() {
    case let unit where unit < 5:
      return Rational(Int64(number(2)) * units[Int(unit)].0, units[Int(unit)].1)
    case 5: return Rational(number(16), number(16))
    case 6: return Rational(number(8), number(4))
    case 7: return Rational(number(16))
    case 8: return .invalid
    case 9: return -Rational(number(2), 10)
    default: return Rational(byte() % 32)
    }
  }

  private mutating func mediaTime() -> MediaTime {
    let mode = byte()
    let value = Int64(truncatingIfNeeded: number(mode % 9))
    let scale = Int32(truncatingIfNeeded: number(mode % 4 + 1))
    guard mode > 200 else { return MediaTime(value: value, timescale: scale) }
    return MediaTime(
      value: value, timescale: scale, flags: MediaTime.Flags(rawValue: UInt32(byte())),
      epoch: Int64(truncatingIfNeeded: number(mode % 3 * 4)))
  }
}

// MARK: - What always holds

/// Makes an edit: it leaves whole tracks, or everything as it was.
@discardableResult
func make<Result>(
  _ composition: inout Composition,
  _ change: (inout Composition) throws(EditError) -> Result
) -> Result? {
  let before = composition
  do throws(EditError) {
    let result = try change(&composition)
    for track in composition.tracks {
      do throws(EditError) {
        try CompositionTrack.validate(track.segments, kind: track.kind)
      } catch { fatalError("an edit left \(error) on \(track.segments.map(\.range))") }
      require(track.segments.last?.isEmpty != true, "a track ends with an empty segment")
    }
    return result
  } catch {
    require(!error.description.isEmpty, "an edit is refused without a reason")
    require(composition == before, "a refused edit changed something: \(error)")
    return nil
  }
}

/// What follows from tracks is whole: instructions, the normal form, and frames.
func checkDerived(_ composition: Composition) {
  let normal = composition.normalized()
  require(
    normal.normalized() == normal,
    "the normal form has another one: \(normal.tracks), \(normal.normalized().tracks)")
  let size = PixelSize(width: 16, height: 16)
  if let video = VideoComposition(of: composition, renderSize: size) {
    require(video.problems(with: composition) == [], "derived instructions are not whole")
  }
  guard let rate = FrameRate(Rational(30000, 1001)) else { return }
  for track in composition.tracks {
    guard let ticks = BoundaryGrid(rate).ticks(of: track) else { continue }
    var end: Int64 = 0
    for range in ticks {
      require(range.lowerBound == end, "frames have a gap")
      end = range.upperBound
    }
    require(end == BoundaryGrid(rate).tick(at: track.duration), "frames are lost")
    for segment in track.segments {
      let time = segment.range.lowerBound
      let (shown, normal) = (
        track.content(at: time)?.time, normal.track(track.id)?.content(at: time)
      )
      require(
        shown == normal?.time || normal?.time.isValid == false || shown?.isValid == false,
        "the normal form shows something else")
    }
  }
}
