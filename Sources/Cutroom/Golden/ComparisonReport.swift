public import CutroomModel

/// How an output stands to its golden.
public struct ComparisonReport: Sendable {
  /// The golden's name.
  public let name: String
  /// The output's path.
  public let output: String
  /// Each tier's result, in order.
  public let tiers: [TierResult]
  /// Why nothing could be compared; `nil` where it was.
  public let failure: CutroomError?
  let frames: [FramePair]

  init(
    name: String, output: String, tiers: [TierResult] = [], failure: CutroomError? = nil,
    frames: [FramePair] = []
  ) {
    self.name = name
    self.output = output
    self.tiers = tiers
    self.failure = failure
    self.frames = frames
  }

  /// Whether everything that was recorded is equal or within its tolerance.
  ///
  /// Where nothing was compared, nothing is equal.
  public var isEqual: Bool {
    let compared = tiers.filter { $0.result != .skipped }
    return failure == nil && !compared.isEmpty && compared.allSatisfy { $0.result != .differs }
  }

  /// The report as `cutroom compare --json` prints it.
  public var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("ok", .bool(isEqual)), .init("tiers", .array(tiers.map(\.json))),
    ]
    if let failure { members.append(.init("error", .string(failure.message))) }
    return .object(members)
  }

  /// A line for each tier, for people.
  public var text: String {
    var lines = ["\(name): \(isEqual ? "as recorded" : "differs")"]
    if let failure { lines.append("  \(failure.message)") }
    lines += tiers.map { tier in
      let name = tier.tier.rawValue
      let padded = name + String(repeating: " ", count: max(0, 10 - name.count))
      return "  \(padded)\(tier.result.rawValue)\(tier.detail.isEmpty ? "" : ": " + tier.detail)"
    }
    return lines.joined(separator: "\n")
  }

  /// The report as JUnit XML: a test case for each tier.
  public var junit: String { JUnit.document([self]) }

  /// A page that needs no other file, with the worst frames beside their references.
  public var html: String { HTMLPage.document(title: name, [self]) }
}

/// The results of checking a folder of goldens.
public struct GoldenCheckReport: Sendable {
  /// The folder.
  public let directory: String
  /// A report for each golden, in order of their names.
  public let results: [ComparisonReport]

  /// Whether there are goldens and all of them are met.
  public var isEqual: Bool { !results.isEmpty && results.allSatisfy(\.isEqual) }

  /// The report as `cutroom golden check --json` prints it.
  public var json: JSONValue {
    let results: [JSONValue] = results.map { result in
      guard case .object(let members) = result.json else { return .null }
      return .object([.init("name", .string(result.name))] + members)
    }
    return ["ok": .bool(isEqual), "results": .array(results)]
  }

  /// A line for each golden that is met, all tiers of the others, and the sum.
  public var text: String {
    let met = results.filter(\.isEqual).count
    let lines = results.map { $0.isEqual ? "\($0.name): as recorded" : $0.text }
    return (lines + ["\(met) of \(results.count) are as recorded"]).joined(separator: "\n")
  }

  /// The report as JUnit XML.
  public var junit: String { JUnit.document(results) }

  /// A page that needs no other file.
  public var html: String { HTMLPage.document(title: directory, results) }
}

/// What was recorded.
public struct GoldenRecordReport: Sendable {
  /// The goldens' files, in the order of the compositions.
  public let files: [String]

  /// The report as `cutroom golden record --json` prints it.
  public var json: JSONValue {
    ["ok": true, "goldens": .array(files.map { .string($0) })]
  }

  /// A line for each golden.
  public var text: String { files.map { "recorded \($0)" }.joined(separator: "\n") }
}
