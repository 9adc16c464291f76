import CutroomModel
import Foundation
import Synchronization

/// Makes a source ready for its first picture, on a thread of its own.
///
/// Opening a file, seeking in it and decoding up to a picture takes as long as drawing many; who
/// draws goes on meanwhile.
final class Preroll: Sendable {
  private let result = Mutex<Result<FilePictures, CutroomError>?>(nil)
  // Guards waiting: `result` changes only while it is locked.
  private let changed = NSCondition()

  /// Begins: `open` gives the pictures, of which the one at `time` is decoded.
  init(at time: Rational, _ open: @escaping @Sendable () throws(CutroomError) -> FilePictures) {
    let thread = Thread { [self] in
      let outcome: Result<FilePictures, CutroomError>
      do throws(CutroomError) {
        let pictures = try open()
        // What is wrong with the picture is said when it is asked for.
        _ = try? pictures.picture(at: time)
        outcome = .success(pictures)
      } catch {
        outcome = .failure(error)
      }
      changed.lock()
      result.withLock { $0 = outcome }
      changed.broadcast()
      changed.unlock()
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// The pictures, once they are ready; from then on they are the caller's.
  func pictures() throws(CutroomError) -> FilePictures {
    changed.lock()
    defer { changed.unlock() }
    while true {
      if let outcome = result.withLock({ $0 }) { return try outcome.get() }
      changed.wait()
    }
  }
}
