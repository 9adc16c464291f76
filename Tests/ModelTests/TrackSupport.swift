import CutroomModel
import Foundation
import Testing

/// A segment as tests write it; its place follows from those before it.
enum ExpectedSegment {
  /// A range of a source, at its own speed or over another length.
  case media(String, Range<Rational>, over: Rational? = nil)
  /// Nothing, for so long.
  case empty(Rational)
}

/// Compares the whole of a track.
func expectTrack(
  _ track: CompositionTrack, _ expected: [ExpectedSegment], _ comment: Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var end = Rational.zero
  var segments: [String] = []
  for segment in expected {
    let start = end
    switch segment {
    case .media(let id, let range, let length):
      end += length ?? range.duration
      segments.append("\(id) \(range.lowerBound)..<\(range.upperBound) over \(start)..<\(end)")
    case .empty(let length):
      end += length
      segments.append("empty over \(start)..<\(end)")
    }
  }
  #expect(track.segments.map(described) == segments, comment, sourceLocation: sourceLocation)
  #expect(track.duration == end, comment, sourceLocation: sourceLocation)
}

private func described(_ segment: TrackSegment) -> String {
  let place = "over \(segment.range.lowerBound)..<\(segment.range.upperBound)"
  guard let source = segment.source else { return "empty \(place)" }
  let range = segment.sourceRange
  return "\(source.id) \(range.lowerBound)..<\(range.upperBound) \(place)"
}

/// The error that `body` throws, after which `value` must be what it was.
func refusal<Value: Equatable>(
  of value: inout Value, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (inout Value) throws(EditError) -> Void
) -> EditError? {
  let before = value
  do throws(EditError) {
    try body(&value)
    Issue.record("nothing was refused", sourceLocation: sourceLocation)
    return nil
  } catch {
    #expect(value == before, "a refused edit changed something", sourceLocation: sourceLocation)
    return error
  }
}

/// Sources of the tables: two of twenty seconds, and one of three.
enum Sources {
  static let a = SourceTrack("a", kind: .video, extent: 0..<20)
  static let b = SourceTrack("b", kind: .video, extent: 0..<20)
  static let c = SourceTrack("c", kind: .video, extent: 0..<3)
  static let sound = SourceTrack("s", kind: .audio, extent: 0..<20)
  static let color = SourceTrack("blue", kind: .video, extent: nil)
}

/// The track that table C starts from: a[0,4) and b[10,16).
func startTrack() throws -> CompositionTrack {
  var track = CompositionTrack(id: 1, kind: .video)
  try track.insert(0..<4, of: Sources.a)
  try track.insert(10..<16, of: Sources.b)
  return track
}

/// Numbers of random tests: reproducible from a seed that failures name.
struct Dice: RandomNumberGenerator {
  let seed: UInt64
  private var generator: SystemLikeGenerator

  /// The seed is that of the environment variable `CUTROOM_SEED`, else always the same.
  init(_ fallback: UInt64) {
    seed = ProcessInfo.processInfo.environment["CUTROOM_SEED"].flatMap { UInt64($0) } ?? fallback
    generator = SystemLikeGenerator(state: seed)
  }

  mutating func next() -> UInt64 { generator.next() }

  /// A whole number of the range.
  mutating func roll(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  /// A fraction between the bounds, in one of the units that media have.
  mutating func time(_ range: ClosedRange<Int64>) -> Rational {
    let units: [(Int64, Int64)] = [
      (1, 24), (1, 25), (1001, 30000), (1001, 24000), (1, 48000), (1, 44100), (1, 600), (1, 7),
    ]
    let (top, bottom) = units[Int(next() % UInt64(units.count))]
    let count = roll((range.lowerBound * bottom / top)...(range.upperBound * bottom / top))
    return Rational(count * top, bottom)
  }

  /// Whether tests run all the cases that the numbers of a release are about.
  static let isThorough = ProcessInfo.processInfo.environment["CUTROOM_THOROUGH"] == "1"
}
