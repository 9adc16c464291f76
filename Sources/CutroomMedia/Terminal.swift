import CLibAV
import Glibc

/// The terminal that standard output may be.
package enum Terminal {
  /// How many letters a line of it has; `nil` where standard output is no terminal.
  ///
  /// Wraps `ioctl` with `TIOCGWINSZ`.
  package static var columns: Int? {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}
