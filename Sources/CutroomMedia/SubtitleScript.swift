import CLibAV

/// The lines of a stream of text subtitles with their exact times, in the language of ASS.
package struct SubtitleScript: Sendable {
  /// A line of dialogue.
  package struct Line: Hashable, Sendable {
    /// When it appears, in ticks.
    package var start: Int64
    /// When it disappears, in ticks; not part of it.
    package var end: Int64
    /// Its place among the lines of the script that it was written in.
    package var order: Int64
    /// The fields between times and text: layer, style, name, margins, effect.
    package var settings: String
    /// What is shown, with ASS's commands in braces.
    package var text: String
    /// The packet as it stands in its file; empty for ASS, where it is ``settings`` and ``text``.
    package var payload: [UInt8] = []
    /// The name of a cue of WebVTT.
    package var identifier: [UInt8] = []
    /// Where a cue of WebVTT says that it is to be shown.
    package var placement: [UInt8] = []
  }

  /// FFmpeg's name of the codec.
  package var codec: String
  /// Seconds per tick.
  package var timeBase: TimeBase
  /// The script's information and styles.
  package var header: String
  /// What the container says of the stream for decoders.
  package var codecSettings: [UInt8] = []
  /// The lines in the order of the stream.
  package var lines: [Line] = []
  /// How many lines end before they begin; they are not among ``lines``.
  package var emptyCount = 0
  /// Whether cues of WebVTT state places or alignments, which have no effect.
  package var statesPlaces = false

  /// Whether the script was written as ASS or SSA, and not made from plain text by libavcodec.
  package var isStyled: Bool { codec == "ass" || codec == "ssa" }

  /// The end of the last line in ticks.
  package var end: Int64 { lines.map(\.end).max() ?? 0 }

  /// The codecs that are read, by FFmpeg's names.
  package static let codecs: Set<String> = [
    "ass", "ssa", "subrip", "webvtt", "mov_text", "text",
  ]

  /// Whether subtitles of FFmpeg's codec `name` are pictures of text.
  package static func isPictures(_ name: String) -> Bool {
    guard let codec = unsafe avcodec_descriptor_get_by_name(name) else { return false }
    return unsafe codec.pointee.props & AV_CODEC_PROP_BITMAP_SUB != 0
  }

  /// The family in which text without a font of its own is set, and which stands in for others.
  package static let usualFamily = "DejaVu Sans"
}

/// Why subtitles cannot be used.
package enum SubtitleProblem: Error, Sendable {
  /// Text in another encoding than UTF-8.
  case encoding
  /// More than is read, in words: "more than 100000 lines".
  case tooLarge(String)
  /// libavcodec or libass refuses something.
  case damaged(LibAVError)
}

extension SubtitleScript {
  private static let lineLimit = 100_000
  private static let byteLimit = 32 << 20
  private static let lineByteLimit = 20_000
  private static let overlapLimit = 1000

  /// Reads all of a stream of one of the ``codecs``.
  package static func read(
    _ demuxer: Demuxer, stream: Int
  ) throws(SubtitleProblem) -> SubtitleScript {
    do {
      let decoder = try SubtitleDecoder(demuxer, stream: stream)
      let info = demuxer.streams[stream]
      guard let header = decoder.header else { throw SubtitleProblem.encoding }
      var script = SubtitleScript(codec: info.codecName, timeBase: info.timeBase, header: header)
      script.codecSettings = info.extradata
      var bytes = header.utf8.count
      demuxer.select([stream])
      while let packet = try demuxer.read() {
        if !packet.cueSettings.isEmpty { script.statesPlaces = true }
        for fields in try decoder.decode(packet) {
          bytes += fields.utf8.count
          try script.add(fields, packet)
        }
        if bytes > byteLimit { throw SubtitleProblem.tooLarge("more than 32 MB of text") }
      }
      let shown = SubtitleSchedule(script).mostAtOnce
      if shown > overlapLimit { throw SubtitleProblem.tooLarge("\(shown) lines at one time") }
      return script
    } catch let problem as SubtitleProblem {
      throw problem
    } catch let error as LibAVError {
      throw error.log.contains { $0.contains("Invalid UTF-8") } ? .encoding : .damaged(error)
    } catch {
      throw .damaged(.invalid("read subtitles", "\(error)"))
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

  /// When a line is shown, in whole milliseconds: at those that lie in its exact range.
  func milliseconds(_ line: Line) -> Range<Int64> {
    func rounded(_ tick: Int64) -> Int64 {
      av_rescale_rnd(
        tick, Int64(timeBase.numerator) * 1000, Int64(timeBase.denominator), AV_ROUND_UP)
    }
    let (start, end) = (rounded(line.start), rounded(line.end))
    return start..<max(start, end)
  }
}

/// libavcodec's decoder of a stream of text subtitles.
@safe private final class SubtitleDecoder {
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let name: String

  init(_ demuxer: Demuxer, stream: Int) throws(LibAVError) {
    let parameters = try demuxer.parameters(of: stream)
    name = parameters.codecName
    let action = "open a decoder for '\(name)'"
    guard let codec = unsafe avcodec_find_decoder(parameters.pointer.pointee.codec_id) else {
      throw LibAVError(code: CLIBAV_DECODER_NOT_FOUND, action: action)
    }
    guard let context = unsafe avcodec_alloc_context3(codec) else { throw .outOfMemory(action) }
    unsafe self.context = unsafe context
    try check(unsafe avcodec_parameters_to_context(context, parameters.pointer), action)
    unsafe context.pointee.pkt_timebase = demuxer.streams[stream].timeBase.rational
    try check(unsafe avcodec_open2(context, codec, nil), action)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// The head of an ASS script; `nil` where it is not UTF-8.
  var header: String? {
    guard let start = unsafe context.pointee.subtitle_header else { return "" }
    let count = unsafe Int(context.pointee.subtitle_header_size)
    let bytes = unsafe UnsafeBufferPointer(start: start, count: max(0, count))
    return unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The lines in a packet, as Matroska keeps ASS: number, layer, style, … text.
  ///
  /// Wraps `avcodec_decode_subtitle2`.
  func decode(_ packet: Packet) throws(LibAVError) -> [String] {
    var subtitle = unsafe AVSubtitle()
    var isGiven: Int32 = 0
    try check(
      unsafe avcodec_decode_subtitle2(context, &subtitle, &isGiven, packet.pointer),
      "decode a '\(name)' packet")
    guard isGiven != 0 else { return [] }
    defer { unsafe avsubtitle_free(&subtitle) }
    var lines: [String] = []
    for index in 0..<Int(unsafe subtitle.num_rects) {
      guard let rectangle = unsafe subtitle.rects?[index],
        let line = unsafe text(rectangle.pointee.ass)
      else { continue }
      lines.append(line)
    }
    return lines
  }
}
