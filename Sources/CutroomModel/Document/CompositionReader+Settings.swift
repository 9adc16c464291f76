extension CompositionReader {
  /// The picture settings of a clip.
  mutating func picture(_ node: Int) -> PictureSettings {
    var picture = PictureSettings()
    guard tree.kind(node) == .object else {
      mismatch(node, "'video'", "an object of picture settings, or false")
      return picture
    }
    guard let fields = fields(node, "'video'", CompositionFormat.picture) else { return picture }
    picture.fit = choice(fields, "fit")
    picture.position = animated(fields, "position") { $0.point($1, $2, $3) }
    if let node = fields["anchor"], let format = fields.value(of: "anchor"),
      let anchor = point(node, "'anchor'", format)
    {
      picture.anchor = anchor
    }
    if let scale = animatedNumber(fields, "scale") { picture.scale = scale }
    if let rotation = animatedNumber(fields, "rotation") { picture.rotation = rotation }
    if let opacity = animatedNumber(fields, "opacity") { picture.opacity = opacity }
    if let crop = animated(fields, "crop", { $0.crop($1, $2, $3) }) { picture.crop = crop }
    if let blend: PictureSettings.Blend = choice(fields, "blend") { picture.blend = blend }
    picture.filters = filters(fields)
    picture.deinterlace = choice(fields, "deinterlace")
    return picture
  }

  private mutating func point(
    _ node: Int, _ subject: String, _ format: ValueFormat
  ) -> PictureSettings.Point? {
    guard case .point(let bounds) = format else { return nil }
    let sides = tree.kind(node) == .array ? tree.elements(node) : []
    guard sides.count == 2 else {
      mismatch(node, subject, "[x, y]")
      return nil
    }
    let x = rational(sides[0], "x of \(subject)", in: bounds)
    let y = rational(sides[1], "y of \(subject)", in: bounds)
    guard let x, let y else { return nil }
    return PictureSettings.Point(x: x, y: y)
  }

  private mutating func crop(
    _ node: Int, _ subject: String, _ format: ValueFormat
  ) -> PictureSettings.Crop? {
    guard case .object(let format) = format, let fields = fields(node, subject, format) else {
      return nil
    }
    let left = rational(fields, "left")
    let top = rational(fields, "top")
    let right = rational(fields, "right")
    let bottom = rational(fields, "bottom")
    return PictureSettings.Crop(
      left: left ?? 0, top: top ?? 0, right: right ?? 0, bottom: bottom ?? 0)
  }

  /// A list of filters, each an object of one key: its name, with its options.
  private mutating func filters(_ fields: Fields) -> [FilterSetting] {
    guard let node = fields["filters"] else { return [] }
    guard tree.kind(node) == .array else {
      mismatch(node, "'filters'", "a list of filters such as {\"eq\": {\"contrast\": 1.2}}")
      return []
    }
    var filters: [FilterSetting] = []
    for element in tree.elements(node) where !isFull {
      let members = tree.kind(element) == .object ? tree.members(element) : []
      guard members.count == 1, let filter = members.first, !filter.name.isEmpty else {
        mismatch(
          element, "a filter", "an object of one filter, such as {\"eq\": {\"contrast\": 1.2}}")
        continue
      }
      let options = options(
        filter.value, "'\(Excerpt.of(filter.name))'", "an object of the filter's options")
      filters.append(FilterSetting(name: filter.name, options: options))
    }
    return filters
  }

  // MARK: Sound

  /// The sound settings of a clip.
  mutating func sound(_ node: Int) -> SoundSettings {
    var sound = SoundSettings()
    guard tree.kind(node) == .object else {
      mismatch(node, "'audio'", "an object of sound settings, or false")
      return sound
    }
    guard let fields = fields(node, "'audio'", CompositionFormat.sound) else { return sound }
    if let gain = animatedGain(fields, "gain") { sound.gain = gain }
    if let pan = animatedNumber(fields, "pan") { sound.pan = pan }
    sound.fadeIn = time(fields, "fadeIn")
    sound.fadeOut = time(fields, "fadeOut")
    if let curve: FadeCurve = choice(fields, "curve") { sound.curve = curve }
    if sound.fadeIn == nil, sound.fadeOut == nil, sound.curve != .linear,
      fields["fadeIn"] == nil, fields["fadeOut"] == nil
    {
      warnWithoutEffect(fields, "curve", "the clip has no fade")
    }
    sound.filters = filters(fields)
    sound.channels = channels(fields)
    return sound
  }

  private mutating func channels(_ fields: Fields) -> [ChannelSetting] {
    guard let node = fields["channels"] else { return [] }
    let example = "{\"FL\": \"FR\"} or {\"FL\": {\"FL\": 1, \"FC\": \"-3dB\"}}"
    guard tree.kind(node) == .object else {
      mismatch(node, "'channels'", "a mapping such as \(example)")
      return []
    }
    var channels: [ChannelSetting] = []
    for member in tree.members(node) where !isFull && !member.name.hasPrefix("x-") {
      var inputs: [ChannelSetting.Input] = []
      switch tree.kind(member.value) {
      case .string:
        guard let name = string(member.value, "a channel"), !name.isEmpty else {
          report(.shapeValue, at: member.value, "the channel's name is empty; write one such as FL")
          continue
        }
        inputs = [.init(channel: name)]
      case .object:
        for input in tree.members(member.value) {
          guard let gain = gain(input.value, input.name) else { continue }
          inputs.append(.init(channel: input.name, gain: gain))
        }
      default:
        mismatch(
          member.value, "the channel '\(Excerpt.of(member.name))'", "a mapping such as \(example)")
      }
      channels.append(ChannelSetting(output: member.name, inputs: inputs))
    }
    return channels
  }

  // MARK: Keyframes

  /// A number that may change by keyframes.
  mutating func animatedNumber(_ fields: Fields, _ name: String) -> Animated<Rational>? {
    animated(fields, name) { $0.rational($1, $2, $3) }
  }

  /// A gain that may change by keyframes.
  mutating func animatedGain(_ fields: Fields, _ name: String) -> Animated<Gain>? {
    animated(fields, name) { reader, node, _, _ in reader.gain(node, name) }
  }

  private typealias ValueReader<Value> = (inout Self, Int, String, ValueFormat) -> Value?

  private mutating func animated<Value>(
    _ fields: Fields, _ name: String, _ read: ValueReader<Value>
  ) -> Animated<Value>? {
    guard let node = fields[name], case .animated(let format)? = fields.value(of: name) else {
      return nil
    }
    guard tree.kind(node) == .object,
      tree.members(node).contains(where: { $0.name == "keyframes" })
    else { return read(&self, node, "'\(name)'", format).map { .constant($0) } }
    guard
      let animation = self.fields(node, "'\(name)'", CompositionFormat.keyframes(format)),
      let list = animation["keyframes"]
    else { return nil }
    guard tree.kind(list) == .array else {
      mismatch(list, "'keyframes'", "a list of {\"at\", \"value\"}")
      return nil
    }
    let keys = keyframes(list, name, format, read)
    if tree.next(list) == list + 1 {
      report(
        .shapeValue, at: list, "'keyframes' is empty; write at least one {\"at\", \"value\"}")
    }
    return keys.isEmpty ? nil : .keyframes(keys)
  }

  private mutating func keyframes<Value>(
    _ list: Int, _ name: String, _ format: ValueFormat, _ read: ValueReader<Value>
  ) -> [Keyframe<Value>] {
    let keyFormat = CompositionFormat.keyframe(format)
    var keys: [Keyframe<Value>] = []
    for element in tree.elements(list) where !isFull {
      guard let fields = fields(element, "a keyframe", keyFormat) else { continue }
      let at = time(fields, "at")
      let value = fields["value"].flatMap { read(&self, $0, "'value' of '\(name)'", format) }
      let curve: KeyframeCurve? = choice(fields, "curve")
      guard let at, let value else { continue }
      if let last = keys.last, let node = fields["at"], at.isNotAfter(last.at) {
        report(
          .timeKeyframeOrder, at: node,
          "the keyframe is at \(at.text), but the one before it at \(last.at.text); keyframes stand "
            + "in the order of time")
      }
      keys.append(Keyframe(at: at, value: value, curve: curve ?? .linear))
    }
    return keys
  }
}

extension TimeExpression {
  /// Whether it certainly is not after another time, also without knowing the timeline's rate.
  fileprivate func isNotAfter(_ other: TimeExpression) -> Bool {
    switch (self, other) {
    case (.seconds(let a), .seconds(let b)): a <= b
    case (.frames(let a, let rate), .frames(let b, let otherRate)) where rate == otherRate: a <= b
    default: false
    }
  }
}
