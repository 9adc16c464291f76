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

  /// Which tracks of the sources are taken along.
  public enum Tracks: String, Hashable, Sendable, CaseIterable {
    /// The one picture and the one sound, and the further tracks of the sources.
    case keep
    /// The one picture and the one sound.
    case main
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
  /// The source, by id or path, whose coding the result has; `nil` chooses by what can be copied.
  public var like: String?
  /// Which tracks of the sources are taken along.
  public var tracks: Tracks = .keep
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
