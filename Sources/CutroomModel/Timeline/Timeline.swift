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
  /// The source times of its first and of its last picture, where it has an end.
  ///
  /// These are held before and after it where a clip's `fill` is `freeze`.
  public var heldPictures: ClosedRange<Rational>?
  /// Room for a timeline within a timeline, which a value cannot have in itself.
  private var timelines: [Timeline] = []

  /// The timeline of a composition that serves as a source.
  public var timeline: Timeline? {
    get { timelines.first }
    set { timelines = newValue.map { [$0] } ?? [] }
  }

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
    case video, audio, subtitle
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
  ///
  /// Keyframes count from the timeline's start, in seconds.
  public var gain: Animated<Gain>
  /// The factor on all its opacity, 0...1; keyframes as for ``gain``.
  public var opacity: Animated<Rational>
  /// Its language.
  public var language: String?
  /// A name for people.
  public var name: String?
  /// Whether players show its subtitles unless others are chosen.
  public var isDefault = false
  /// Whether its subtitles are shown whatever is chosen: of signs and of foreign speech.
  public var isForced = false
  /// The JSON pointer of the track it comes from.
  public var pointer: String

  /// Creates a track.
  public init(
    id: String, kind: Kind, segments: [TimelineSegment] = [],
    transitions: [TimelineTransition] = [], gain: Animated<Gain> = .constant(.unity),
    opacity: Animated<Rational> = 1,
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
