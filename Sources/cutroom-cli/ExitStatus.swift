/// How a run of the program ended, as its exit status says it.
enum ExitStatus: Int32, Sendable {
  /// What was asked for is done.
  case done = 0
  /// Reading, decoding, encoding or writing failed.
  case failed = 1
  /// The command line or the composition is invalid.
  case invalid = 2
  /// The comparison found a difference.
  case differs = 3
  /// A signal ended it.
  case interrupted = 130
}
