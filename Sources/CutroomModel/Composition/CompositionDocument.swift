/// A composition as its author wrote it, after syntax and shape were checked: format.md, version 1.
///
/// Absent keys are `nil`; defaults are made explicit by resolving. Positions in the file are not
/// part of the value: they are looked up by JSON pointer in the text it was read from.
public struct CompositionDocument: Hashable, Sendable {
  /// The program's name.
  public var name: String?
  /// The canvas; what is absent is taken from the first picture and the first sound clip.
  public var timeline = TimelineSettings()
  /// The named sources, in the file's order.
  public var sources: [NamedSource] = []
  /// The tracks, bottom to top.
  public var tracks: [DocumentTrack] = []
  /// Editing operations on the laid-out tracks, in order.
  public var edits: [DocumentEdit] = []
  /// What to do with chapters.
  public var chapters: ChapterPolicy = .keep
  /// The metadata of the result.
  public var metadata = MetadataSettings()
  /// How the sum of all sound is treated.
  public var sound = SoundPolicy()
  /// How to export.
  public var export = ExportSettings()

  /// An empty composition.
  public init() {}
}

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

/// A source with the id that clips use.
public struct NamedSource: Hashable, Sendable {
  /// The key in `sources`.
  public var id: String
  /// What it is.
  public var source: SourceDescription

  /// Creates a named source.
  public init(id: String, source: SourceDescription) {
    self.id = id
    self.source = source
  }
}

/// Where pictures and sound come from.
public enum SourceDescription: Hashable, Sendable {
  /// A media file or still; the path as written.
  case file(path: String, video: StreamChoice?, audio: StreamChoice?)
  /// A picture of one colour without an end.
  case color(Color)
  /// A libavfilter source such as `smptehdbars` or `sine=frequency=1000`.
  case generator(GeneratorSource)
  /// Lettering without an end.
  case text(TextSource)
  /// Another composition file.
  case composition(path: String)
}

/// One stream of several of a kind.
public enum StreamChoice: Hashable, Sendable {
  /// The index among the streams of its kind.
  case index(Int)
  /// The first stream with this language.
  case language(String)
}

/// A libavfilter source filter.
public struct GeneratorSource: Hashable, Sendable {
  /// The filter and its options as written: `name=option=value:option=value`.
  public var filter: String
  /// The picture's size; `nil` for sound.
  public var size: PixelSize?
  /// The picture's rate.
  public var frameRate: FrameRate?
  /// How long it lasts; `nil` for no end.
  public var duration: TimeExpression?

  /// Creates a generator.
  public init(
    filter: String, size: PixelSize? = nil, frameRate: FrameRate? = nil,
    duration: TimeExpression? = nil
  ) {
    self.filter = filter
    self.size = size
    self.frameRate = frameRate
    self.duration = duration
  }
}

/// Lettering, shaped and drawn by libass.
public struct TextSource: Hashable, Sendable {
  /// How lines lie to each other.
  public enum Alignment: String, Hashable, Sendable, CaseIterable {
    case left, center, right
  }

  /// The text; newlines start new lines.
  public var text: String
  /// The font's family name.
  public var font: String = "DejaVu Sans"
  /// The font size in timeline pixels.
  public var size: Rational = 48
  /// The letters' colour.
  public var color: Color = .white
  /// How lines lie to each other.
  public var align: Alignment = .center
  /// The colour of a box behind the letters.
  public var box: Color?

  /// Creates lettering with the default look.
  public init(text: String) { self.text = text }
}

/// A track as written.
public struct DocumentTrack: Hashable, Sendable {
  /// What a track carries.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case av, video, audio, subtitle
  }

  /// The id that edits and reports use.
  public var id: String?
  /// What it carries.
  public var kind: Kind = .av
  /// A name for people.
  public var name: String?
  /// An ISO 639-2 or BCP 47 language.
  public var language: String?
  /// Whether it takes part.
  public var isEnabled = true
  /// The factor on all its sound; 1 when absent.
  public var gain: Gain = .unity
  /// The factor on all its opacity, 0...1.
  public var opacity: Rational = 1
  /// Clips, gaps and transitions in order.
  public var items: [TrackItem] = []

  /// An empty track.
  public init() {}
}

/// What lies on a track.
///
/// Its JSON pointer is `/tracks/T/clips/I`.
public enum TrackItem: Hashable, Sendable {
  case clip(Clip)
  case transition(TransitionItem)
  /// Nothing, for a while.
  case gap(TimeExpression, at: TimeExpression?)
}

/// A stretch of a source on a track.
public struct Clip: Hashable, Sendable {
  /// An id of `sources`, else a path.
  public var source: String
  /// Start of the source range.
  public var `in`: TimeExpression?
  /// End of the source range, which is not part of it.
  public var out: TimeExpression?
  /// Length of the source range.
  public var duration: TimeExpression?
  /// Place on the timeline.
  public var at: TimeExpression?
  /// A name for people and for chapters.
  public var name: String?
  /// Whether it takes part; a disabled clip leaves its place empty.
  public var isEnabled = true
  /// Picture settings; `nil` for `"video": false`.
  public var picture: PictureSettings? = PictureSettings()
  /// Sound settings; `nil` for `"audio": false`.
  public var sound: SoundSettings? = SoundSettings()

  /// The whole of a source.
  public init(source: String) { self.source = source }
}

/// How a clip's picture is placed on the canvas.
public struct PictureSettings: Hashable, Sendable {
  /// How the source's display size becomes a size on the canvas.
  public enum Fit: String, Hashable, Sendable, CaseIterable {
    case contain, cover, stretch, none
  }

  /// How it is fitted; `nil` means `contain`, for text `none`.
  public var fit: Fit?
  /// Where the picture's centre lies, in canvas pixels from the top left; `nil` for the centre.
  public var position: Point?
  /// A factor on the fitted size, above 0.
  public var scale: Rational = 1
  /// 0 (invisible) to 1.
  public var opacity: Rational = 1

  /// A picture fitted into the canvas.
  public init() {}

  /// A point in canvas pixels, exact.
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
}

/// How a clip sounds.
public struct SoundSettings: Hashable, Sendable {
  /// The factor on its samples.
  public var gain: Gain = .unity
  /// The length of a fade from silence at its start.
  public var fadeIn: TimeExpression?
  /// The length of a fade to silence at its end.
  public var fadeOut: TimeExpression?
  /// The shape of both fades.
  public var curve: FadeCurve = .linear

  /// Sound as it is.
  public init() {}
}

/// The shape of a fade.
public enum FadeCurve: String, Hashable, Sendable, CaseIterable {
  /// The gain is the fraction of the way.
  case linear
  /// The gain is the sine of a quarter turn: the power of two crossing fades is constant.
  case equalPower
  /// No fade: a cut in the middle of the span.
  case cut
}

/// A gain, kept as written so that a document round-trips.
public enum Gain: Hashable, Sendable {
  /// A factor, 0 or more.
  case factor(Rational)
  /// Decibels; 20·log10 of the factor.
  case decibels(Rational)

  /// The factor 1.
  public static let unity = Gain.factor(1)
}

/// A transition between the clips before and after it.
public struct TransitionItem: Hashable, Sendable {
  /// Where the span lies relative to the cut.
  public enum Alignment: String, Hashable, Sendable, CaseIterable {
    case center, start, end
  }

  /// `dissolve`, or another name of the format.
  public var name: String
  /// The length of the span.
  public var duration: TimeExpression
  /// Where the span lies.
  public var alignment: Alignment = .center
  /// Whether the second clip is pulled to the front instead of using handles.
  public var isOverlapping = false
  /// The shape of the sound's cross-fade.
  public var sound: FadeCurve = .equalPower

  /// Creates a transition.
  public init(name: String, duration: TimeExpression) {
    self.name = name
    self.duration = duration
  }
}

/// What becomes chapters.
public enum ChapterPolicy: Hashable, Sendable {
  /// The sources' chapters, mapped through the edit.
  case keep
  /// One per clip, by its name.
  case clips
  /// As listed.
  case list([ChapterMark])
}

/// The start of a chapter.
public struct ChapterMark: Hashable, Sendable {
  /// When it starts.
  public var at: TimeExpression
  /// What it is called.
  public var title: String

  /// Creates a mark.
  public init(at: TimeExpression, title: String) {
    self.at = at
    self.title = title
  }
}

/// What metadata the result carries.
public struct MetadataSettings: Hashable, Sendable {
  /// What is taken over from sources.
  public enum Inheritance: Hashable, Sendable {
    case all, none, sharing
    /// From this source only.
    case from(String)
  }

  /// What becomes of dates.
  public enum Dates: Hashable, Sendable {
    case keep, shift, drop
    /// Set to this ISO 8601 date.
    case set(String)
  }

  /// What is taken over from sources.
  public var inherit: Inheritance = .all
  /// What becomes of dates.
  public var dates: Dates = .keep
  /// Items by common key or identifier, in the file's order.
  public var items: [Item] = []
  /// Keys that are not taken over.
  public var remove: [String] = []

  /// One given item.
  public struct Item: Hashable, Sendable {
    /// A common key such as `title`, or `keySpace/key`.
    public var key: String
    /// Its value.
    public var value: Value

    /// Creates an item.
    public init(key: String, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// The value of a given item.
  public enum Value: Hashable, Sendable {
    /// One or several texts; numbers and booleans are given in their JSON spelling.
    case texts([String])
    /// Pictures from files; paths as written.
    case files([String])
  }

  /// Everything is kept.
  public init() {}
}

/// The treatment of the sum of all sound.
public struct SoundPolicy: Hashable, Sendable {
  /// What happens to samples beyond full scale.
  public enum Peak: String, Hashable, Sendable, CaseIterable {
    case limit, clip, error
  }

  /// The fade at hard cuts where the sound jumps; zero turns it off; `nil` means 2 ms.
  public var declick: TimeExpression?
  /// What happens to samples beyond full scale.
  public var peak: Peak = .limit

  /// The default treatment.
  public init() {}
}

/// How a composition is exported.
public struct ExportSettings: Hashable, Sendable {
  /// Whether samples are copied.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    case auto, passthrough, render
  }

  /// Where copied stretches may begin and end.
  public enum Cut: String, Hashable, Sendable, CaseIterable {
    case exact, keyframe, editList
  }

  /// What to do about a source that does not decode.
  public enum Damage: String, Hashable, Sendable, CaseIterable {
    case error, conceal
  }

  /// The container; `nil` takes it from the output's extension.
  public var container: String?
  /// Whether samples are copied.
  public var mode: Mode = .auto
  /// Where copied stretches may begin.
  public var cut: Cut = .exact
  /// The part of the timeline; `nil` is all of it.
  public var range: ExportRange?
  /// The picture; absent settings are the container's defaults.
  public var video: StreamExport<VideoExport> = .settings(VideoExport())
  /// The sound.
  public var audio: StreamExport<AudioExport> = .settings(AudioExport())
  /// Whether `moov` stands in front.
  public var optimizesForNetworkUse = true
  /// What to do about a source that does not decode.
  public var damaged: Damage = .error

  /// Everything by default.
  public init() {}
}

/// A stream that is left out, or how it is made.
public enum StreamExport<Settings: Hashable & Sendable>: Hashable, Sendable {
  /// `false`: no such stream.
  case none
  /// Made with these settings.
  case settings(Settings)
}

/// A part of the timeline, with either end open.
public struct ExportRange: Hashable, Sendable {
  /// Its start; `nil` is the timeline's.
  public var `in`: TimeExpression?
  /// Its end, not part of it; `nil` is the timeline's.
  public var out: TimeExpression?

  /// Creates a part.
  public init(in start: TimeExpression? = nil, out: TimeExpression? = nil) {
    self.in = start
    self.out = out
  }
}

/// How the picture is encoded.
public struct VideoExport: Hashable, Sendable {
  /// A codec name of the format, or `copy`.
  public var codec: String?
  /// A particular FFmpeg encoder.
  public var encoder: String?
  /// Constant quality.
  public var crf: Rational?
  /// The encoder's preset.
  public var preset: String?
  /// Bits per second.
  public var bitrate: Int?
  /// The longest distance of keyframes.
  public var keyframeInterval: TimeExpression?
  /// FFmpeg's name.
  public var pixelFormat: String?
  /// Options of the encoder, in the file's order.
  public var options: [CodecOption] = []

  /// The container's defaults.
  public init() {}
}

/// How the sound is encoded.
public struct AudioExport: Hashable, Sendable {
  /// A codec name of the format, or `copy`.
  public var codec: String?
  /// A particular FFmpeg encoder.
  public var encoder: String?
  /// Bits per second.
  public var bitrate: Int?
  /// Options of the encoder, in the file's order.
  public var options: [CodecOption] = []

  /// The container's defaults.
  public init() {}
}

/// One private option of an encoder.
public struct CodecOption: Hashable, Sendable {
  /// FFmpeg's name.
  public var name: String
  /// The value in FFmpeg's spelling.
  public var value: String

  /// Creates an option.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
