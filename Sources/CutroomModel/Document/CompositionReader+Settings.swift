extension CompositionReader {
  private static let pictureKeys = [
    "fit", "position", "anchor", "scale", "rotation", "opacity", "crop", "blend", "filters",
    "deinterlace",
  ]

  /// The picture settings of a clip.
  mutating func picture(_ node: Int) -> PictureSettings {
    var picture = PictureSettings()
    guard tree.kind(node) == .object else {
      mismatch(node, "'video'", "an object of picture settings, or false")
      return picture
    }
    guard let fields = fields(node, "'video'", Self.pictureKeys) else { return picture }
    picture.fit = choice(fields, "fit")
    picture.position = position(fields)
    if let node = fields["scale"], !refuseKeyframes(node, "scale"),
      let scale = rational(node, "'scale'", in: 0...1000, above: 0)
    {
      picture.scale = scale
    }
    if let node = fields["opacity"], !refuseKeyframes(node, "opacity"),
      let opacity = rational(node, "'opacity'", in: 0...1)
    {
      picture.opacity = opacity
    }
    refusePictureKeys(fields)
    return picture
  }

  private mutating func position(_ fields: Fields) -> PictureSettings.Point? {
    guard let node = fields["position"], !refuseKeyframes(node, "position") else { return nil }
    let sides = tree.kind(node) == .array ? tree.elements(node) : []
    guard sides.count == 2 else {
      mismatch(node, "'position'", "[x, y]")
      return nil
    }
    let bounds: ClosedRange<Rational> = -1_000_000...1_000_000
    let x = rational(sides[0], "x of 'position'", in: bounds)
    let y = rational(sides[1], "y of 'position'", in: bounds)
    guard let x, let y else { return nil }
    return PictureSettings.Point(x: x, y: y)
  }

  private mutating func refusePictureKeys(_ fields: Fields) {
    let half = Rational(1, 2)
    refuse(fields, "anchor") { reader, node in
      reader.isList(node, "anchor", "[x, y]", count: 2, of: half)
    }
    refuse(fields, "rotation") { reader, node in reader.isNumber(node, "rotation", .zero) }
    refuse(fields, "crop") { reader, node in reader.isCropNothing(node) }
    refuse(fields, "blend") { reader, _ in
      let names = ["normal", "multiply", "screen", "overlay", "add"]
      return (reader.word(fields, "blend", of: names) ?? "normal") == "normal"
    }
    refuse(fields, "filters") { reader, node in reader.isNoList(node, "filters") }
    refuse(fields, "deinterlace") { reader, _ in
      let word = reader.word(fields, "deinterlace", of: ["auto", "always", "never"])
      return word == nil || word == "never"
    }
  }

  private static let soundKeys = [
    "gain", "pan", "fadeIn", "fadeOut", "curve", "filters", "channels",
  ]

  /// The sound settings of a clip.
  mutating func sound(_ node: Int) -> SoundSettings {
    var sound = SoundSettings()
    guard tree.kind(node) == .object else {
      mismatch(node, "'audio'", "an object of sound settings, or false")
      return sound
    }
    guard let fields = fields(node, "'audio'", Self.soundKeys) else { return sound }
    if let gain = gain(fields, "gain") { sound.gain = gain }
    sound.fadeIn = time(fields, "fadeIn")
    sound.fadeOut = time(fields, "fadeOut")
    if let curve = choice(fields, "curve", of: [FadeCurve.linear, .equalPower]) {
      sound.curve = curve
    }
    refuse(fields, "pan") { reader, node in reader.isNumber(node, "pan", .zero, in: -1...1) }
    refuse(fields, "filters") { reader, node in reader.isNoList(node, "filters") }
    refuse(fields, "channels") { _, _ in false }
    return sound
  }

  // MARK: Values that say "as it is"
  //
  // Each of these is also true after a value of the wrong shape, which it reports.

  private mutating func isNumber(
    _ node: Int, _ name: String, _ neutral: Rational,
    in bounds: ClosedRange<Rational> = -1_000_000...1_000_000
  ) -> Bool {
    if tree.kind(node) == .object,
      tree.members(node).contains(where: { $0.name == "keyframes" })
    {
      return false
    }
    guard let value = rational(node, "'\(name)'", in: bounds) else { return true }
    return value == neutral
  }

  private mutating func isList(
    _ node: Int, _ name: String, _ wanted: String, count: Int, of neutral: Rational
  ) -> Bool {
    let values = tree.kind(node) == .array ? tree.elements(node).map(fraction) : []
    guard values.count == count, !values.contains(nil) else {
      mismatch(node, "'\(name)'", wanted)
      return true
    }
    return values.allSatisfy { $0 == neutral }
  }

  private mutating func isNoList(_ node: Int, _ name: String) -> Bool {
    guard tree.kind(node) == .array else {
      mismatch(node, "'\(name)'", "a list of filters")
      return true
    }
    return isEmptyArray(node)
  }

  private mutating func isCropNothing(_ node: Int) -> Bool {
    if tree.kind(node) == .object, tree.members(node).contains(where: { $0.name == "keyframes" }) {
      return false
    }
    guard let fields = fields(node, "'crop'", ["left", "top", "right", "bottom"]) else {
      return true
    }
    var isNothing = true
    for member in fields.members {
      let value = rational(member.value, "'\(member.name)'", in: 0...32767)
      isNothing = isNothing && (value ?? .zero) == .zero
    }
    return isNothing
  }
}
