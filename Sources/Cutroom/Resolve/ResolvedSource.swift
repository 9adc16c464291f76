import CutroomModel

/// What the resolver knows of a source: its ends, and what a timeline takes from it.
struct ResolvedSource {
  /// A picture or sound stream of a source.
  struct Stream {
    /// Source time of its first frame or sample.
    var start: Rational = .zero
    /// End of its last frame or sample; `nil` for a stream without end.
    var end: Rational?
    /// Whether it shows the same at every time, also before 0: a still, a colour, lettering.
    var isConstant = false
  }

  /// Its index in the timeline's sources.
  var index: Int
  /// The id or path that clips name it by.
  var id: String
  /// The JSON pointer at which it is declared, or first named.
  var pointer: String
  /// Its picture, if it has one.
  var picture: Stream?
  /// Its sound, if it has any.
  var sound: Stream?
  /// The size that a timeline takes from it.
  var size: PixelSize?
  /// The rate that a timeline takes from it.
  var frameRate: FrameRate?
  /// Its frames' exact rate, where a time between two of them can be told.
  var gridRate: FrameRate?
  /// The colour space that a timeline takes from it; `nil` where it goes with any.
  var color: TimelineColor?
  /// The sample rate that a timeline takes from it.
  var sampleRate: Int?
  /// The channel layout that a timeline takes from it.
  var channelLayout: String?
  /// The average of a variable frame rate.
  var variableRate: Rational?
  /// The chapters of a file.
  var chapters: [AssetChapter] = []
  /// Whether it could not be examined, so that nothing is known of it.
  var isFailed = false
}

extension ResolvedSource {
  /// Takes over what `asset` says about the chosen tracks.
  mutating func describe(_ asset: AssetInfo, video: AssetTrack?, audio: AssetTrack?) {
    chapters = asset.chapters
    if let video, let properties = video.picture {
      picture = Stream(
        start: video.start, end: asset.isStill ? nil : video.end, isConstant: asset.isStill)
      size = properties.displaySize
      color = Self.color(of: properties, isStill: asset.isStill)
      if !asset.isStill {
        frameRate = properties.nominalFrameRate ?? properties.frameRate.flatMap { FrameRate($0) }
        if properties.isVariableFrameRate {
          variableRate = properties.frameRate
        } else {
          gridRate = frameRate
        }
      }
    }
    if let audio, let properties = audio.sound, !asset.isStill {
      sound = Stream(start: audio.start, end: audio.end)
      sampleRate = properties.sampleRate
      channelLayout = properties.channelLayout
    }
  }

  private static func color(of picture: AssetTrack.Picture, isStill: Bool) -> TimelineColor {
    switch picture.hdr {
    case .hlg: return .bt2020HLG
    case .pq: return .bt2020PQ
    case nil: break
    }
    guard !isStill, picture.size.isStandardDefinition else { return .bt709 }
    // As the pictures are read, so that they keep their values on a canvas of their own.
    switch picture.colorMatrix ?? picture.colorPrimaries {
    case "smpte170m", "smpte240m", "fcc": return .bt601NTSC
    case "bt470bg": return .bt601PAL
    case nil:
      let rate = picture.frameRate ?? 0
      return [25, 50].contains(rate) ? .bt601PAL : .bt601NTSC
    default: return .bt709
    }
  }
}
