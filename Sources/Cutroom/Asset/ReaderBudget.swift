import CutroomMedia
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

  /// Takes room for a file whose pictures have a size in bytes.
  func open(pictureBytes: Int) -> Share { Share(self, bytes: Self.held * pictureBytes) }

  /// Whether there is no room for one more file with pictures of that size.
  func lacksRoom(pictureBytes: Int = 0) -> Bool {
    used.withLock { $0.files >= files || $0.bytes + Self.held * pictureBytes > bytes }
  }

  /// The pictures that a decoder holds: those that others refer to, and those waiting for their
  /// turn.
  private static let held = 8
}

extension PixelSize {
  /// The bytes of a picture of this size, with half as much chroma as luma.
  func pictureBytes(bitDepth: Int = 8) -> Int { width * height * 3 / 2 * (bitDepth > 8 ? 2 : 1) }
}

extension AssetTrack {
  /// The bytes of a decoded picture; 0 where nothing is known of it.
  var pictureBytes: Int {
    guard let picture else { return 0 }
    let depth = picture.pixelFormat.flatMap { PixelFormat(name: $0) }?.bitDepth ?? 8
    return picture.size.pictureBytes(bitDepth: depth)
  }
}
