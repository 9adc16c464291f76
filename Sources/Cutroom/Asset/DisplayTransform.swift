import CutroomModel

/// How a picture is turned for display: mirrored left to right or not, then turned clockwise.
struct DisplayTransform: Hashable {
  /// 0, 90, 180 or 270 degrees clockwise.
  var rotation = 0
  var isFlipped = false

  var isIdentity: Bool { self == DisplayTransform() }

  init(rotation: Int = 0, isFlipped: Bool = false) {
    self.rotation = rotation
    self.isFlipped = isFlipped
  }

  /// Reads the linear part of a display matrix; a degenerate matrix is the identity.
  ///
  /// A point (x, y), with y down, goes to (a·x + c·y, b·x + d·y). An angle between two right
  /// ones counts as the nearer.
  init(matrix: [Int32]) {
    guard matrix.count == 9 else { return }
    var (a, b) = (Int64(matrix[0]), Int64(matrix[1]))
    let (c, d) = (Int64(matrix[3]), Int64(matrix[4]))
    let determinant = Int128(a) * Int128(d) - Int128(b) * Int128(c)
    let largest = max(abs(a), abs(b), abs(c), abs(d))
    // A turn by a right angle has two entries of one size; less than a tenth of that is no picture.
    guard largest > 0, determinant.magnitude * 10 >= (Int128(largest) * Int128(largest)).magnitude
    else { return }
    isFlipped = determinant < 0
    if isFlipped { (a, b) = (-a, -b) }
    rotation = abs(a) >= abs(b) ? (a > 0 ? 0 : 180) : (b > 0 ? 90 : 270)
  }

  /// The orientation of an EXIF tag, 1...8; others are the identity.
  init(exifOrientation: Int) {
    let all: [(Int, Bool)] = [
      (0, false), (0, true), (180, false), (180, true), (270, true), (90, false), (90, true),
      (270, false),
    ]
    guard (1...8).contains(exifOrientation) else { return }
    (rotation, isFlipped) = all[exifOrientation - 1]
  }

  /// The size in square pixels of a picture of `size` whose pixels have `aspect`.
  func displaySize(of size: PixelSize, aspect: Rational) -> PixelSize {
    let width = Int64(clamping: (Rational(size.width) * aspect).rounded)
    let square = PixelSize(width: max(1, Int(width)), height: size.height)
    guard rotation == 90 || rotation == 270 else { return square }
    return PixelSize(width: square.height, height: square.width)
  }
}
