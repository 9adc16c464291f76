import CutroomModel

extension ProbeReport.File {
  /// The file for people: a line of its own, and one per track.
  var text: String {
    guard let info else { return "\(path): \(problem?.message ?? "not examined")\n" }
    var lines = [
      "\(path): \(info.container), "
        + (info.isStill ? "a still picture" : info.duration.inSeconds)
    ]
    lines += info.tracks.map { "  " + $0.text }
    lines += info.chapters.map { "  chapter at \($0.start.inSeconds): \($0.title)" }
    lines += metadata.compactMap(Self.line(of:))
    if let metadataProblem { lines.append("  metadata: \(metadataProblem)") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension ProbeReport.File {
  /// An item of metadata as `key: values`.
  private static func line(of item: JSONValue) -> String? {
    guard case .object(let members) = item else { return nil }
    func text(_ key: String) -> String? {
      if case .string(let value)? = members.first(where: { $0.key == key })?.value {
        value
      } else {
        nil
      }
    }
    guard let key = text("key") ?? text("identifier") else { return nil }
    guard case .array(let values)? = members.first(where: { $0.key == "values" })?.value else {
      return nil
    }
    let texts = values.compactMap { value -> String? in
      if case .string(let text) = value { text } else { nil }
    }
    return "  \(key): " + (texts.isEmpty ? "data" : texts.joined(separator: "; "))
  }
}

extension AssetTrack {
  fileprivate var text: String {
    var parts = ["\(kind.rawValue) #\(streamIndex) \(codec)"]
    if let picture { parts += describe(picture) }
    if let sound {
      parts.append("\(sound.sampleRate) Hz \(sound.channelLayout)")
    }
    if let language { parts.append("language \(language)") }
    if end > start {
      parts.append("from \(start.inSeconds) to \(end.inSeconds)")
      parts.append("timescale \(timeBase.denominator)")
    }
    if let frameCount { parts.append("\(frameCount) \(picture == nil ? "packets" : "frames")") }
    if let keyframeCount, picture != nil { parts.append("\(keyframeCount) keyframes") }
    let signature = kind.isMedia ? "\n      " + signature : ""
    return parts.joined(separator: ", ") + signature
  }

  private func describe(_ picture: Picture) -> [String] {
    var parts = ["\(picture.size.width)x\(picture.size.height)"]
    if picture.displaySize != picture.size {
      parts.append("shown as \(picture.displaySize.width)x\(picture.displaySize.height)")
    }
    if picture.rotation != 0 { parts.append("turned by \(picture.turnBeforeMirroring) degrees") }
    if picture.isFlipped { parts.append("mirrored") }
    if let rate = picture.frameRate {
      parts.append("\(rate) fps" + (picture.isVariableFrameRate ? " on average" : ""))
    }
    if let format = picture.pixelFormat { parts.append(format) }
    if let hdr = picture.hdr { parts.append(hdr.rawValue.uppercased()) }
    return parts
  }
}
