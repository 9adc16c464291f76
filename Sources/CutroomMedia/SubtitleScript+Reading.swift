extension SubtitleScript {
  private static let lineLimit = SubtitleFile.cueLimit
  private static let lineByteLimit = 20_000
  private static let overlapLimit = 1000

  /// Reads all of a stream of one of the ``codecs``, and the fonts beside it.
  package static func read(
    _ demuxer: Demuxer, stream: Int
  ) throws(SubtitleProblem) -> SubtitleScript {
    let info = demuxer.streams[stream]
    return try catching { () throws in
      let decoder = try SubtitleDecoder(demuxer.parameters(of: stream), timeBase: info.timeBase)
      guard let header = decoder.header else { throw SubtitleProblem.encoding(line: nil) }
      var script = SubtitleScript(codec: info.codecName, timeBase: info.timeBase, header: header)
      script.codecSettings = info.extradata
      if script.isStyled { script.fonts = demuxer.attachedFonts }
      var bytes = header.utf8.count
      demuxer.select([stream])
      while let packet = try demuxer.read() {
        try script.add(packet, decoder, &bytes)
      }
      return try script.finished()
    }
  }

  /// Takes what a file of subtitles says.
  package init(_ file: SubtitleFile) throws(SubtitleProblem) {
    let timeBase = TimeBase(1, file.form.ticksPerSecond)
    self = try Self.catching { () throws in
      let decoder = try SubtitleDecoder(
        .subtitles(codec: file.form.codec, settings: file.header), timeBase: timeBase)
      guard let header = decoder.header else { throw SubtitleProblem.encoding(line: nil) }
      var script = SubtitleScript(codec: file.form.codec, timeBase: timeBase, header: header)
      script.codecSettings = file.header
      (script.findings, script.blocks, script.fonts) = (file.findings, file.blocks, file.fonts)
      let order = file.cues.indices.sorted {
        (file.cues[$0].time.lowerBound, $0) < (file.cues[$1].time.lowerBound, $1)
      }
      var bytes = header.utf8.count
      for index in order {
        let cue = file.cues[index]
        let packet = try Packet(
          bytes: (script.isStyled ? Array("\(index),".utf8) : []) + cue.payload)
        (packet.pts, packet.duration) = (cue.time.lowerBound, Int64(cue.time.count))
        if !cue.identifier.isEmpty { packet.cueIdentifier = cue.identifier }
        if !cue.placement.isEmpty { packet.cueSettings = cue.placement }
        if !cue.rectangle.isEmpty { packet.subtitleRectangle = cue.rectangle }
        try script.add(packet, decoder, &bytes)
      }
      return try script.finished()
    }
  }

  private static func catching(
    _ body: () throws -> SubtitleScript
  ) throws(SubtitleProblem) -> SubtitleScript {
    do {
      return try body()
    } catch let problem as SubtitleProblem {
      throw problem
    } catch let error as LibAVError {
      throw error.log.contains { $0.contains("Invalid UTF-8") }
        ? .encoding(line: nil) : .damaged(error)
    } catch {
      throw .damaged(.invalid("read subtitles", "\(error)"))
    }
  }

  private func finished() throws(SubtitleProblem) -> SubtitleScript {
    let shown = SubtitleSchedule(self).mostAtOnce
    if shown > Self.overlapLimit { throw .tooLarge("\(shown) lines at one time") }
    return self
  }

  private mutating func add(
    _ packet: Packet, _ decoder: SubtitleDecoder, _ bytes: inout Int
  ) throws {
    for setting in packet.cueSettings.split(separator: 0x20) {
      let name = String(decoding: setting.prefix { $0 != 0x3A }, as: UTF8.self)
      if CueSetting(rawValue: name) != nil, !settingNames.contains(name) {
        settingNames.append(name)
        settingNames.sort()
      }
    }
    for fields in try decoder.decode(packet) {
      bytes += fields.utf8.count
      try add(fields, packet)
    }
    if bytes > SubtitleFile.byteLimit {
      throw SubtitleProblem.tooLarge("more than \(SubtitleFile.byteLimit >> 20) MB of text")
    }
  }

  private mutating func add(_ fields: String, _ packet: Packet) throws(SubtitleProblem) {
    let parts = fields.split(
      separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
    guard parts.count > 2, let start = packet.pts, let text = parts.last else {
      throw .damaged(.invalid("read a line of subtitles", "'\(fields.prefix(40))' is no line"))
    }
    if text.allSatisfy(\.isWhitespace) { return }
    guard fields.utf8.count <= Self.lineByteLimit else {
      throw .tooLarge("a line of more than \(Self.lineByteLimit) bytes")
    }
    let (end, overflow) = start.addingReportingOverflow(packet.duration)
    guard packet.duration > 0, !overflow else {
      emptyCount += 1
      return
    }
    guard lines.count < Self.lineLimit else { throw .tooLarge("more than \(Self.lineLimit) lines") }
    var line = Line(
      start: start, end: end, order: Int64(parts[0]) ?? Int64(lines.count),
      settings: parts[1..<parts.count - 1].joined(separator: ","), text: String(text))
    if !isStyled {
      (line.payload, line.identifier) = (packet.bytes, packet.cueIdentifier)
      line.placement = packet.cueSettings
    }
    lines.append(line)
  }
}
