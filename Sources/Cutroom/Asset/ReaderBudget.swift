import CutroomModel
import Synchronization

/// How many files may be open for their pictures, and how much memory their decoders may hold.
///
/// Shared by all workers of an export. What is being shown is always open; what was shown and may
/// be needed again stays open while there is room.
final class ReaderBudget: Sendable {
  /// The room that one open file takes; it ends with this.
  final class Share: Sendable {
    private let budget: ReaderBudget
    private let bytes: Int

    fileprivate init(_ budget: ReaderBudget, bytes: Int) {
      (self.budget, self.bytes) = (budget, bytes)
      budget.used.withLock { $0 = ($0.files + 1, $0.bytes + bytes) }
    }

    deinit { budget.used.withLock { $0 = ($0.files - 1, $0.bytes - bytes) } }
  }

  private let files: Int
  private let bytes: Int
  private let used = Mutex((files: 0, bytes: 0))

  /// Room for so many files, and for so many bytes of decoded pictures.
  init(files: Int = 64, bytes: Int = 512 << 20) { (self.files, self.bytes) = (files, bytes) }

  /// Takes room for a file with pictures of a size.
  func open(_ size: PixelSize, bitDepth: Int) -> Share {
    Share(self, bytes: Self.bytes(of: size, bitDepth: bitDepth))
  }

  /// Whether more is open than there is room for one more file of that size.
  func lacksRoom(for size: PixelSize = PixelSize(width: 0, height: 0), bitDepth: Int = 8) -> Bool {
    let more = Self.bytes(of: size, bitDepth: bitDepth)
    return used.withLock { $0.files >= files || $0.bytes + more > bytes }
  }

  /// What a decoder holds: the pictures that others refer to, and those waiting for their turn.
  private static func bytes(of size: PixelSize, bitDepth: Int) -> Int {
    8 * size.width * size.height * 3 / 2 * (bitDepth > 8 ? 2 : 1)
  }
}
