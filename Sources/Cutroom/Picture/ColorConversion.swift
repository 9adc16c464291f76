import CutroomMedia
import CutroomModel

extension TimelineColor {
  /// The tags of pictures in this colour space, limited range.
  var tags: ColorTags {
    var tags = ColorTags()
    tags.range = "tv"
    switch self {
    case .bt709: (tags.primaries, tags.transfer, tags.matrix) = ("bt709", "bt709", "bt709")
    case .bt601NTSC:
      (tags.primaries, tags.transfer, tags.matrix) = ("smpte170m", "smpte170m", "smpte170m")
    case .bt601PAL:
      (tags.primaries, tags.transfer, tags.matrix) = ("bt470bg", "bt709", "bt470bg")
    case .bt2020HLG:
      (tags.primaries, tags.transfer, tags.matrix) = ("bt2020", "arib-std-b67", "bt2020nc")
    case .bt2020PQ:
      (tags.primaries, tags.transfer, tags.matrix) = ("bt2020", "smpte2084", "bt2020nc")
    }
    return tags
  }

  /// The `scale` filter's name of the matrix.
  var scaleMatrix: String {
    switch self {
    case .bt709: "bt709"
    case .bt601NTSC, .bt601PAL: "smpte170m"
    case .bt2020HLG, .bt2020PQ: "bt2020"
    }
  }
}

extension TimelineColor {
  /// The shares of red and blue in luma.
  var lumaShares: LumaShares {
    switch self {
    case .bt709: LumaShares(red: 0.2126, blue: 0.0722)
    case .bt601NTSC, .bt601PAL: LumaShares(red: 0.299, blue: 0.114)
    case .bt2020HLG, .bt2020PQ: LumaShares(red: 0.2627, blue: 0.0593)
    }
  }
}

extension PixelSize {
  /// Whether pictures of this size count as BT.601 where they state nothing.
  var isStandardDefinition: Bool { height <= 576 && width <= 1024 }
}

/// How coded values of a picture are read.
struct CodedColor: Hashable {
  /// The `scale` filter's name of the matrix; untagged pictures count as BT.601 up to the size
  /// of standard definition, else as BT.709.
  var matrix: String
  /// Whether black is 0 rather than 16.
  var isFullRange: Bool

  /// Values as stated.
  init(matrix: String, isFullRange: Bool) {
    self.matrix = matrix
    self.isFullRange = isFullRange
  }

  /// Reads a frame's tags.
  init(_ frame: Frame) {
    let tags = frame.colorTags
    let format = frame.format
    switch tags.matrix {
    case "bt709": matrix = "bt709"
    case "smpte170m", "bt470bg", "fcc": matrix = "smpte170m"
    case "smpte240m": matrix = "smpte240m"
    case "bt2020nc", "bt2020c": matrix = "bt2020"
    default:
      let isSD = PixelSize(width: frame.width, height: frame.height).isStandardDefinition
      matrix = isSD && tags.primaries != "bt709" ? "smpte170m" : "bt709"
    }
    let isJPEG = format?.name.hasPrefix("yuvj") ?? false
    isFullRange = tags.range == "pc" || isJPEG || format?.isRGB ?? false
  }
}
