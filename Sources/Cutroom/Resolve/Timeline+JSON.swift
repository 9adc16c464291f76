public import CutroomModel

extension Timeline {
  /// What `cutroom resolve --json` prints, without `ok`.
  public var jsonValue: JSONValue {
    var canvas: [JSONValue.Member] = [
      .init("duration", .time(duration)), .init("frameRate", .time(frameRate.framesPerSecond)),
      .init("size", size.jsonValue), .init("sampleRate", .integer(Int64(sampleRate))),
      .init("channelLayout", .string(channelLayout)), .init("color", .string(color.rawValue)),
      .init("background", .string(background.jsonText)),
    ]
    if let startTimecode { canvas.append(.init("startTimecode", .string(startTimecode.jsonText))) }
    var members: [JSONValue.Member] = [
      .init("timeline", .object(canvas)),
      .init("tracks", .array(tracks.map { $0.jsonValue(sources) })),
    ]
    let paths = sources.compactMap { source -> JSONValue? in
      guard let path = source.path else { return nil }
      return ["id": .string(source.id), "path": .string(path)]
    }
    if !paths.isEmpty { members.append(.init("sources", .array(paths))) }
    if !chapters.isEmpty {
      let values = chapters.map { chapter -> JSONValue in
        ["start": .time(chapter.start), "title": .string(chapter.title)]
      }
      members.append(.init("chapters", .array(values)))
    }
    return .object(members)
  }
}

extension TimelineSource {
  /// The file that it is, as it is opened.
  fileprivate var path: String? {
    switch content {
    case .file(let path, _, _): path
    case .composition(let path): path
    default: nil
    }
  }
}

extension TimelineTrack {
  fileprivate func jsonValue(_ sources: [TimelineSource]) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("id", .string(id)), .init("kind", .string(kind.rawValue)),
    ]
    if let name { members.append(.init("name", .string(name))) }
    if let language { members.append(.init("language", .string(language))) }
    if isDefault { members.append(.init("default", true)) }
    if isForced { members.append(.init("forced", true)) }
    if gain != .constant(.unity) { members.append(.init("gain", gain.jsonValue(\.jsonValue))) }
    if opacity != 1 { members.append(.init("opacity", opacity.jsonValue(\.jsonNumber))) }
    members.append(.init("segments", .array(segments.map { $0.jsonValue(sources, kind) })))
    members.append(.init("transitions", .array(transitions.map(\.jsonValue))))
    return .object(members)
  }
}

extension TimelineSegment {
  fileprivate func jsonValue(
    _ sources: [TimelineSource], _ kind: TimelineTrack.Kind
  ) -> JSONValue {
    guard let source else {
      return ["empty": true, "start": .time(start), "duration": .time(duration)]
    }
    var members: [JSONValue.Member] = [
      .init("source", .string(sources.indices.contains(source) ? sources[source].id : "")),
      .init("sourceStart", .time(sourceStart)), .init("sourceDuration", .time(sourceDuration)),
      .init("start", .time(start)), .init("duration", .time(duration)),
      .init("speed", .time(speed)),
    ]
    switch playback {
    case .forward: break
    case .reversed: members.append(.init("reversed", true))
    case .frozen: members.append(.init("freeze", .time(sourceStart)))
    }
    if clipLength != duration || clipRange.lowerBound != .zero {
      members.append(.init("clipStart", .time(clipRange.lowerBound)))
      members.append(.init("clipEnd", .time(clipRange.upperBound)))
      members.append(.init("clipDuration", .time(clipLength)))
    }
    if fill != .error { members.append(.init("fill", .string(fill.rawValue))) }
    if kind == .audio, speed != .one {
      members.append(.init("pitch", .string(sound.pitch.rawValue)))
    }
    if let name { members.append(.init("name", .string(name))) }
    if kind == .video, let value = picture.jsonValue { members.append(.init("video", value)) }
    if kind == .audio, let value = sound.jsonValue { members.append(.init("audio", value)) }
    return .object(members)
  }
}

extension PictureSettings {
  fileprivate var jsonValue: JSONValue? {
    var members: [JSONValue.Member] = []
    if let fit { members.append(.init("fit", .string(fit.rawValue))) }
    if let position {
      members.append(.init("position", position.jsonValue { [$0.x.jsonNumber, $0.y.jsonNumber] }))
    }
    if anchor != PictureSettings().anchor {
      members.append(.init("anchor", [anchor.x.jsonNumber, anchor.y.jsonNumber]))
    }
    if scale != 1 { members.append(.init("scale", scale.jsonValue(\.jsonNumber))) }
    if rotation != 0 { members.append(.init("rotation", rotation.jsonValue(\.jsonNumber))) }
    if opacity != 1 { members.append(.init("opacity", opacity.jsonValue(\.jsonNumber))) }
    if crop != .constant(.none) { members.append(.init("crop", crop.jsonValue(\.jsonValue))) }
    if blend != .normal { members.append(.init("blend", .string(blend.rawValue))) }
    if !filters.isEmpty { members.append(.init("filters", filters.jsonValue)) }
    if let deinterlace { members.append(.init("deinterlace", .string(deinterlace.rawValue))) }
    return members.isEmpty ? nil : .object(members)
  }
}

extension PictureSettings.Crop {
  fileprivate var jsonValue: JSONValue {
    [
      "left": left.jsonNumber, "top": top.jsonNumber, "right": right.jsonNumber,
      "bottom": bottom.jsonNumber,
    ]
  }
}

extension [FilterSetting] {
  fileprivate var jsonValue: JSONValue {
    .array(
      map { filter in
        let options = filter.options.map { JSONValue.Member($0.name, .string($0.value)) }
        return .object([.init(filter.name, .object(options))])
      })
  }
}

extension ResolvedSound {
  fileprivate var jsonValue: JSONValue? {
    guard !isIdentity else { return nil }
    var members: [JSONValue.Member] = []
    if gain != .constant(.unity) { members.append(.init("gain", gain.jsonValue(\.jsonValue))) }
    if pan != 0 { members.append(.init("pan", pan.jsonValue(\.jsonNumber))) }
    if fadeIn != .zero { members.append(.init("fadeIn", .time(fadeIn))) }
    if fadeOut != .zero { members.append(.init("fadeOut", .time(fadeOut))) }
    if curve != .linear { members.append(.init("curve", .string(curve.rawValue))) }
    if !filters.isEmpty { members.append(.init("filters", filters.jsonValue)) }
    if !channels.isEmpty {
      let values = channels.map { channel in
        JSONValue.Member(
          channel.output,
          .object(channel.inputs.map { JSONValue.Member($0.channel, $0.gain.jsonValue) }))
      }
      members.append(.init("channels", .object(values)))
    }
    return .object(members)
  }
}

extension Animated {
  /// The value, or its keyframes with their times.
  fileprivate func jsonValue(_ value: (Value) -> JSONValue) -> JSONValue {
    if let fixed { return value(fixed) }
    let keys = keyframes.map { key -> JSONValue in
      let at: JSONValue = if case .seconds(let time) = key.at { .time(time) } else { .null }
      return ["at": at, "value": value(key.value), "curve": .string(key.curve.rawValue)]
    }
    return ["keyframes": .array(keys)]
  }
}

extension TimelineTransition {
  fileprivate var jsonValue: JSONValue {
    [
      "name": .string(name), "start": .time(start), "duration": .time(duration),
      "from": .integer(Int64(from)), "to": .integer(Int64(to)), "audio": .string(sound.rawValue),
    ]
  }
}

extension Gain {
  fileprivate var jsonValue: JSONValue {
    switch self {
    case .factor(let value): value.jsonNumber
    case .decibels(let value): .string(value.jsonNumber.encoded().trimmingQuotes + "dB")
    }
  }
}

extension Rational {
  /// A number where it has few decimal places, else `"numerator/denominator"`.
  fileprivate var jsonNumber: JSONValue {
    guard (self * 1_000_000).isInteger, magnitude < 1_000_000_000 else { return .time(self) }
    return .decimal(doubleValue, digits: 6)
  }
}

extension String {
  fileprivate var trimmingQuotes: String { replacing("\"", with: "") }
}

extension PixelSize {
  /// `[width, height]`.
  var jsonValue: JSONValue { [.integer(Int64(width)), .integer(Int64(height))] }
}

extension Color {
  /// `#RRGGBB`, with alpha where it is not opaque.
  fileprivate var jsonText: String {
    let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
    let digits = parts.map { part -> String in
      (part < 16 ? "0" : "") + String(part, radix: 16, uppercase: true)
    }
    return "#" + digits.joined()
  }
}

extension Timecode {
  /// `01:00:00:00`, or `;` before dropped frames.
  fileprivate var jsonText: String {
    func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
    return "\(two(hours)):\(two(minutes)):\(two(seconds))\(isDropFrame ? ";" : ":")\(two(frames))"
  }
}
