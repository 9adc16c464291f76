/// How a clip sounds.
public struct SoundSettings: Hashable, Sendable {
  /// The factor on its samples.
  public var gain: Animated<Gain> = .constant(.unity)
  /// -1 (left) to 1 (right).
  public var pan: Animated<Rational> = 0
  /// The length of a fade from silence at its start.
  public var fadeIn: TimeExpression?
  /// The length of a fade to silence at its end.
  public var fadeOut: TimeExpression?
  /// The shape of both fades.
  public var curve: FadeCurve = .linear
  /// libavfilter's filters, in order.
  public var filters: [FilterSetting] = []
  /// What the channels are made of; empty for as they are.
  public var channels: [ChannelSetting] = []

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
  /// The loudness that the whole is brought to; `nil` leaves it.
  public var loudness: LoudnessTarget?

  /// The default treatment.
  public init() {}
}

/// The loudness of a program, by EBU R 128.
public struct LoudnessTarget: Hashable, Sendable {
  /// The integrated loudness in LUFS.
  public var integrated: Rational
  /// The highest true peak in dBTP; `nil` means -1.
  public var truePeak: Rational?

  /// Creates a target.
  public init(integrated: Rational, truePeak: Rational? = nil) {
    self.integrated = integrated
    self.truePeak = truePeak
  }
}

/// What one channel of a clip's sound is made of.
public struct ChannelSetting: Hashable, Sendable {
  /// FFmpeg's name of the channel, such as `FL`.
  public var output: String
  /// The source's channels that it is the sum of.
  public var inputs: [Input]

  /// A channel of the source, and the factor on it.
  public struct Input: Hashable, Sendable {
    /// FFmpeg's name, or `c0`, `c1` … by place.
    public var channel: String
    /// The factor.
    public var gain: Gain

    /// Creates an input.
    public init(channel: String, gain: Gain = .unity) {
      self.channel = channel
      self.gain = gain
    }
  }

  /// Creates a channel.
  public init(output: String, inputs: [Input]) {
    self.output = output
    self.inputs = inputs
  }
}
