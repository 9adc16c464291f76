package import CutroomModel

/// What a composition resolves to: a timeline, the files it needs, and all findings.
package struct Resolution: Sendable {
  /// The timeline; `nil` where an error was found.
  package var timeline: Timeline?
  /// The files by resolved path, as ``TimelineSource/content`` names them.
  package var assets: [String: AssetInfo]
  /// The findings, by stage and place.
  package var diagnostics: [Diagnostic]
}

/// Makes every default explicit and every position absolute, and checks all that it meets.
///
/// The stages are references, times, media and capabilities. All files are examined first, so
/// that whatever is missing is reported at once; what follows from an earlier finding is not
/// reported.
package struct Resolver {
  let document: CompositionDocument
  let baseDirectory: String
  /// Pointers at or in which the document itself is wrong, so that its values mean nothing.
  let flaws: Set<String>
  /// The compositions around this one.
  let nested: NestedCompositions
  var findings = Findings()
  var sources: [ResolvedSource] = []
  var contents: [SourceDescription] = []
  var sourceIndices: [String: Int] = [:]
  var assets: [String: AssetInfo] = [:]
  /// Filters that were tried, and what was wrong with them.
  var triedFilters: [FilterTrial: FilterTrial.Problem?] = [:]
  var rate = Resolver.defaultRate
  /// The timeline's sample rate.
  var sampleRate = 48000
  /// The timeline's channel layout.
  var channelLayout = "stereo"
  /// The lengths of generators, by their index.
  var generatorLengths: [Int: TimeExpression] = [:]
  /// Whether ``rate`` only stands in for one that cannot be known.
  var isRateGuessed = false

  static let defaultRate = FrameRate(25) ?? Resolver.unreachableRate
  private static var unreachableRate: FrameRate { preconditionFailure("25 is a rate") }

  /// Resolves `document`; `baseDirectory` is the folder that relative paths start from.
  ///
  /// `flaws` are the pointers of errors found while reading it. `placed` gives findings
  /// their places.
  static func resolve(
    document: CompositionDocument, baseDirectory: String, flaws: [String] = [],
    nested: NestedCompositions, placed: ([Diagnostic]) -> [Diagnostic] = { $0 },
    open: @escaping AssetOpener
  ) -> Resolution {
    var resolver = Resolver(
      document: document, baseDirectory: baseDirectory, flaws: flaws, nested: nested)
    resolver.declareSources()
    resolver.examineSources(open)
    let defaults = resolver.defaults()
    (resolver.sampleRate, resolver.channelLayout) = (defaults.sampleRate, defaults.channelLayout)
    resolver.checkTexts(width: defaults.size.width)
    resolver.checkSubtitles(canvas: defaults.size)
    resolver.checkUses()
    resolver.checkArtwork()
    var tracks: [LaidOutTrack] = []
    for index in document.tracks.indices {
      tracks.append(resolver.layOut(document.tracks[index], index: index))
    }
    let timeline = resolver.assemble(tracks, defaults)
    let hasErrors = resolver.findings.hasErrors || !flaws.isEmpty
    return Resolution(
      timeline: hasErrors ? nil : timeline, assets: resolver.assets,
      diagnostics: resolver.findings.sorted(placed: placed))
  }

  private init(
    document: CompositionDocument, baseDirectory: String, flaws: [String],
    nested: NestedCompositions
  ) {
    self.document = document
    self.baseDirectory = baseDirectory
    self.nested = nested
    var around: Set<String> = []
    for flaw in flaws {
      var pointer = flaw
      while around.insert(pointer).inserted, let slash = pointer.lastIndex(of: "/") {
        pointer = String(pointer[..<slash])
      }
    }
    self.flaws = around
  }

  /// Whether the document is wrong at `pointer` or inside the value there.
  func isFlawed(_ pointer: String) -> Bool {
    flaws.contains(pointer)
  }

  /// The value of `expression`; `nil`, with a finding where it is a mistake of its own, if it has
  /// none.
  mutating func seconds(_ expression: TimeExpression, at pointer: String) -> Rational? {
    let dependsOnRate =
      switch expression {
      case .seconds: false
      case .frames(_, let rate): rate == nil
      case .timecode: true
      }
    if dependsOnRate && isRateGuessed { return nil }
    let value = expression.seconds(at: rate)
    if case .timecode(let timecode) = expression, !value.isValid {
      findings.add(
        .time, .error, .timeTimecode, "\"\(timecode.text)\" \(complaint(about: timecode))",
        at: pointer)
      return nil
    }
    guard value.isStorable else {
      findings.add(
        .time, .error, .timeOverflow, "the time does not fit a 64-bit value over its timescale",
        at: pointer)
      return nil
    }
    return value
  }

  /// Why the timeline's rate does not have a timecode.
  private func complaint(about timecode: Timecode) -> String {
    guard timecode.isDropFrame else {
      return
        "does not exist at \(rate.text) frames per second, where the frames of a second are 00 "
        + "to \(rate.nominal - 1)"
    }
    guard rate.framesPerSecond.denominator == 1001, rate.nominal % 30 == 0 else {
      return "is a drop-frame timecode, but \(rate.text) frames per second drop no numbers; write "
        + "':' before the frames"
    }
    guard Int64(timecode.frames) < rate.nominal else {
      return
        "does not exist at \(rate.text) frames per second, where the frames of a second are 00 "
        + "to \(rate.nominal - 1)"
    }
    return "is one of the numbers that drop-frame timecode leaves out: a minute begins with frame 0"
      + "\(rate.nominal / 15), but for every tenth"
  }

  /// The value of `expression` where only zero and more has a meaning.
  mutating func length(_ expression: TimeExpression, at pointer: String) -> Rational? {
    guard let value = seconds(expression, at: pointer) else { return nil }
    guard value >= .zero else {
      findings.add(
        .time, .error, .timeNegative, "the time is \(value.inSeconds), but must be 0 or more",
        at: pointer)
      return nil
    }
    return value
  }
}
