import CLibAV
import Glibc

/// An open container, read from front to back or from a keyframe on.
///
/// One thread at a time uses it. Wraps `AVFormatContext` for reading.
@safe package final class Demuxer: @unchecked Sendable {
  // Handed from thread to thread, never used by two at once.
  let context: UnsafeMutablePointer<AVFormatContext>
  private let interruption: Interruption
  /// The path as given.
  package let path: String
  /// The streams as they were known when the container was opened.
  package private(set) var streams: [StreamInfo] = []
  private var allParameters: [CodecParameters] = []

  /// Opens a file, literally by its path, or a `scheme://` address.
  ///
  /// - Parameters:
  ///   - path: Any characters are allowed; `%03d` or `*` in it has no meaning.
  ///   - options: For libav's demuxer; unknown ones are an error that names them.
  ///   - trustsHeader: Whether what the header says of the streams is enough, so that no packets are
  ///     read to learn more; only for MP4 and QuickTime files, whose headers say all that decoding
  ///     needs.
  ///   - isCancelled: Asked often during slow input; `true` ends the call with `isCancelled`.
  /// - Throws: What libav found, or that the path is not a regular file.
  package init(
    path: String, options: [(String, String)] = [], trustsHeader: Bool = false,
    isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(LibAVError) {
    let action = "open '\(path)'"
    let location = try Self.location(of: path)
    let interruption = Interruption(isCancelled)
    guard let allocated = unsafe avformat_alloc_context() else { throw .outOfMemory(action) }
    unsafe allocated.pointee.interrupt_callback = unsafe interruption.callback
    var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe allocated
    let settings = Options(location.options + options)
    try check(
      unsafe avformat_open_input(&opened, location.address, nil, &settings.dictionary), action)
    guard let context = unsafe opened else { throw .outOfMemory(action) }
    unsafe self.context = unsafe context
    self.interruption = interruption
    self.path = path
    try settings.requireUsed(action, ignoring: Set(location.options.map(\.0)))
    if !trustsHeader || formatName != Self.movieFormat {
      try check(
        unsafe avformat_find_stream_info(context, nil), "read the streams of '\(path)'")
    }
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      guard let stream = unsafe context.pointee.streams[index] else { continue }
      let parameters = unsafe try CodecParameters(copying: stream.pointee.codecpar)
      parameters.sideData = unsafe StreamSideData.all(of: stream)
      allParameters.append(parameters)
      unsafe streams.append(StreamInfo(stream, parameters))
    }
  }

  /// Whether a file of that path and those first bytes is a text of subtitles for libavformat,
  /// which keeps all of such a file in memory.
  ///
  /// Wraps `av_probe_input_format`.
  package static func isSubtitleText(_ head: [UInt8], path: String) -> Bool {
    var bytes = head + [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
    let name = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      unsafe path.withCString { path in
        var data = unsafe AVProbeData(
          filename: path, buf: bytes.baseAddress, buf_size: Int32(clamping: head.count),
          mime_type: nil)
        return unsafe text(av_probe_input_format(&data, 1)?.pointee.name)
      }
    }
    return name.map(subtitleTexts.contains) ?? false
  }

  private static let subtitleTexts: Set<String> = [
    "aqtitle", "ass", "jacosub", "lrc", "microdvd", "mpl2", "mpsub", "pjs", "realtext", "sami",
    "scc", "srt", "stl", "subviewer", "subviewer1", "tedcaptions", "vobsub", "vplayer", "webvtt",
  ]

  /// Whether it is an MP4 or QuickTime file.
  package var isMovie: Bool { formatName == Self.movieFormat }

  /// Whether seeking goes by a table of packets rather than by guessing places in the file.
  package var seeksByTable: Bool {
    isMovie || formatName.hasPrefix("matroska") || formatName == "avi" || formatName == "flv"
  }

  private static let movieFormat = "mov,mp4,m4a,3gp,3g2,mj2"

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    unsafe avformat_close_input(&context)
  }

  /// libav's names of the container, separated by commas ("mov,mp4,m4a,3gp,3g2,mj2").
  package var formatName: String {
    unsafe text(context.pointee.iformat?.pointee.name) ?? ""
  }

  /// Microseconds.
  package var startTime: Int64? { unsafe context.pointee.start_time.known }
  /// Microseconds.
  package var duration: Int64? { unsafe context.pointee.duration.known }
  package var bitRate: Int64 { unsafe context.pointee.bit_rate }
  package var metadata: [(String, String)] { unsafe Options.pairs(of: context.pointee.metadata) }

  package var chapters: [(start: Int64, end: Int64, timeBase: TimeBase, title: String?)] {
    (0..<Int(unsafe context.pointee.nb_chapters)).compactMap { index in
      guard let chapter = unsafe context.pointee.chapters[index]?.pointee else { return nil }
      let title = unsafe Options.pairs(of: chapter.metadata).first { $0.0 == "title" }?.1
      return unsafe (chapter.start, chapter.end, TimeBase(chapter.time_base), title)
    }
  }

  /// The next packet in file order, or `nil` at the end.
  ///
  /// Wraps `av_read_frame`.
  package func read() throws(LibAVError) -> Packet? {
    let packet = Packet()
    // "Try again" means here that the demuxer skipped something, not that data is late.
    var retries = 0
    while retries < 100_000 {
      switch try answer(
        unsafe av_read_frame(context, packet.pointer), "read a packet of '\(path)'")
      {
      case .done:
        if isSelected(packet.streamIndex) { return packet }
        // Opening has read ahead, before the selection was made.
        unsafe av_packet_unref(packet.pointer)
      case .later: retries += 1
      case .ended:
        try requireWholeInput()
        return nil
      }
    }
    throw LibAVError(code: CLIBAV_EAGAIN, action: "read a packet of '\(path)'")
  }

  /// libav reports a failed read as the end of the data, and keeps the reason aside.
  private func requireWholeInput() throws(LibAVError) {
    guard let input = unsafe context.pointee.pb, unsafe input.pointee.error < 0,
      unsafe input.pointee.error != CLIBAV_EOF
    else { return }
    unsafe try check(input.pointee.error, "read on in '\(path)'")
  }

  /// Goes to a keyframe at or before `timestamp`, or to the start where there is none.
  ///
  /// The position is by the times that the container keeps, which may be decoding times: look at
  /// the first packets, and seek earlier where they come too late. Wraps `av_seek_frame`.
  package func seek(stream: Int, to timestamp: Int64) throws(LibAVError) {
    let index = Int32(clamping: stream)
    if unsafe av_seek_frame(context, index, timestamp, AVSEEK_FLAG_BACKWARD) >= 0 { return }
    if unsafe avformat_seek_file(context, index, .min, timestamp, .max, 0) >= 0 { return }
    let start = streams.indices.contains(stream) ? streams[stream].startTime ?? 0 : 0
    if unsafe avformat_seek_file(context, index, .min, start, .max, 0) >= 0 { return }
    try check(
      unsafe av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE | AVSEEK_FLAG_BACKWARD),
      "seek to \(timestamp) in stream \(stream) of '\(path)'")
  }

  /// Goes to a byte of the file, at which a packet must begin; times count from nowhere then.
  ///
  /// Wraps `av_seek_frame`.
  package func seek(byte position: Int64) throws(LibAVError) {
    try check(
      unsafe av_seek_frame(context, -1, position, AVSEEK_FLAG_BYTE),
      "go to byte \(position) of '\(path)'")
  }

  /// Reads only these streams from now on.
  package func select(_ streams: Set<Int>) {
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      unsafe context.pointee.streams[index]?.pointee.discard =
        streams.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  private func isSelected(_ stream: Int) -> Bool {
    guard streams.indices.contains(stream), let raw = unsafe context.pointee.streams[stream] else {
      return false
    }
    return unsafe raw.pointee.discard != AVDISCARD_ALL
  }

  /// The codec parameters of a stream, for a decoder or for copying.
  package func parameters(of stream: Int) throws(LibAVError) -> CodecParameters {
    guard allParameters.indices.contains(stream) else {
      throw LibAVError(
        code: CLIBAV_STREAM_NOT_FOUND, action: "use stream \(stream) of '\(path)'",
        reason: "it has \(allParameters.count) streams")
    }
    return try allParameters[stream].copy()
  }
}

// MARK: - Index

extension Demuxer {
  /// A sample as the container's index has it.
  package struct IndexEntry: Hashable, Sendable {
    /// Usually a decoding time, in ticks of the stream.
    package var timestamp: Int64
    package var position: Int64
    package var size: Int
    package var isKeyframe: Bool
    /// Whether the picture is decoded and not shown, by the edit list.
    package var isDiscard: Bool
  }

  /// The samples of a stream in file order; empty where the container has no index.
  ///
  /// Those of timestamps from `start` to below `end`, where these are given. Wraps
  /// `avformat_index_get_entry`.
  package func index(
    of stream: Int, from start: Int64 = .min, to end: Int64? = nil
  ) -> [IndexEntry] {
    guard streams.indices.contains(stream), let raw = unsafe context.pointee.streams[stream]
    else { return [] }
    let count = unsafe max(0, avformat_index_get_entries_count(raw))
    // Timestamps ascend; libav itself finds its places by that.
    var (first, after) = (Int32(0), count)
    while start != .min, first != after {
      let middle = first + (after - first) / 2
      let entry = unsafe avformat_index_get_entry(raw, middle)
      if unsafe entry?.pointee.timestamp ?? .max < start {
        first = middle + 1
      } else {
        after = middle
      }
    }
    var entries: [IndexEntry] = []
    if start == .min, end == nil { entries.reserveCapacity(Int(count)) }
    for index in first..<max(first, count) {
      guard let entry = unsafe avformat_index_get_entry(raw, index) else { continue }
      if let end, unsafe entry.pointee.timestamp >= end { break }
      let flags = unsafe clibav_index_flags(entry)
      unsafe entries.append(
        IndexEntry(
          timestamp: entry.pointee.timestamp, position: entry.pointee.pos,
          size: Int(clibav_index_size(entry)), isKeyframe: flags & AVINDEX_KEYFRAME != 0,
          isDiscard: flags & AVINDEX_DISCARD_FRAME != 0))
    }
    return entries
  }
}

// MARK: - Opening

extension Demuxer {
  private struct Location {
    var address: String
    var options: [(String, String)]
  }

  /// Formats that read other files or make up media, which a file's bytes must not start.
  private static let excludedFormats: Set<String> = [
    "concat", "dash", "imf", "lavfi", "tty", "ffmetadata", "sdp", "rtsp", "rtp",
  ]

  private static let fileFormats: String = {
    var names: [String] = []
    var state: UnsafeMutableRawPointer?
    while let format = unsafe av_demuxer_iterate(&state) {
      guard let all = unsafe text(format.pointee.name) else { continue }
      let isExcluded = all.split(separator: ",").contains { excludedFormats.contains(String($0)) }
      if !isExcluded { names.append(all) }
    }
    return names.joined(separator: ",")
  }()

  private static func location(of path: String) throws(LibAVError) -> Location {
    let probing = [("probesize", "20000000"), ("analyzeduration", "10000000")]
    if isAddress(path) { return Location(address: path, options: probing) }
    try requireRegularFile(path)
    return Location(
      address: "file:" + path,
      options: probing + [
        ("protocol_whitelist", "file"), ("format_whitelist", fileFormats),
        ("pattern_type", "none"),
      ])
  }

  private static func isAddress(_ path: String) -> Bool {
    guard let mark = path.firstRange(of: "://") else { return false }
    let scheme = path[..<mark.lowerBound]
    return scheme.first?.isLetter == true
      && scheme.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
      }
  }

  /// A FIFO would block, a device may have effects.
  private static func requireRegularFile(_ path: String) throws(LibAVError) {
    let action = "open '\(path)'"
    guard !path.utf8.contains(0) else { throw .invalid(action, "the path has a zero character") }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw LibAVError(code: -errno, action: action) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .invalid(action, "it is not a regular file")
    }
  }
}

/// Lets libav ask whether to go on.
@safe private final class Interruption: Sendable {
  private let isCancelled: (@Sendable () -> Bool)?

  init(_ isCancelled: (@Sendable () -> Bool)?) {
    self.isCancelled = isCancelled
  }

  /// Valid as long as this object lives.
  var callback: AVIOInterruptCB {
    guard isCancelled != nil else { return unsafe AVIOInterruptCB() }
    return unsafe AVIOInterruptCB(
      callback: { opaque in
        guard let opaque = unsafe opaque else { return 0 }
        let owner = unsafe Unmanaged<Interruption>.fromOpaque(opaque).takeUnretainedValue()
        return owner.isCancelled?() == true ? 1 : 0
      }, opaque: Unmanaged.passUnretained(self).toOpaque())
  }
}
