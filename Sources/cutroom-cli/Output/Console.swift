import Foundation
import Synchronization

/// The two streams that a command writes to: results and messages.
///
/// A reader that went away (`| head`) is not an error; any other failed write of results is
/// remembered, so that a run whose results were lost does not end as if all were well.
final class Console: Sendable {
  /// Where text goes.
  enum Stream: Sendable { case results, messages }

  private let write: @Sendable (Stream, String) throws -> Void
  private let results = Mutex((hasBegun: false, isLost: false))

  /// Creates a console that writes through `write`.
  init(write: @escaping @Sendable (Stream, String) throws -> Void) { self.write = write }

  /// The process's standard output and standard error.
  static let standard = Console { stream, text in
    let handle = stream == .results ? FileHandle.standardOutput : FileHandle.standardError
    try handle.write(contentsOf: Data(text.utf8))
  }

  /// Whether standard error is a terminal that can redraw a line.
  static var standardErrorIsTerminal: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Whether results could not be written.
  var hasLostResults: Bool { results.withLock { $0.isLost } }

  /// Writes a result; a line end is added where one is missing.
  func result(_ text: String) {
    guard !text.isEmpty else { return }
    results.withLock { $0.hasBegun = true }
    do {
      try write(.results, text.hasSuffix("\n") ? text : text + "\n")
    } catch  where Self.isClosedPipe(error) {
      // Whoever read our output has seen enough.
    } catch {
      results.withLock { $0.isLost = true }
      message("cutroom: error[output.stdout]: cannot write the results: \(Self.reason(error))")
    }
  }

  /// Writes a result unless one was written or is being written.
  func resultIfNone(_ text: String) {
    let isFirst = results.withLock { results in
      defer { results.hasBegun = true }
      return !results.hasBegun
    }
    if isFirst { result(text) }
  }

  /// Writes a message; a line end is added where one is missing.
  func message(_ text: String) {
    guard !text.isEmpty else { return }
    raw(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Writes to the messages as is, for lines that are redrawn.
  func raw(_ text: String) {
    do {
      try write(.messages, text)
    } catch {
      // There is no other place left to report to.
    }
  }

  private static func isClosedPipe(_ error: any Error) -> Bool {
    if let error = error as? POSIXError { return error.code == .EPIPE }
    let underlying =
      (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
    return underlying.domain == NSPOSIXErrorDomain && underlying.code == Int(EPIPE)
  }

  private static func reason(_ error: any Error) -> String {
    let underlying =
      (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
    return underlying.localizedDescription
  }
}
