/// The canvas of a composition.
public struct TimelineSettings: Hashable, Sendable {
  /// Frames per second.
  public var frameRate: FrameRate?
  /// Width and height in square pixels.
  public var size: PixelSize?
  /// What shows where nothing is drawn.
  public var background: Color = .black
  /// The colour space.
  public var color: TimelineColor?
  /// Samples per second.
  public var sampleRate: Int?
  /// FFmpeg's name of the channel layout.
  public var channelLayout: String?
  /// The timecode of the first frame.
  public var startTimecode: Timecode?

  /// Settings in which everything is taken from the clips.
  public init() {}
}

/// A size in whole pixels.
public struct PixelSize: Hashable, Sendable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// Creates a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A colour with alpha, eight bits a channel, not premultiplied.
public struct Color: Hashable, Sendable {
  /// Red, 0...255.
  public var red: UInt8
  /// Green, 0...255.
  public var green: UInt8
  /// Blue, 0...255.
  public var blue: UInt8
  /// Opacity, 0...255.
  public var alpha: UInt8

  /// Creates a colour.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Opaque black.
  public static let black = Color(red: 0, green: 0, blue: 0)
  /// Opaque white.
  public static let white = Color(red: 255, green: 255, blue: 255)
}

/// The colour spaces a timeline can have.
public enum TimelineColor: String, Hashable, Sendable, CaseIterable {
  case bt709
  case bt601NTSC = "bt601-525"
  case bt601PAL = "bt601-625"
  case bt2020HLG = "bt2020-hlg"
  case bt2020PQ = "bt2020-pq"

  /// Whether the transfer is HLG or PQ.
  public var isHDR: Bool { self == .bt2020HLG || self == .bt2020PQ }
}
