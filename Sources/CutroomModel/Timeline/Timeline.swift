/// A composition with every default made explicit and every position absolute and exact.
///
/// Times are in seconds. A value: it knows nothing of open files, codecs or threads.
public struct Timeline: Hashable, Sendable {
  /// The end of the last item of any track.
  public var duration: Rational
  /// Frames per second.
  public var frameRate: FrameRate
  /// The canvas in square pixels.
  public var size: PixelSize
  /// What shows where nothing is drawn.
  public var background: Color
  /// The colour space of the canvas.
  public var color: TimelineColor
  /// Samples per second.
  public var sampleRate: Int
  /// FFmpeg's name of the channel layout.
  public var channelLayout: String
  /// The timecode of the first frame.
  public var startTimecode: Timecode?
  /// The sources that segments refer to by index.
  public var sources: [TimelineSource]
  /// The tracks, bottom to top; the picture half of an `av` track stands before its sound half.
  public var tracks: [TimelineTrack]
  /// Chapter starts in order, contiguous from the first one's start; empty for none.
  public var chapters: [TimelineChapter]

  /// Creates a timeline.
  public init(
    duration: Rational, frameRate: FrameRate, size: PixelSize, background: Color,
    color: TimelineColor, sampleRate: Int, channelLayout: String, startTimecode: Timecode? = nil,
    sources: [TimelineSource], tracks: [TimelineTrack], chapters: [TimelineChapter] = []
  ) {
    self.duration = duration
    self.frameRate = frameRate
    self.size = size
    self.background = background
    self.color = color
    self.sampleRate = sampleRate
    self.channelLayout = channelLayout
    self.startTimecode = startTimecode
    self.sources = sources
    self.tracks = tracks
    self.chapters = chapters
  }
}

/// A source as segments use it.
public struct TimelineSource: Hashable, Sendable {
  /// The id or path that clips name it by.
  public var id: String
  /// What it is, with a file's path made absolute or relative to the working directory.
  public var content: SourceDescription

  /// Creates a source.
  public init(id: String, content: SourceDescription) {
    self.id = id
    self.content = content
  }
}

/// A chapter of the result.
public struct TimelineChapter: Hashable, Sendable {
  /// Its start in seconds; it ends where the next one starts.
  public var start: Rational
  /// What it is called.
  public var title: String

  /// Creates a chapter.
  public init(start: Rational, title: String) {
    self.start = start
    self.title = title
  }
}

/// One track of one kind: segments without gap or overlap from 0, and the transitions over them.
public struct TimelineTrack: Hashable, Sendable {
  /// What a track carries.
  public enum Kind: String, Hashable, Sendable {
    case video, audio
  }

  /// Its id; the halves of an `av` track `main` are `main.video` and `main.audio`.
  public var id: String
  /// What it carries.
  public var kind: Kind
  /// Segments in order; the first starts at 0, each next where the one before ends.
  public var segments: [TimelineSegment]
  /// Transitions in order of time; they do not overlap.
  public var transitions: [TimelineTransition]
  /// The factor on all its sound.
  public var gain: Gain
  /// The factor on all its opacity, 0...1.
  public var opacity: Rational
  /// Its language.
  public var language: String?
  /// A name for people.
  public var name: String?
  /// The JSON pointer of the track it comes from.
  public var pointer: String

  /// Creates a track.
  public init(
    id: String, kind: Kind, segments: [TimelineSegment] = [],
    transitions: [TimelineTransition] = [], gain: Gain = .unity, opacity: Rational = 1,
    language: String? = nil, name: String? = nil, pointer: String = ""
  ) {
    self.id = id
    self.kind = kind
    self.segments = segments
    self.transitions = transitions
    self.gain = gain
    self.opacity = opacity
    self.language = language
    self.name = name
    self.pointer = pointer
  }

  /// The end of the last segment.
  public var duration: Rational { segments.last.map(\.end) ?? .zero }

  /// The index of the segment that holds `time`.
  ///
  /// `nil` past the end. A binary search.
  public func segmentIndex(at time: Rational) -> Int? {
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].end <= time { low = middle + 1 } else { high = middle }
    }
    return low < segments.count && segments[low].start <= time ? low : nil
  }
}

/// A stretch of a track: a source range, or nothing.
public struct TimelineSegment: Hashable, Sendable {
  /// The index in ``Timeline/sources``; `nil` for an empty segment.
  public var source: Int?
  /// Start of the source range, in source time.
  public var sourceStart: Rational
  /// Length of the source range before speed.
  public var sourceDuration: Rational
  /// Place on the timeline.
  public var start: Rational
  /// Length on the timeline.
  public var duration: Rational
  /// Source seconds per timeline second: `sourceDuration / duration`.
  public var speed: Rational
  /// Picture settings, on a video track.
  public var picture: PictureSettings
  /// Sound settings, on an audio track.
  public var sound: ResolvedSound
  /// A name for people.
  public var name: String?
  /// The JSON pointer of the clip it comes from; of the track for a hole.
  public var pointer: String

  /// End on the timeline; not part of it.
  public var end: Rational { start + duration }
  /// Whether nothing lies here.
  public var isEmpty: Bool { source == nil }

  /// Creates a segment that shows a source at its own speed.
  public init(
    source: Int, sourceStart: Rational, start: Rational, duration: Rational,
    picture: PictureSettings = PictureSettings(), sound: ResolvedSound = ResolvedSound(),
    name: String? = nil, pointer: String = ""
  ) {
    self.source = source
    self.sourceStart = sourceStart
    self.sourceDuration = duration
    self.start = start
    self.duration = duration
    self.speed = 1
    self.picture = picture
    self.sound = sound
    self.name = name
    self.pointer = pointer
  }

  /// Creates an empty segment.
  public init(emptyAt start: Rational, duration: Rational, pointer: String = "") {
    self.source = nil
    self.sourceStart = .zero
    self.sourceDuration = .zero
    self.start = start
    self.duration = duration
    self.speed = 1
    self.picture = PictureSettings()
    self.sound = ResolvedSound()
    self.name = nil
    self.pointer = pointer
  }

  /// The source time that the segment shows at timeline time `time`; also outside its range,
  /// where transitions use handles.
  public func sourceTime(at time: Rational) -> Rational {
    sourceStart + (time - start) * speed
  }
}

/// How a segment sounds, with every time in seconds.
public struct ResolvedSound: Hashable, Sendable {
  /// The factor on its samples.
  public var gain: Gain
  /// The length of a fade from silence at its start.
  public var fadeIn: Rational
  /// The length of a fade to silence at its end.
  public var fadeOut: Rational
  /// The shape of both fades.
  public var curve: FadeCurve

  /// Creates sound settings.
  public init(
    gain: Gain = .unity, fadeIn: Rational = 0, fadeOut: Rational = 0, curve: FadeCurve = .linear
  ) {
    self.gain = gain
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.curve = curve
  }

  /// Whether samples pass unchanged.
  public var isIdentity: Bool { gain == .unity && fadeIn == .zero && fadeOut == .zero }
}

/// A transition over the cut between two neighbouring segments.
public struct TimelineTransition: Hashable, Sendable {
  /// The name as in the format, such as `dissolve`.
  public var name: String
  /// The start of the span.
  public var start: Rational
  /// The length of the span.
  public var duration: Rational
  /// The index of the outgoing segment.
  public var from: Int
  /// The index of the incoming segment.
  public var to: Int
  /// The shape of the sound's cross-fade.
  public var sound: FadeCurve
  /// The JSON pointer of the transition.
  public var pointer: String

  /// End of the span; not part of it.
  public var end: Rational { start + duration }

  /// Creates a transition.
  public init(
    name: String, start: Rational, duration: Rational, from: Int, to: Int,
    sound: FadeCurve = .equalPower, pointer: String = ""
  ) {
    self.name = name
    self.start = start
    self.duration = duration
    self.from = from
    self.to = to
    self.sound = sound
    self.pointer = pointer
  }
}
