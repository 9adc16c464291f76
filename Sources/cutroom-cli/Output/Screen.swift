import Cutroom
import Foundation

/// What standard output is written on.
struct Screen: Sendable {
  /// How many letters a line has.
  var columns = 100
  /// Whether it shows colours.
  var usesColor = false

  /// The process's standard output.
  ///
  /// The variable `COLUMNS` comes before the terminal's size; colours need a terminal, and none are
  /// used where `NO_COLOR` is set or `TERM` is `dumb`.
  static var standardOutput: Screen {
    let environment = ProcessInfo.processInfo.environment
    var screen = Screen()
    let isTerminal = isatty(STDOUT_FILENO) == 1
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
      screen.columns = columns
    } else if isTerminal, let columns = TerminalSize.columns {
      screen.columns = columns
    }
    screen.usesColor =
      isTerminal && environment["TERM"] != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty
    return screen
  }
}
