/// A text file of subtitles, read by the rules of its form, with what is wrong in which line.
///
/// Nothing is guessed: a line that breaks a rule is kept where its meaning is clear, else left out,
/// and is among the ``findings`` either way.
package struct SubtitleFile: Sendable {
  /// How a file is written, by libavformat's name.
  package enum Form: String, Sendable {
    case subRip = "srt"
    case webVTT = "webvtt"
    case ass

    /// FFmpeg's name of the codec of its lines.
    package var codec: String { self == .subRip ? "subrip" : rawValue }
    /// Ticks per second of its times.
    package var ticksPerSecond: Int32 { self == .ass ? 100 : 1000 }
  }

  /// What is shown from one time to another.
  struct Cue {
    /// The line of the file that has its times, counted from 1.
    var line: Int
    /// Its times in ticks.
    var time: Range<Int64>
    /// The text as it is written; of ASS all fields but the times.
    var payload: [UInt8]
    /// The name of a cue of WebVTT.
    var identifier: [UInt8] = []
    /// Where a cue of WebVTT says that it is to be shown.
    var placement: [UInt8] = []
    /// The rectangle that a line of SubRip names: left, right, top, bottom.
    var rectangle: [Int32] = []
  }

  /// How it is written.
  package let form: Form
  /// Script and styles of ASS; blocks of WebVTT that all cues share, empty where there are none.
  package internal(set) var header: [UInt8] = []
  /// What is wrong, in the order of the file.
  package internal(set) var findings: [SubtitleFinding] = []
  /// What the file says beside its lines, for players of its form.
  package internal(set) var blocks: [SubtitleBlock] = []
  /// The fonts that it brings.
  package internal(set) var fonts: [SubtitleFont] = []
  var cues: [Cue] = []

  /// More bytes than this are not read.
  package static let byteLimit = 32 << 20
  /// More cues than this are not read.
  static let cueLimit = 100_000

  /// Reads all of a file's bytes, which are UTF-8, or UTF-16 with a byte-order mark.
  package init(_ bytes: [UInt8], form: Form) throws(SubtitleProblem) {
    self.form = form
    guard bytes.count <= Self.byteLimit else {
      throw .tooLarge("more than \(Self.byteLimit >> 20) MB of text")
    }
    var reader = try SubtitleLineReader(bytes)
    switch form {
    case .subRip: try readSubRip(&reader)
    case .webVTT: try readWebVTT(&reader)
    case .ass: try readASS(&reader)
    }
    findings.sort { $0.line < $1.line }
  }

  /// The form of a file whose path and first bytes those are; `nil` where it is none of them.
  package static func form(path: String, head: [UInt8]) -> Form? {
    let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last
    switch ending?.lowercased() {
    case "srt": return .subRip
    case "vtt": return .webVTT
    case "ass", "ssa": return .ass
    default: break
    }
    let text = SubtitleLineReader.decodedHead(head)
    if text.starts(with: "WEBVTT".utf8) { return .webVTT }
    let lines = text.split(separator: 0x0A, maxSplits: 3).prefix(3).map { $0.trimmed }
    if lines.first?.elementsEqual("[Script Info]".utf8) == true { return .ass }
    return lines.prefix(2).contains { SubRipTiming($0) != nil } ? .subRip : nil
  }

  /// Adds a finding.
  mutating func report(_ rule: SubtitleFinding.Rule, _ line: Int, _ message: String) {
    // What a hostile file gets wrong is not told without end.
    guard findings.count < 10_000 else { return }
    findings.append(SubtitleFinding(rule: rule, line: line, message: message))
  }

  /// Adds a cue, unless it is never shown.
  mutating func add(_ cue: Cue?, endsAt end: Int64, _ line: Int) throws(SubtitleProblem) {
    guard let cue else {
      return report(.times, line, "ends before it begins, and is never shown")
    }
    guard cue.time.lowerBound < end else {
      return report(.times, line, "ends when it begins, and is never shown")
    }
    guard cues.count < Self.cueLimit else { throw .tooLarge("more than \(Self.cueLimit) lines") }
    cues.append(cue)
  }
}

/// What is wrong in a line of a file of subtitles.
package struct SubtitleFinding: Hashable, Sendable {
  /// What it breaks, as codes of findings end.
  package enum Rule: String, Sendable, CaseIterable {
    /// It ends before it begins.
    case times
    /// It begins before the one that stands above it.
    case order
    /// It begins before the one above ends, in a form that has one line at a time.
    case overlap
    /// It is not written as the form wants it.
    case syntax
    /// It names a style or a region that the file does not have.
    case style
  }

  package var rule: Rule
  /// The line of the file, counted from 1.
  package var line: Int
  /// What follows "line 12 of the file".
  package var message: String
}

/// A part of a file of subtitles that speaks of all its lines.
package struct SubtitleBlock: Hashable, Sendable {
  /// What it is called: "STYLE", "REGION 'top'".
  package var name: String
  /// The line of the file at which it begins, counted from 1.
  package var line: Int
}

/// A font that a file of subtitles brings.
package struct SubtitleFont: Hashable, Sendable {
  /// The name of its file.
  package var name: String
  /// The font.
  package var bytes: [UInt8]
}
