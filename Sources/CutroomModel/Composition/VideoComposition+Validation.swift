/// What is wrong with a video composition.
///
/// AVFoundation has the same four kinds, all with the number −11841.
public enum VideoCompositionProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// A property with an impossible value.
  case invalidValue(key: String, reason: String)
  /// A stretch of time that no instruction covers.
  case uncovered(Range<Rational>)
  /// An instruction whose range is empty, no numbers, before the one before, or over it.
  case instructionRange(index: Int, range: Range<Rational>)
  /// A layer of a track that the composition does not have, or that has no pictures.
  case unknownTrack(instruction: Int, layer: Int, track: TrackID)

  /// The kind: 1 to 4, in the order above.
  public var kind: Int {
    switch self {
    case .invalidValue: 1
    case .uncovered: 2
    case .instructionRange: 3
    case .unknownTrack: 4
    }
  }

  /// The stable code.
  public var code: DiagnosticCode {
    switch self {
    case .invalidValue: .instructionValue
    case .uncovered: .instructionGap
    case .instructionRange: .instructionRange
    case .unknownTrack: .instructionTrack
    }
  }

  /// One sentence with the actual and the allowed values.
  public var description: String {
    switch self {
    case .invalidValue(let key, let reason): "'\(key)' \(reason)"
    case .uncovered(let range): "no instruction covers \(range.text)"
    case .instructionRange(let index, let range):
      "instruction \(index) from \(range.text) is empty, out of order, or over the one before"
    case .unknownTrack(let instruction, let layer, let track):
      "layer \(layer) of instruction \(instruction) names track \(track), which has no pictures"
    }
  }
}

extension VideoComposition {
  /// All that is wrong, in the order of the kinds; none if it can be drawn.
  ///
  /// With a composition the instructions must cover all of it, or of `range` what it has; they may
  /// go on after its end. Without one, only `range` must be covered, and tracks are not checked.
  public func problems(
    with composition: Composition? = nil, over range: Range<Rational>? = nil
  ) -> [VideoCompositionProblem] {
    var problems = valueProblems()
    let misplaced = misplacedInstructions()
    if let needed = neededRange(composition, range) { problems += gaps(in: needed) }
    problems += misplaced.map { .instructionRange(index: $0, range: instructions[$0].range) }
    guard let composition else { return problems }
    let known = Set(composition.tracks.lazy.filter { $0.kind == .video }.map(\.id))
    for (index, instruction) in instructions.enumerated() {
      for (layer, track) in instruction.requiredTracks.enumerated() where !known.contains(track) {
        problems.append(.unknownTrack(instruction: index, layer: layer, track: track))
      }
    }
    if let track = frameTimingTrack, !known.contains(track) {
      problems.append(
        .invalidValue(key: "frameTimingTrack", reason: "is \(track), which has no pictures"))
    }
    return problems
  }

  private func valueProblems() -> [VideoCompositionProblem] {
    var problems: [VideoCompositionProblem] = []
    if !frameDuration.isValid || frameDuration <= .zero {
      problems.append(
        .invalidValue(
          key: "frameDuration", reason: "is \(frameDuration.secondsText), but must be above 0s"))
    }
    if renderSize.width <= 0 || renderSize.height <= 0 {
      problems.append(
        .invalidValue(
          key: "renderSize",
          reason: "is \(renderSize.width)x\(renderSize.height), but both must be above 0"))
    }
    return problems
  }

  /// The indices of instructions that do not follow the one before.
  private func misplacedInstructions() -> [Int] {
    var (indices, end) = ([Int](), Rational?.none)
    for (index, instruction) in instructions.enumerated() {
      let range = instruction.range
      guard range.isNumeric, !range.isEmpty, range.lowerBound >= end ?? range.lowerBound else {
        indices.append(index)
        continue
      }
      end = range.upperBound
    }
    return indices
  }

  private func neededRange(
    _ composition: Composition?, _ range: Range<Rational>?
  ) -> Range<Rational>? {
    guard let composition else { return range }
    let whole = 0..<composition.duration
    return range.map { $0.clamped(to: whole) } ?? whole
  }

  private func gaps(in needed: Range<Rational>) -> [VideoCompositionProblem] {
    var (gaps, end) = ([VideoCompositionProblem](), needed.lowerBound)
    let ranges = instructions.map(\.range).filter { $0.isNumeric && !$0.isEmpty }
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > end, end < needed.upperBound {
        gaps.append(.uncovered(end..<min(range.lowerBound, needed.upperBound)))
      }
      end = max(end, range.upperBound)
    }
    if end < needed.upperBound { gaps.append(.uncovered(end..<needed.upperBound)) }
    return gaps
  }
}
