import CutroomModel

/// What the resolver knows of a source: its ends, and what a timeline takes from it.
struct ResolvedSource {
  /// A picture or sound stream of a source.
  struct Stream {
    /// Source time of its first frame or sample.
    var start: Rational = .zero
    /// End of its last frame or sample; `nil` for a stream without end.
    var end: Rational?
    /// A time at which its last picture is shown; `nil` for a stream without end, and for sound.
    var lastPicture: Rational?
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
  /// Its subtitles, if it has any.
  var subtitle: Stream?
  /// Its own timeline, where it is a composition.
  var timeline: Timeline?
  /// The size that a timeline takes from it.
  var size: PixelSize?
  /// FFmpeg's name of the pixel format of its pictures, where it is known.
  var pixelFormat: String?
  /// Whether nothing shows through its pictures, whatever the pixel format.
  var isOpaque = false
  /// The rate that a timeline takes from it.
  var frameRate: FrameRate?
  /// Where its frames begin, where a time between two of them can be told.
  var grid: SourceGrid?
  /// The colour space that a timeline takes from it; `nil` where it goes with any.
  var color: TimelineColor?
  /// The sample rate that a timeline takes from it.
  var sampleRate: Int?
  /// The channel layout that a timeline takes from it.
  var channelLayout: String?
  /// The layout of a generator's sound, which a timeline does not take from it.
  var generatorLayout: String?
  /// The average of a variable frame rate.
  var variableRate: Rational?
  /// FFmpeg's names of what its picture and its sound are coded in, where it is a file.
  var pictureCodec: String?
  var soundCodec: String?
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
      pixelFormat = properties.pixelFormat
      pictureCodec = video.codec
      color = Self.color(of: properties, isStill: asset.isStill)
      if !asset.isStill {
        picture?.lastPicture = Self.lastPicture(of: video, properties)
        frameRate = properties.nominalFrameRate ?? properties.frameRate.flatMap { FrameRate($0) }
        grid = SourceGrid(properties, tick: video.timeBase)
        if properties.isVariableFrameRate { variableRate = properties.frameRate }
      }
    }
    if asset.subtitles != nil, let track = asset.track(.subtitle) {
      // Lines are drawn on a picture of the canvas's size.
      picture = Stream(end: asset.duration, lastPicture: asset.duration - track.timeBase)
      pixelFormat = "rgba"
    }
    if let track = asset.tracks.first(where: { $0.kind == .subtitle }) {
      let end = max(track.end, asset.duration)
      subtitle = Stream(start: track.start, end: end > .zero ? end : nil)
    }
    if let audio, let properties = audio.sound, !asset.isStill {
      sound = Stream(start: audio.start, end: audio.end)
      soundCodec = audio.codec
      sampleRate = properties.sampleRate
      channelLayout = properties.channelLayout
    }
  }

  /// The start of the last picture; where timestamps are rounded or irregular, a time in it.
  private static func lastPicture(
    of track: AssetTrack, _ picture: AssetTrack.Picture
  ) -> Rational {
    guard let rate = picture.frameRate, !picture.isVariableFrameRate, picture.roundedGrid == nil
    else { return max(track.start, track.end - track.timeBase) }
    return lastPicture(from: track.start, to: track.end, rate: rate)
  }

  /// The start of the last picture of `rate` a second before `end`.
  static func lastPicture(from start: Rational, to end: Rational, rate: Rational) -> Rational {
    let count = ((end - start) * rate).ceiling
    return start + Rational(max(0, count - 1)) / rate
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
