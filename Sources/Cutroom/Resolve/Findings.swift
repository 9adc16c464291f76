package import CutroomModel

/// The findings of one check, in the order of its stages and of their places.
package struct Findings {
  /// The stages of a check after syntax and shape, in their order.
  package enum Stage: Int, Comparable {
    case reference, time, media, capability

    package static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }
  }

  private struct Entry {
    var stage: Stage
    var diagnostic: Diagnostic
  }

  private var entries: [Entry] = []
  private var seen: Set<String> = []

  /// Whether nothing was found that prevents an export.
  package var hasErrors: Bool { entries.contains { $0.diagnostic.severity == .error } }

  /// Whether a finding of this code was made.
  package func has(_ code: DiagnosticCode) -> Bool {
    entries.contains { $0.diagnostic.code == code.rawValue }
  }

  package init() {}

  /// Adds a finding; the same code at the same place is kept once.
  package mutating func add(
    _ stage: Stage, _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ message: String,
    at pointer: String, fix: String? = nil, related: [Diagnostic.Related] = []
  ) {
    guard seen.insert(code.rawValue + " " + pointer).inserted else { return }
    let diagnostic = Diagnostic(
      severity, code, message, at: pointer, fix: fix, related: related)
    entries.append(Entry(stage: stage, diagnostic: diagnostic))
  }

  /// Adds a finding that was made elsewhere.
  mutating func add(_ stage: Stage, _ finding: Diagnostic) {
    guard seen.insert(finding.code + " " + finding.pointer).inserted else { return }
    entries.append(Entry(stage: stage, diagnostic: finding))
  }

  /// Adds a finding whose place is in another file, such as a composition within this one.
  mutating func add(_ stage: Stage, elsewhere finding: Diagnostic) {
    guard seen.insert(finding.key).inserted else { return }
    entries.append(Entry(stage: stage, diagnostic: finding))
  }

  /// All findings by stage, each stage in the order of the file, once `placed` gave them places.
  package func sorted(placed: ([Diagnostic]) -> [Diagnostic]) -> [Diagnostic] {
    let diagnostics = placed(entries.map(\.diagnostic))
    let order = zip(entries.map(\.stage), diagnostics).enumerated().sorted { a, b in
      if a.element.0 != b.element.0 { return a.element.0 < b.element.0 }
      let (left, right) = (a.element.1.place, b.element.1.place)
      if let left, let right, left != right { return left.isBefore(right) }
      return a.offset < b.offset
    }
    return order.map(\.element.1)
  }
}

extension Findings {
  /// Two lists as one: by stage and place, the same code at the same place once.
  package static func merged(_ first: [Diagnostic], _ second: [Diagnostic]) -> [Diagnostic] {
    var seen: Set<String> = []
    let all = (first + second).filter { finding in
      let isNew = seen.insert(finding.key).inserted
      // Errors of syntax all have the whole text as their pointer.
      return isNew || finding.code.hasPrefix("syntax.")
    }
    let order = all.enumerated().sorted { a, b in
      let (left, right) = (rank(of: a.element), rank(of: b.element))
      if left != right { return left < right }
      let places = (a.element.place, b.element.place)
      if case (let left?, let right?) = places, left != right { return left.isBefore(right) }
      return a.offset < b.offset
    }
    return order.map(\.element)
  }

  /// The place of a finding's stage among all stages.
  private static func rank(of finding: Diagnostic) -> Int {
    switch finding.code.prefix(while: { $0 != "." }) {
    case "syntax": 0
    case "shape", "unsupported": 1
    case "reference": 2
    case "time", "range", "track", "timeline", "fade", "transition", "chapter": 3
    case "media": 4
    default: 5
    }
  }
}

extension Diagnostic {
  /// What makes two findings the same one: the code, and the place in one file.
  fileprivate var key: String {
    "\(code) \(pointer) \(place.map { "\($0.file):\($0.line)" } ?? "")"
  }
}

extension Place {
  /// The order of findings: file by file, each from its start.
  fileprivate func isBefore(_ other: Place) -> Bool {
    file == other.file ? (line, column) < (other.line, other.column) : file < other.file
  }
}

extension String {
  /// The string as one part of a JSON pointer.
  var pointerEscaped: String {
    replacing("~", with: "~0").replacing("/", with: "~1")
  }
}

extension Rational {
  /// The time for a sentence: decimal seconds, with the exact fraction where they are rounded.
  var inSeconds: String {
    guard isValid else { return "an impossible time" }
    let millionths = self * 1_000_000
    let rounded = millionths.rounded
    let magnitude = rounded < 0 ? -rounded : rounded
    var places = String(magnitude % 1_000_000)
    places = String(repeating: "0", count: 6 - places.count) + places
    while places.hasSuffix("0") { places.removeLast() }
    let whole = (rounded < 0 ? "-" : "") + String(magnitude / 1_000_000)
    let decimal = whole + (places.isEmpty ? "" : "." + places) + "s"
    return millionths.isInteger ? decimal : "\(decimal) (\(self))"
  }

  /// Whether both parts fit the 64-bit values that files can hold.
  var isStorable: Bool {
    isValid && numerator.magnitude <= 1 << 62 && denominator <= 1 << 62
  }
}
