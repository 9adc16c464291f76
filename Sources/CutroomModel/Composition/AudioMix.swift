/// How loud each track is, and where, when all are summed.
///
/// The sum is plain: nothing is made quieter because something else sounds.
public struct AudioMix: Hashable, Sendable {
  /// The tracks that have parameters of their own.
  public var parameters: [TrackID: AudioMixParameters] = [:]

  /// A mix in which every track has its preferred volume.
  public init() {}

  /// A track's parameters; those of a track without any are the default ones.
  ///
  ///     try mix[voice].setVolumeRamp(from: 1, to: 0, over: 4..<6)
  public subscript(track: TrackID) -> AudioMixParameters {
    get { parameters[track] ?? AudioMixParameters() }
    set { parameters[track] = newValue }
  }

  /// The factor on a track's samples at `time`: 0 for a disabled track, and the preferred volume
  /// for one without parameters.
  public func volume(of track: CompositionTrack, at time: Rational) -> Rational {
    guard track.isEnabled else { return .zero }
    return parameters[track.id]?.volume.value(at: time) ?? track.preferredVolume
  }
}

/// How one track sounds in a mix.
public struct AudioMixParameters: Hashable, Sendable {
  /// What becomes of the pitch where the speed is not 1.
  public enum TimePitch: String, Hashable, Sendable, CaseIterable {
    /// Keeps the pitch; best for music.
    case spectral
    /// Keeps the pitch; best for voices.
    case timeDomain
    /// Lets the pitch follow the speed, as a tape does.
    case varispeed

    /// The speeds at which it can be.
    public static let speeds = Rational(1, 32)...Rational(32)
  }

  /// The factor on the samples, 0 or more; 1 before anything else says one.
  public private(set) var volume = Animation(Rational.one)
  /// From −1, left, to 1, right.
  public private(set) var pan = Animation(Rational.zero)
  /// What becomes of the pitch where the speed is not 1.
  public var timePitch = TimePitch.spectral

  /// Sound as it is.
  public init() {}

  /// Sets the volume from `time` on; 0 or more.
  public mutating func setVolume(_ value: Rational, at time: Rational) throws(RampError) {
    try Self.checkVolume(value)
    try volume.set(value, at: time)
  }

  /// Leads the volume over a range; it jumps at the start if it was another one before.
  public mutating func setVolumeRamp(
    from: Rational, to: Rational, over range: Range<Rational>, curve: KeyframeCurve = .linear
  ) throws(RampError) {
    try Self.checkVolume(from)
    try Self.checkVolume(to)
    try volume.ramp(from: from, to: to, over: range, curve: curve)
  }

  /// Sets the pan from `time` on; −1 to 1.
  public mutating func setPan(_ value: Rational, at time: Rational) throws(RampError) {
    try Self.checkPan(value)
    try pan.set(value, at: time)
  }

  /// Leads the pan over a range; −1 to 1.
  public mutating func setPanRamp(
    from: Rational, to: Rational, over range: Range<Rational>, curve: KeyframeCurve = .linear
  ) throws(RampError) {
    try Self.checkPan(from)
    try Self.checkPan(to)
    try pan.ramp(from: from, to: to, over: range, curve: curve)
  }

  private static func checkVolume(_ volume: Rational) throws(RampError) {
    guard volume.isValid, volume >= .zero else {
      throw .value("a volume is \(volume.decimalText), but must be 0 or more")
    }
  }

  private static func checkPan(_ pan: Rational) throws(RampError) {
    guard pan.isValid, pan >= -1, pan <= .one else {
      throw .value("a pan is \(pan.decimalText), but must be from -1 to 1")
    }
  }
}
