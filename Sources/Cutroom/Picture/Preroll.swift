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

  /// Begins to bring `known` pictures, or those that `open` gives, to the one at `time`.
  init(
    _ known: FilePictures?, at time: Rational,
    _ open: @escaping @Sendable () throws(CutroomError) -> FilePictures
  ) {
    let thread = Thread { [self] in
      let outcome: Result<FilePictures, CutroomError>
      do throws(CutroomError) {
        outcome = .success(try Self.ready(known, at: time, open))
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

  private static func ready(
    _ known: FilePictures?, at time: Rational, _ open: () throws(CutroomError) -> FilePictures
  ) throws(CutroomError) -> FilePictures {
    do throws(CutroomError) {
      let pictures = if let known { known } else { try open() }
      _ = try pictures.picture(at: time)
      return pictures
    } catch {
      // A reader that has failed may go on behind the damage: another one fails where it is asked.
      return try open()
    }
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
