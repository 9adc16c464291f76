import CLibAV
import Glibc
import Synchronization

/// The last messages of libav, kept instead of printed.
///
/// libav has one log for the whole process; the capture is installed at first use and stays. Lines
/// are kept per thread, so that an error quotes what its own call said.
package enum LogCapture {
  /// A point in the log, to ask for what came after.
  package struct Mark: Sendable {
    var sequence: UInt64
  }

  private struct Line {
    var sequence: UInt64
    var thread: UInt
    var text: String
    var isError: Bool
  }

  private static let capacity = 200
  private static let sequence = Atomic<UInt64>(0)
  private static let lines = Mutex<[Line]>([])

  private static let installed: Bool = {
    unsafe av_log_set_callback { object, level, format, arguments in
      guard level & 0xff <= AV_LOG_WARNING, let format = unsafe format,
        let arguments = unsafe arguments
      else { return }
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
        guard let base = buffer.baseAddress else { return }
        unsafe buffer.initialize(repeating: 0)
        var prefix: Int32 = 1
        unsafe av_log_format_line2(object, level, format, arguments, base, 1024, &prefix)
        unsafe LogCapture.add(
          String(cString: base), isError: level & 0xff <= AV_LOG_ERROR)
      }
    }
    return true
  }()

  /// The present end of the log; installs the capture.
  package static func mark() -> Mark {
    _ = installed
    return Mark(sequence: sequence.load(ordering: .relaxed))
  }

  /// What libav said on this thread after `mark`, oldest first; of very much only the last part.
  package static func lines(since mark: Mark) -> [String] {
    let thread = pthread_self()
    return lines.withLock { lines in
      lines.filter { $0.sequence > mark.sequence && $0.thread == thread }.map(\.text)
    }
  }

  /// The errors among what libav said on this thread after `mark`.
  package static func errors(since mark: Mark) -> [String] {
    let thread = pthread_self()
    return lines.withLock { lines in
      lines.filter { $0.isError && $0.sequence > mark.sequence && $0.thread == thread }
        .map(\.text)
    }
  }

  private static func add(_ raw: String, isError: Bool) {
    var text = raw
    while text.last?.isWhitespace == true { text.removeLast() }
    guard !text.isEmpty else { return }
    let thread = pthread_self()
    lines.withLock { lines in
      let number = sequence.add(1, ordering: .relaxed).newValue
      if lines.count >= capacity { lines.removeFirst(capacity / 4) }
      lines.append(
        Line(sequence: number, thread: thread, text: withoutAddress(text), isError: isError))
    }
  }

  /// Drops the object's address from `[mov @ 0x7f…]`, which would differ from run to run.
  private static func withoutAddress(_ text: String) -> String {
    guard text.first == "[", let at = text.firstRange(of: " @ 0x"),
      let end = text[at.upperBound...].firstIndex(of: "]")
    else { return text }
    return String(text[..<at.lowerBound]) + withoutAddress(String(text[end...]))
  }
}
