import Foundation
import Synchronization

@testable import cutroom_cli

/// A console whose output is kept.
final class CapturedConsole: Sendable {
  private let texts = Mutex((results: "", messages: ""))

  /// What was written to standard output.
  var results: String { texts.withLock { $0.results } }
  /// What was written to standard error.
  var messages: String { texts.withLock { $0.messages } }

  /// The console.
  var console: Console {
    Console { [self] stream, text in
      texts.withLock {
        if stream == .results { $0.results += text } else { $0.messages += text }
      }
    }
  }

  /// Runs a command line and returns its exit status.
  func run(_ arguments: [String]) -> Int32 {
    Program(console: console, interruption: Interruption {}).run(arguments).rawValue
  }

  /// The JSON document on standard output.
  func document() throws -> [String: Any]? {
    try JSONSerialization.jsonObject(with: Data(results.utf8)) as? [String: Any]
  }
}
