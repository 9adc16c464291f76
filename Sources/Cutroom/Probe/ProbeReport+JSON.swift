import CutroomModel

extension ProbeReport.File {
  var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [.init("path", .string(path))]
    guard let info else {
      if let problem { members.append(.init("error", .string(problem.message))) }
      return .object(members)
    }
    members += [
      .init("container", .string(info.container)), .init("format", .string(info.formatName)),
      .init("duration", .time(info.duration)), .init("still", .bool(info.isStill)),
      .init("tracks", .array(info.tracks.map(\.jsonValue))),
    ]
    if !info.chapters.isEmpty {
      let chapters = info.chapters.map { chapter -> JSONValue in
        [
          "start": .time(chapter.start), "end": .time(chapter.end),
          "title": .string(chapter.title),
        ]
      }
      members.append(.init("chapters", .array(chapters)))
    }
    members.append(.init("metadata", .array(metadata)))
    if let metadataProblem { members.append(.init("metadataError", .string(metadataProblem))) }
    return .object(members)
  }
}

extension AssetTrack {
  fileprivate var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("kind", .string(kind.rawValue)), .init("index", .integer(Int64(streamIndex))),
      .init("codec", .string(codec)), .init("start", .time(start)),
      .init("duration", .time(duration)),
      .init("timescale", .integer(Int64(clamping: timeBase.denominator))),
    ]
    if timeBase.numerator != 1 { members.append(.init("timeBase", .time(timeBase))) }
    if let picture { members += jsonMembers(picture) }
    if let sound {
      if let frameCount { members.append(.init("packets", .integer(frameCount))) }
      members += [
        .init("sampleRate", .integer(Int64(sound.sampleRate))),
        .init("channels", .integer(Int64(sound.channelCount))),
        .init("channelLayout", .string(sound.channelLayout)),
      ]
    }
    if let language { members.append(.init("language", .string(language))) }
    if kind.isMedia { members.append(.init("signature", .string(signature))) }
    return .object(members)
  }

  private func jsonMembers(_ picture: Picture) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("frames", frameCount.map { .integer($0) } ?? .null),
      .init("frameRate", picture.frameRate.map { .time($0) } ?? .null),
      .init("variableFrameRate", .bool(picture.isVariableFrameRate)),
      .init("size", picture.size.jsonValue), .init("displaySize", picture.displaySize.jsonValue),
      .init("rotation", .integer(Int64(picture.turnBeforeMirroring))),
      .init("keyframes", keyframeCount.map { .integer(Int64($0)) } ?? .null),
    ]
    if picture.isFlipped { members.append(.init("flipped", true)) }
    if picture.sampleAspectRatio != .one {
      members.append(.init("sampleAspectRatio", .time(picture.sampleAspectRatio)))
    }
    if let format = picture.pixelFormat { members.append(.init("pixelFormat", .string(format))) }
    let tags = [
      ("colorPrimaries", picture.colorPrimaries), ("colorTransfer", picture.colorTransfer),
      ("colorMatrix", picture.colorMatrix), ("colorRange", picture.colorRange),
    ]
    for case (let key, let value?) in tags { members.append(.init(key, .string(value))) }
    if let hdr = picture.hdr { members.append(.init("hdr", .string(hdr.rawValue))) }
    if picture.isInterlaced { members.append(.init("interlaced", true)) }
    if extendsFirstFrame { members.append(.init("extendsFirstFrame", true)) }
    return members
  }
}
