/// How a clip's picture is placed on the canvas, and what is done to it.
public struct PictureSettings: Hashable, Sendable {
  /// How the source's display size becomes a size on the canvas.
  public enum Fit: String, Hashable, Sendable, CaseIterable {
    case contain, cover, stretch, none
  }

  /// How it is mixed with what lies below.
  public enum Blend: String, Hashable, Sendable, CaseIterable {
    case normal, multiply, screen, overlay, add
  }

  /// Whether interlaced pictures are made whole.
  public enum Deinterlace: String, Hashable, Sendable, CaseIterable {
    /// Those that are marked as interlaced.
    case auto
    case always, never
  }

  /// How it is fitted; `nil` means `contain`, for text `none`.
  public var fit: Fit?
  /// Where its anchor lies, in canvas pixels from the top left; `nil` for the centre.
  public var position: Animated<Point>?
  /// The point of the picture that lies at ``position``, in fractions of its width and height.
  public var anchor = Point(x: Rational(1, 2), y: Rational(1, 2))
  /// A factor on the fitted size, above 0.
  public var scale: Animated<Rational> = 1
  /// Degrees clockwise, about the anchor.
  public var rotation: Animated<Rational> = 0
  /// 0 (invisible) to 1.
  public var opacity: Animated<Rational> = 1
  /// What is cut off at the sides.
  public var crop: Animated<Crop> = .constant(.none)
  /// How it is mixed with what lies below.
  public var blend: Blend = .normal
  /// libavfilter's filters, in order.
  public var filters: [FilterSetting] = []
  /// Whether interlaced pictures are made whole; `nil` leaves them as they are.
  public var deinterlace: Deinterlace?

  /// A picture fitted into the canvas.
  public init() {}

  /// A point, exact.
  public struct Point: Hashable, Sendable {
    /// From the left.
    public var x: Rational
    /// From the top.
    public var y: Rational

    /// Creates a point.
    public init(x: Rational, y: Rational) {
      self.x = x
      self.y = y
    }
  }

  /// What is cut off at the sides, in the source's display pixels.
  public struct Crop: Hashable, Sendable {
    /// From the left.
    public var left: Rational = 0
    /// From the top.
    public var top: Rational = 0
    /// From the right.
    public var right: Rational = 0
    /// From the bottom.
    public var bottom: Rational = 0

    /// Creates a crop.
    public init(left: Rational = 0, top: Rational = 0, right: Rational = 0, bottom: Rational = 0) {
      self.left = left
      self.top = top
      self.right = right
      self.bottom = bottom
    }

    /// Nothing is cut off.
    public static let none = Crop()
  }
}

/// A filter of libavfilter with its options.
public struct FilterSetting: Hashable, Sendable {
  /// The filter's name.
  public var name: String
  /// Its options, in the file's order.
  public var options: [CodecOption]

  /// Creates a filter.
  public init(name: String, options: [CodecOption] = []) {
    self.name = name
    self.options = options
  }
}
