extension CompositionFormat {
  static let track = ObjectFormat(
    "track", "A track",
    [
      KeyFormat("id", .name, "The id that edits and reports use; by default track1, track2 …"),
      KeyFormat("kind", .cases(DocumentTrack.Kind.self), default: "av", "What it carries"),
      KeyFormat("name", .text, "A name for people"),
      KeyFormat("language", .name, "Its language, in ISO 639-2 or BCP 47"),
      KeyFormat("enabled", .flag, default: true, "Whether it takes part"),
      KeyFormat(
        "default", .flag, default: false, "Whether players show its subtitles without being asked"),
      KeyFormat(
        "forced", .flag, default: false,
        "Whether its subtitles are for all: signs, and speech in other languages"),
      KeyFormat(
        "gain", .animated(.gain), default: 1,
        "The factor on its sound; keyframes count from the timeline's start"),
      KeyFormat(
        "opacity", .animated(.rational(0...1)), default: 1,
        "The factor on its opacity; keyframes count from the timeline's start"),
      KeyFormat(
        "clips", .list(.either([.object(clip), .object(gap), .object(transition)])), required: true,
        "Clips, gaps and transitions in order"),
    ])

  static let gap = ObjectFormat(
    "gap", "Nothing, for a while",
    [
      KeyFormat("gap", .time, required: true, "How long"),
      KeyFormat("at", .time, "Its place on the timeline; by default after the item before"),
    ])

  static let transition = ObjectFormat(
    "transition", "A transition between the clips before and after it",
    [
      KeyFormat(
        "transition", .word(TransitionName.all, also: TransitionName.spelledByXfade),
        required: true, "Its name"),
      KeyFormat("duration", .time, required: true, "Its length"),
      KeyFormat(
        "alignment", .cases(TransitionItem.Alignment.self), default: "center",
        "How it lies to the cut: on both sides, all after it (start), or all before it (end)"),
      KeyFormat(
        "overlap", .flag, default: false,
        "Whether the second clip is pulled to the front instead of using handles"),
      KeyFormat(
        "audio", .cases(FadeCurve.self), default: "equalPower", "The shape of the sound's fade"),
    ])

  // MARK: Clips

  static let clip = ObjectFormat(
    "clip", "A stretch of a source",
    [
      KeyFormat("source", .path, required: true, "An id of 'sources', else a path"),
      KeyFormat("in", .time, "The start of the source range"),
      KeyFormat("out", .time, "The end of the source range, which is not part of it"),
      KeyFormat("duration", .time, "The length of the source range"),
      KeyFormat("at", .time, "Its place on the timeline; by default after the item before"),
      KeyFormat(
        "speed", .rational(0...1_000_000, isAbove: true), default: 1,
        "How much faster than recorded it plays"),
      KeyFormat(
        "fitDuration", .length, "The length on the timeline to which the range is fitted"),
      KeyFormat("reverse", .flag, default: false, "Whether the range plays backwards"),
      KeyFormat(
        "freeze", .time, "The source time whose picture is held for 'duration', in silence"),
      KeyFormat(
        "pitch", .cases(Clip.Pitch.self), default: "keep",
        "Whether the pitch stays or goes with the speed"),
      KeyFormat(
        "fill", .cases(Clip.Fill.self), default: "error",
        "What a range beyond the source's end shows"),
      KeyFormat("video", .either([.object(picture), .never]), "The picture; false for none"),
      KeyFormat("audio", .either([.object(sound), .never]), "The sound; false for none"),
      KeyFormat("name", .text, "A name for people and for chapters"),
      KeyFormat(
        "enabled", .flag, default: true,
        "Whether it takes part; a disabled clip leaves its place empty"),
    ],
    rules: [
      .notTogether(["in", "out", "duration"], advice: "two of them give the range"),
      .notTogether(["speed", "fitDuration"], advice: "each of them gives the speed"),
      .notTogether(["freeze", "in"], advice: "'freeze' holds one picture for 'duration'"),
      .notTogether(["freeze", "out"], advice: "'freeze' holds one picture for 'duration'"),
      .notTogether(["freeze", "speed"], advice: "a held picture has no speed"),
      .notTogether(["freeze", "fitDuration"], advice: "'duration' says how long it is held"),
      .notTogether(["freeze", "reverse"], advice: "a held picture has no direction"),
      .requires("freeze", "duration"),
    ])

  private static let pixels: ClosedRange<Rational> = -1_000_000...1_000_000

  static let picture = ObjectFormat(
    "picture", "How a clip's picture is placed, and what is done to it",
    [
      KeyFormat(
        "fit", .cases(PictureSettings.Fit.self), default: "contain",
        "How it becomes a size on the canvas; lettering: none"),
      KeyFormat(
        "position", .animated(.point(pixels)),
        "Where the anchor lies, in timeline pixels from the top left; by default its place in the "
          + "fitted picture in the canvas's middle"),
      KeyFormat(
        "anchor", .point(0...1), default: [.number("0.5"), .number("0.5")],
        "The point of the picture that lies at 'position', in fractions of its size"),
      KeyFormat(
        "scale", .animated(.rational(0...1000, isAbove: true)), default: 1,
        "A factor on the fitted size"),
      KeyFormat(
        "rotation", .animated(.rational(pixels)), default: 0,
        "Degrees clockwise, about the anchor"),
      KeyFormat(
        "opacity", .animated(.rational(0...1)), default: 1, "0 (invisible) to 1"),
      KeyFormat(
        "crop", .animated(.object(crop)), "What is cut off, in the source's display pixels"),
      KeyFormat(
        "blend", .cases(PictureSettings.Blend.self), default: "normal",
        "How it is mixed with what lies below"),
      KeyFormat(
        "filters", .list(.map(.map(.scalar))),
        "Filters of libavfilter: {\"eq\": {\"contrast\": 1.2}}"
      ),
      KeyFormat(
        "deinterlace", .cases(PictureSettings.Deinterlace.self),
        "Whether interlaced pictures are made whole"),
    ])

  static let crop = ObjectFormat(
    "crop", "What is cut off at the sides",
    ["left", "top", "right", "bottom"].map {
      KeyFormat($0, .rational(0...32767), default: 0, "Pixels cut off at this side")
    })

  static let sound = ObjectFormat(
    "sound", "How a clip sounds",
    [
      KeyFormat("gain", .animated(.gain), default: 1, "A factor, or decibels"),
      KeyFormat("pan", .animated(.rational(-1...1)), default: 0, "-1 (left) to 1 (right)"),
      KeyFormat("fadeIn", .time, "The length of a fade from silence at the start"),
      KeyFormat("fadeOut", .time, "The length of a fade to silence at the end"),
      KeyFormat(
        "curve", .word([FadeCurve.linear.rawValue, FadeCurve.equalPower.rawValue]),
        default: "linear", "The shape of both fades"),
      KeyFormat(
        "filters", .list(.map(.map(.scalar))), "Filters of libavfilter: {\"highpass\": {\"f\": 80}}"
      ),
      KeyFormat(
        "channels", .map(.either([.name, .map(.gain)])),
        "What each channel is made of: {\"FL\": \"FR\"}, or a sum {\"FL\": {\"FL\": 1, \"FC\": \"-3dB\"}}"
      ),
    ])

  /// Keyframes of `value`.
  static func keyframes(_ value: ValueFormat) -> ObjectFormat {
    ObjectFormat(
      "keyframes", "A value that changes",
      [
        KeyFormat(
          "keyframes", .list(.object(keyframe(value)), least: 1), required: true,
          "The keys, in order of time"
        )
      ])
  }

  /// One key of keyframes of `value`.
  static func keyframe(_ value: ValueFormat) -> ObjectFormat {
    ObjectFormat(
      "keyframe", "A value at a time",
      [
        KeyFormat("at", .time, required: true, "When it is reached, from the clip's start"),
        KeyFormat("value", value, required: true, "What is reached"),
        KeyFormat(
          "curve", .cases(KeyframeCurve.self), default: "linear",
          "The way to it from the key before"),
      ])
  }

  // MARK: Edits

  static let editKinds = [insert, insertEmpty, remove, scale]

  static let edit = ValueFormat.either(editKinds.map { .object($0) })

  private static func operation(_ name: String, _ summary: String, _ keys: [KeyFormat])
    -> ObjectFormat
  {
    ObjectFormat(
      name + "Edit", summary,
      [
        KeyFormat("op", .word([name]), required: true, "The operation"),
        KeyFormat("track", .name, "The track's id; without it, all tracks"),
      ] + keys)
  }

  static let insert = operation(
    "insert", "Puts a clip in and shifts what follows",
    [
      KeyFormat("clip", .object(clip), required: true, "The clip"),
      KeyFormat("at", .time, "Where; by default after the end"),
    ])
  static let insertEmpty = operation(
    "insertEmpty", "Opens a hole and shifts what follows", [editRange])
  static let remove = operation(
    "remove", "Takes a stretch out and pulls what follows to the left", [editRange])
  static let scale = operation(
    "scale", "Changes the speed of what lies in a stretch",
    [editRange, KeyFormat("duration", .time, required: true, "How long it lasts then")])

  private static let editRange = KeyFormat(
    "range", .object(stretch), required: true, "The stretch of the timeline")

  static let stretch = ObjectFormat(
    "stretch", "A stretch of the timeline",
    [
      KeyFormat("in", .time, required: true, "Its start"),
      KeyFormat("out", .time, required: true, "Its end, which is not part of it"),
    ])
}
