import Cutroom
import Foundation
import Synchronization

/// Shows how far an export is: a bar on a terminal, JSON lines on demand, nothing in a pipe.
///
/// Whatever is reported to it, what it shows never goes back, begins at 0, and reaches exactly 1
/// once: when the work is complete. It shows at most ten states a second.
final class ProgressMeter: Sendable {
  /// How progress is shown.
  enum Style: String, Sendable, CaseIterable {
    case bar, json, none
  }

  static let option = Option(
    "progress", choices: ["auto", "bar", "json", "none"], help: "how progress is shown")

  /// The style that was asked for; `nil` for `auto`.
  static func style(_ arguments: ParsedArguments) -> Style? {
    arguments.value(of: option).flatMap(Style.init)
  }

  private struct State {
    var last: ExportProgress?
    var shownAt: ContinuousClock.Instant?
    var width = 0
    var hasEnded = false
  }

  private let style: Style
  private let isQuiet: Bool
  private let write: @Sendable (String) -> Void
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  /// Creates a meter that writes through `write` and reads the time from `now`.
  init(
    _ style: Style, isQuiet: Bool = false, write: @escaping @Sendable (String) -> Void,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.style = style
    self.isQuiet = isQuiet
    self.write = write
    self.now = now
  }

  /// Creates the meter of a session; `auto` is a bar where messages go to a terminal.
  convenience init(_ style: Style?, in session: Session) {
    let automatic: Style = session.isTerminal && !session.isQuiet ? .bar : .none
    self.init(style ?? automatic, isQuiet: session.isQuiet, write: session.console.raw)
  }

  /// Takes a state of the work.
  @Sendable func update(_ progress: ExportProgress) {
    if let stall = progress.stall { return tell(stall) }
    guard style != .none else { return }
    state.withLock { state in
      guard !state.hasEnded else { return }
      var next = progress
      next.fraction = min(max(next.fraction, state.last?.fraction ?? 0), 0.999)
      let isFirst = state.last == nil
      let isNews = isFirst || state.last?.stage != next.stage
      state.last = next
      let time = now()
      if !isNews, let shownAt = state.shownAt, time - shownAt < .milliseconds(100) { return }
      state.shownAt = time
      if isFirst && next.fraction > 0 { show(Self.start(of: next), &state) }
      show(next, &state)
    }
  }

  /// Says that nothing moves: as a line of its own, with JSON beside the progress so far.
  private func tell(_ stall: ExportProgress.Stall) {
    state.withLock { state in
      guard !state.hasEnded, !isQuiet || style == .json else { return }
      if style == .json, let last = state.last {
        var members = Self.json(last).members ?? []
        members.append(.init("stalled", .integer(Int64(stall.seconds))))
        members.append(.init("state", .array(stall.state.map { .string($0) })))
        write(JSONValue.object(members).encoded() + "\n")
      } else {
        clear(&state)
        let last = stall.state.isEmpty ? "" : "; last, " + stall.state.joined(separator: ", ")
        write("nothing has moved for \(stall.seconds) s\(last); Ctrl-C stops the export\n")
      }
    }
  }

  /// Says that the work is complete.
  func finish() {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.hasEnded = true
      if style == .json {
        var last =
          state.last
          ?? ExportProgress(
            stage: "done", fraction: 0, frame: 0, of: 0, framesPerSecond: 0, secondsLeft: nil)
        if state.last == nil { show(last, &state) }
        last.fraction = 1
        last.stage = "done"
        last.frame = last.of
        last.secondsLeft = 0
        show(last, &state)
      }
      clear(&state)
    }
  }

  /// Says that the work failed or was stopped: nothing more is shown.
  func abandon() {
    state.withLock { state in
      state.hasEnded = true
      clear(&state)
    }
  }

  private static func start(of progress: ExportProgress) -> ExportProgress {
    var start = progress
    start.fraction = 0
    start.frame = 0
    start.framesPerSecond = 0
    start.secondsLeft = nil
    return start
  }

  private func show(_ progress: ExportProgress, _ state: inout State) {
    switch style {
    case .none: break
    case .json: write(Self.json(progress).encoded() + "\n")
    case .bar:
      let line = Self.bar(progress)
      let padding = String(repeating: " ", count: max(0, state.width - line.count))
      write("\r" + line + padding)
      state.width = line.count
    }
  }

  private func clear(_ state: inout State) {
    guard style == .bar, state.width > 0 else { return }
    write("\r" + String(repeating: " ", count: state.width) + "\r")
    state.width = 0
  }

  /// The line of `--progress json`.
  static func json(_ progress: ExportProgress) -> JSONValue {
    [
      "progress": .decimal(progress.fraction, digits: 4),
      "stage": .string(progress.stage),
      "frame": .integer(progress.frame),
      "of": .integer(progress.of),
      "fps": .decimal(progress.framesPerSecond, digits: 1),
      "eta": progress.secondsLeft.map { .decimal(max(0, $0), digits: 1) } ?? .null,
    ]
  }

  /// The bar, at most 79 columns wide.
  static func bar(_ progress: ExportProgress) -> String {
    let width = 24
    let filled = min(width, max(0, Int(progress.fraction * Double(width))))
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    var parts = ["\(progress.stage.prefix(12)) [\(bar)] \(Int(progress.fraction * 100))%"]
    if progress.of > 0 { parts.append("\(progress.frame)/\(progress.of)") }
    if progress.framesPerSecond > 0 {
      parts.append(JSONValue.decimal(progress.framesPerSecond, digits: 0).encoded() + " fps")
    }
    if let seconds = progress.secondsLeft, seconds.isFinite, seconds >= 0, seconds < 360_000 {
      parts.append(clock(Int(seconds.rounded(.up))) + " left")
    }
    return String(parts.joined(separator: "  ").prefix(79))
  }

  private static func clock(_ seconds: Int) -> String {
    let padded = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
    let minutes = "\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
    return seconds < 3600 ? minutes : "\(seconds / 3600):\(minutes)"
  }
}
