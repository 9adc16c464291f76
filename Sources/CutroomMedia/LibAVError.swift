import CLibAV

/// A failed call into libav: what was tried, the code, its text, and what libav said meanwhile.
package struct LibAVError: Error, Sendable, CustomStringConvertible {
  /// The status that libav returned, an `AVERROR` value.
  package var code: Int32
  /// What was tried, in our words: "open 'a.mp4'".
  package var action: String
  /// The text for the code.
  package var reason: String
  /// The messages that libav logged during the call, oldest first.
  package var log: [String]

  package init(code: Int32, action: String, reason: String? = nil, log: [String] = []) {
    self.code = code
    self.action = action
    self.reason = reason ?? Self.text(of: code)
    self.log = log
  }

  package var description: String {
    let last = log.last.map { "; last message: \($0)" } ?? ""
    return "cannot \(action): \(reason)\(last)"
  }

  /// The system's error number, where the code is one (`ENOSPC` for a full disk).
  package var systemErrorNumber: Int32? {
    code < 0 && code > -4096 ? -code : nil
  }

  /// Whether the caller's cancellation ended the call.
  package var isCancelled: Bool { code == CLIBAV_EXIT }

  /// Whether the bytes, not the caller, are at fault.
  package var isInvalidData: Bool { code == CLIBAV_INVALIDDATA }

  /// Whether memory ran out.
  package var isOutOfMemory: Bool { code == CLIBAV_ENOMEM }

  /// An error that libav did not report itself: wrong arguments found by us.
  static func invalid(_ action: String, _ reason: String) -> LibAVError {
    LibAVError(code: CLIBAV_EINVAL, action: action, reason: reason)
  }

  /// An allocation that failed.
  static func outOfMemory(_ action: String) -> LibAVError {
    LibAVError(code: CLIBAV_ENOMEM, action: action)
  }

  private static func text(of code: Int32) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      unsafe buffer.initialize(repeating: 0)
      guard let base = buffer.baseAddress else { return "error \(code)" }
      unsafe av_strerror(code, base, 256)
      return unsafe String(cString: base)
    }
  }
}

/// Makes the call, and throws its status if it is an error.
///
/// The status is an autoclosure so that libav's messages during the call can be kept with the error.
@discardableResult
func check(
  _ status: @autoclosure () -> Int32, _ action: @autoclosure () -> String
) throws(LibAVError) -> Int32 {
  let mark = LogCapture.mark()
  let status = status()
  guard status < 0 else { return status }
  throw LibAVError(code: status, action: action(), log: LogCapture.lines(since: mark))
}

/// Makes the call; the end of the data and "not now" are answers, other errors are thrown.
func answer(
  _ status: @autoclosure () -> Int32, _ action: @autoclosure () -> String
) throws(LibAVError) -> Readiness {
  let mark = LogCapture.mark()
  let status = status()
  if status >= 0 { return .done }
  if status == CLIBAV_EOF { return .ended }
  if status == CLIBAV_EAGAIN { return .later }
  throw LibAVError(code: status, action: action(), log: LogCapture.lines(since: mark))
}

/// What a call said that may be not ready yet.
enum Readiness {
  case done, later, ended
}

/// What a stage of a pipeline gives when asked for its next value.
package enum Answer<Value> {
  /// The next value.
  case value(Value)
  /// Nothing until more input was given.
  case needsInput
  /// Nothing any more.
  case ended
}

extension Answer: Sendable where Value: Sendable {}

extension Int64 {
  /// This time, or `nil` where it stands for "unknown".
  var known: Int64? { self == CLIBAV_NOPTS ? nil : self }
}

extension Optional where Wrapped == Int64 {
  /// This time as libav writes it.
  var orUnknown: Int64 { self ?? CLIBAV_NOPTS }
}

/// The text at `pointer`, with bytes that are not UTF-8 replaced.
func text(_ pointer: UnsafePointer<CChar>?) -> String? {
  guard let pointer = unsafe pointer else { return nil }
  return unsafe String(cString: pointer)
}
