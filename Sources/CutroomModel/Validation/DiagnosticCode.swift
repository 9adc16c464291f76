/// Every stable code a finding can have: the area, a point, and what is wrong.
///
/// Codes are never renamed; a program may rely on them. The areas stand in the order in which a
/// composition is checked: syntax, shape, references, time, media, capability. Where AVFoundation
/// reports the same mistake by a number, ``avFoundationNumber`` gives it.
public enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
  // MARK: Syntax: the text is not JSON with the stated extensions.

  /// A character stands where none of its kind may stand.
  case syntaxUnexpected = "syntax.unexpected"
  /// The text ends inside a value.
  case syntaxEnd = "syntax.end"
  /// The bytes are not UTF-8.
  case syntaxEncoding = "syntax.encoding"
  /// A string has a bad escape, a lone surrogate, a raw control character or no end.
  case syntaxString = "syntax.string"
  /// A number is not spelt as JSON spells numbers, or is longer than 64 characters.
  case syntaxNumber = "syntax.number"
  /// An object has the same key twice.
  case syntaxDuplicateKey = "syntax.duplicate-key"
  /// Arrays and objects are nested more than 64 deep.
  case syntaxDepth = "syntax.depth"
  /// The file is larger than 64 MB, or has more than four million keys and values.
  case syntaxTooLarge = "syntax.too-large"

  // MARK: Shape: the JSON is not a composition.

  /// `format` is missing or names another format.
  case shapeFormat = "shape.format"
  /// A key that the format does not have.
  case shapeUnknownKey = "shape.unknown-key"
  /// A key that must be there is not.
  case shapeMissingKey = "shape.missing-key"
  /// A value of the wrong type.
  case shapeType = "shape.type"
  /// A word that is none of the allowed ones.
  case shapeEnum = "shape.enum"
  /// A value outside its bounds.
  case shapeValue = "shape.value"
  /// Keys that exclude each other.
  case shapeExclusiveKeys = "shape.exclusive-keys"
  /// A colour that is not `#RGB`, `#RRGGBB` or `#RRGGBBAA`.
  case shapeColor = "shape.color"
  /// A gain that is neither a number of 0 or more nor decibels.
  case shapeGain = "shape.gain"
  /// A size that is not two positive whole numbers.
  case shapeSize = "shape.size"
  /// Something the format has and this version does not do yet.
  case unsupported = "unsupported"
  /// A value without effect in the chosen mode.
  case shapeNoEffect = "shape.no-effect"

  /// A comment that the canonical form of a composition has no place for.
  case formatComment = "format.comment"

  // MARK: References

  /// A clip names a source that is neither declared nor a file.
  case referenceUnknownSource = "reference.unknown-source"
  /// A track that nothing declares.
  case referenceUnknownTrack = "reference.unknown-track"
  /// Two tracks have the same id.
  case referenceDuplicateID = "reference.duplicate-id"
  /// Compositions that contain each other.
  case referenceCycle = "reference.cycle"

  // MARK: Time

  /// A time that has none of the forms.
  case timeSyntax = "time.syntax"
  /// A time that does not fit a 64-bit value over its timescale.
  case timeOverflow = "time.overflow"
  /// A frame rate that is none.
  case timeRate = "time.rate"
  /// A negative time where only zero and more has a meaning.
  case timeNegative = "time.negative"
  /// Keyframes that are not in the order of time.
  case timeKeyframeOrder = "time.keyframe-order"
  /// A timecode that the timeline's rate does not have.
  case timeTimecode = "time.timecode"
  /// A range without length: −11825.
  case rangeEmpty = "range.empty"
  /// A range that ends before it starts.
  case rangeReversed = "range.reversed"
  /// A range that begins before the source: −11826.
  case rangeBeforeStart = "range.before-start"
  /// A range that goes beyond the end of its source: −11827.
  case rangePastEnd = "range.past-end"
  /// A clip of a source without end that gives no duration.
  case rangeNeedsDuration = "range.needs-duration"
  /// A time between two frames; a note that names the frame it selects.
  case rangeOffGrid = "range.off-grid"
  /// Two items of a track overlap: −11824.
  case trackOverlap = "track.overlap"
  /// A hole of a frame or two that a clip's place leaves after the clip before it; a note.
  case trackGap = "track.gap"
  /// Nothing lies on the timeline.
  case timelineEmpty = "timeline.empty"
  /// A property of the timeline that neither the file nor a clip gives.
  case timelineUndetermined = "timeline.undetermined"
  /// A fade longer than its clip, or two that overlap.
  case fadeTooLong = "fade.too-long"
  /// A transition without a clip on both sides of its cut.
  case transitionNeighbours = "transition.neighbours"
  /// A source has too little material beyond the cut.
  case transitionHandles = "transition.handles"
  /// Two transitions overlap.
  case transitionOverlap = "transition.overlap"
  /// A transition is longer than a clip beside it.
  case transitionTooLong = "transition.too-long"
  /// Chapters that are not in order, or lie outside the timeline.
  case chapterPlace = "chapter.place"

  // MARK: Edits, segments and instructions

  /// A segment that does not start where the one before ends: −11824.
  case segmentNotContiguous = "segment.not-contiguous"
  /// A segment whose length on the track is not above 0: −11825.
  case segmentDuration = "segment.duration"
  /// A segment whose source range begins at no number or before 0: −11826.
  case segmentSourceStart = "segment.source-start"
  /// A segment whose source range has no length: −11827.
  case segmentSourceDuration = "segment.source-duration"
  /// A time that is no number where one is needed.
  case timeInvalid = "time.invalid"
  /// Media of one kind for a track of another.
  case trackKind = "track.kind"
  /// Another number of ranges than of sources.
  case editCounts = "edit.counts"
  /// Compositions that lie too deep in each other.
  case compositionDepth = "composition.depth"
  /// A property of a video composition that has an impossible value: −11841.
  case instructionValue = "instruction.value"
  /// A stretch of time without an instruction: −11841.
  case instructionGap = "instruction.gap"
  /// An instruction without length, out of order, or over another one: −11841.
  case instructionRange = "instruction.range"
  /// An instruction that names a track the composition does not have: −11841.
  case instructionTrack = "instruction.track"
  /// Two ramps of one value at one time.
  case rampOverlap = "ramp.overlap"
  /// A ramp's value outside its bounds.
  case rampValue = "ramp.value"

  // MARK: Media

  /// A file that is not there.
  case mediaMissing = "media.missing"
  /// A file that cannot be opened or is no media file: −11828, −11829.
  case mediaUnreadable = "media.unreadable"
  /// A file without a stream of the wanted kind: −11869.
  case mediaNoStream = "media.no-stream"
  /// Sound without a channel of that name.
  case mediaNoChannel = "media.no-channel"
  /// Picture and sound of a source end at different times.
  case mediaLengthMismatch = "media.length-mismatch"
  /// Tracks of a source that no clip uses.
  case mediaTracksLeftOut = "media.tracks-left-out"
  /// A further track that sources of some clips do not have; a note.
  case mediaTrackMissing = "media.track-missing"
  /// A codec that cannot be decoded here: −11833.
  case mediaUnsupportedCodec = "media.unsupported-codec"
  /// A source that does not decode: −11821.
  case mediaDamaged = "media.damaged"
  /// Damage in a source that was concealed; a warning.
  case mediaConcealed = "media.concealed"
  /// A source whose frames have different lengths; a note.
  case mediaVariableRate = "media.variable-rate"
  /// A source of interlaced pictures that are rendered as they are; a note.
  case mediaInterlaced = "media.interlaced"
  /// A font that is not installed, or has no sign for a character.
  case mediaFont = "media.font"
  /// A line of a file of subtitles that ends before it begins.
  case mediaSubtitleTimes = "media.subtitle-times"
  /// A line of a file of subtitles that begins before the one above it.
  case mediaSubtitleOrder = "media.subtitle-order"
  /// A line of SubRip that begins before the one above it ends.
  case mediaSubtitleOverlap = "media.subtitle-overlap"
  /// A line of a file of subtitles that is not written as its form wants it.
  case mediaSubtitleSyntax = "media.subtitle-syntax"
  /// A line of a file of subtitles that names a style or a region which the file does not have.
  case mediaSubtitleStyle = "media.subtitle-style"
  /// A generator that libavfilter does not have, or with options it does not take.
  case mediaGenerator = "media.generator"

  /// A time at which nothing is shown: −11832.
  case frameNone = "frame.none"

  // MARK: Capability

  /// A size that the pixel format cannot have.
  case sizeOdd = "size.odd"
  /// A size that the codec cannot have.
  case sizeLimit = "size.limit"
  /// High and standard dynamic range on one timeline.
  case colorMixedHDR = "color.mixed-hdr"
  /// A picture of a high dynamic range in a file that is read as one of a standard range; a warning.
  case colorHDRPicture = "color.hdr-picture"
  /// Sources of a high dynamic range that were made on different displays; a note.
  case colorLightMetadata = "color.light-metadata"
  /// A container that is not known.
  case capabilityContainer = "capability.container"
  /// A codec that the container cannot hold: −11861.
  case capabilityCodecContainer = "capability.codec-container"
  /// A codec that cannot be encoded here: −11834.
  case capabilityEncoder = "capability.encoder"
  /// An option that an encoder or a filter does not have, or a value that it does not take.
  case capabilityOption = "capability.option"
  /// A filter that libavfilter does not have, or that a clip cannot have.
  case capabilityFilter = "capability.filter"
  /// A filter whose result depends on the processor; a warning.
  case capabilityProcessor = "capability.processor"
  /// A pixel format that the encoder does not take.
  case capabilityPixelFormat = "capability.pixel-format"
  /// A sample rate or channel layout that the encoder does not take.
  case capabilitySound = "capability.sound"
  /// A rate that the container's timescale cannot hold.
  case capabilityRate = "capability.rate"
  /// Subtitles that lose something in the form in which the container holds them; a note.
  case capabilitySubtitles = "capability.subtitles"

  // MARK: Passthrough: what nothing but encoding could do. −11838 for all.

  /// A cut that was moved to a keyframe; a note.
  case cutMoved = "cut.moved"
  /// Pictures of Dolby Vision of which some are rendered; a note.
  case copyDolbyVision = "copy.dolby-vision"
  /// The source that gives a joined stream its coding, where sources are coded differently; a note.
  case copyChoice = "copy.choice"
  /// Sound that is encoded anew because its packets cannot be copied; a note.
  case copySound = "copy.sound"
  /// A cut that is not at a keyframe.
  case passthroughCut = "passthrough.cut"
  /// A picture or sound setting that changes samples.
  case passthroughEffect = "passthrough.effect"
  /// A transition.
  case passthroughTransition = "passthrough.transition"
  /// Several layers or several sounds at one time.
  case passthroughMix = "passthrough.mix"
  /// A hole in a track.
  case passthroughHole = "passthrough.hole"
  /// A source that has no samples to copy: a still, a colour, a generator, a text.
  case passthroughSource = "passthrough.source"
  /// Sources whose codec parameters differ.
  case passthroughParameters = "passthrough.parameters"
  /// An export setting that the copied samples are not.
  case passthroughSettings = "passthrough.settings"

  // MARK: Metadata

  /// A key that is neither common nor `keySpace/key`.
  case metadataKey = "metadata.key"
  /// A value that its key cannot have.
  case metadataValue = "metadata.value"
  /// An item that the container cannot hold; a warning.
  case metadataDropped = "metadata.dropped"
  /// An item that the container holds in part; a warning.
  case metadataTruncated = "metadata.truncated"
  /// An item would not arrive whole, and losses are refused.
  case metadataLoss = "metadata.loss"

  // MARK: Lint: metadata that readers may not understand.

  /// A date that is not ISO 8601.
  case lintDate = "lint.date"
  /// A place that is not ISO 6709.
  case lintLocation = "lint.location"
  /// Artwork that is no picture for tags, or another one than it is called.
  case lintArtwork = "lint.artwork"
  /// An ID3 tag in a file that has tags of another kind.
  case lintID3 = "lint.id3"
  /// An APE tag in an MP3 file, which is kept and not changed.
  case lintAPE = "lint.ape"
  /// An item that says where, when or by whom the file was made; a note.
  case lintPrivacy = "lint.privacy"
  /// An item, or a value, that is there twice.
  case lintDuplicate = "lint.duplicate"
  /// One key with different values in different places.
  case lintConflict = "lint.conflict"
  /// A text beyond ASCII where no encoding is stated.
  case lintEncoding = "lint.encoding"
  /// An item without content.
  case lintEmpty = "lint.empty"

  // MARK: Output

  /// A file of that name exists: −11823.
  case outputExists = "output.exists"
  /// The output is one of the inputs.
  case outputIsInput = "output.is-input"
  /// The folder is missing, or is not one, or cannot be written to.
  case outputDirectory = "output.directory"
  /// A name whose ending names nothing that can be written: −11843.
  case outputExtension = "output.extension"

  /// AVFoundation's number for the same mistake, where it has one.
  public var avFoundationNumber: Int? {
    switch self {
    case .outputExists: -11823
    case .trackOverlap, .segmentNotContiguous: -11824
    case .rangeEmpty, .segmentDuration: -11825
    case .rangeBeforeStart, .segmentSourceStart: -11826
    case .rangePastEnd, .segmentSourceDuration: -11827
    case .instructionValue, .instructionGap, .instructionRange, .instructionTrack: -11841
    case .mediaUnreadable: -11828
    case .mediaUnsupportedCodec: -11833
    case .capabilityEncoder: -11834
    case .mediaDamaged: -11821
    case .mediaNoStream: -11869
    case .frameNone: -11832
    case .outputExtension: -11843
    case .capabilityCodecContainer: -11861
    case .passthroughCut, .passthroughEffect, .passthroughTransition, .passthroughMix,
      .passthroughHole, .passthroughSource, .passthroughParameters, .passthroughSettings:
      -11838
    default: nil
    }
  }
}

extension Diagnostic {
  /// Creates a finding with a code of the table.
  public init(
    _ severity: Severity, _ code: DiagnosticCode, _ message: String, at pointer: String,
    place: Place? = nil, fix: String? = nil, related: [Related] = []
  ) {
    self.init(
      severity, code.rawValue, message, at: pointer, place: place, fix: fix, related: related)
  }
}
