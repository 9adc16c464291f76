public import CutroomModel
import Synchronization

/// A stretch of a source that does not decode, and what was done there.
public struct ConcealedDamage: Hashable, Sendable {
  /// The file.
  public var path: String
  /// `video` or `audio`.
  public var kind: String
  /// Where the damage starts, in source time.
  public var start: Rational
  /// Where the next good picture or sample is.
  public var end: Rational

  /// Creates a stretch.
  public init(path: String, kind: String, start: Rational, end: Rational) {
    (self.path, self.kind, self.start, self.end) = (path, kind, start, end)
  }

  /// The stretch as reports print it.
  public var jsonValue: JSONValue {
    [
      "path": .string(path), "kind": .string(kind), "start": .time(start), "end": .time(end),
      "with": kind == "video" ? "freeze" : "silence",
    ]
  }
}

/// What is done about sources that do not decode: an error, or the picture before it and silence,
/// with a list of where.
final class DamagePolicy: Sendable {
  /// Whether damage is concealed.
  let conceals: Bool
  private let found = Mutex<Set<ConcealedDamage>>([])

  init(conceals: Bool) { self.conceals = conceals }

  /// The policy of a composition.
  convenience init(_ document: CompositionDocument) {
    self.init(conceals: document.export.damaged == .conceal)
  }

  /// Says that a stretch was concealed; it may be said again.
  func add(_ damage: ConcealedDamage) {
    guard damage.start < damage.end else { return }
    found.withLock { _ = $0.insert(damage) }
  }

  /// What was concealed, by file and time; stretches that touch are one.
  var concealed: [ConcealedDamage] {
    let all = found.withLock { Array($0) }
      .sorted { ($0.path, $0.kind, $0.start, $0.end) < ($1.path, $1.kind, $1.start, $1.end) }
    var merged: [ConcealedDamage] = []
    for damage in all {
      if let last = merged.last, last.path == damage.path, last.kind == damage.kind,
        damage.start <= last.end
      {
        merged[merged.count - 1].end = max(last.end, damage.end)
      } else {
        merged.append(damage)
      }
    }
    return merged
  }
}
