import CutroomMedia
import CutroomMetadata
import CutroomModel

/// Reads a file from front to back, decodes all of it, and sums it up.
struct FingerprintReader {
  private let path: String
  private let cancellation: Cancellation

  init(path: String, cancellation: Cancellation) {
    self.path = path
    self.cancellation = cancellation
  }

  /// The file's fingerprint.
  ///
  /// - Throws: ``CutroomError`` with code `media` where the file cannot be read to its end, or
  ///   holds neither pictures nor sound.
  func read(plan: ExportPlan? = nil) throws(CutroomError) -> Fingerprint {
    let metadata = try metadata()
    do {
      let demuxer = try Demuxer(path: path)
      let streams = try scan(demuxer)
      guard !streams.isEmpty, streams.allSatisfy({ $0.shown.count > 0 }) else {
        throw CutroomError(
          .media, "golden.empty", "'\(path)' has a stream without content, or no streams")
      }
      return Fingerprint(
        plan: plan?.portable, facts: facts(demuxer), streams: streams, metadata: metadata)
    } catch let error as CutroomError {
      throw error
    } catch let error as LibAVError {
      throw CutroomError(reading: path, error)
    } catch {
      throw CutroomError(.internal, "internal", "\(error)")
    }
  }

  private func scan(_ demuxer: Demuxer) throws -> [Fingerprint.Stream] {
    var scanners: [Int: StreamScanner] = [:]
    for stream in demuxer.streams where stream.isSummedUp {
      scanners[stream.index] = try StreamScanner(demuxer, stream)
    }
    demuxer.select(Set(scanners.keys))
    while let packet = try demuxer.read() {
      try cancellation.check()
      try scanners[packet.streamIndex]?.add(packet)
    }
    return try scanners.sorted { $0.key < $1.key }.map { try $0.value.finish() }
  }

  private func facts(_ demuxer: Demuxer) -> [JSONValue.Member] {
    [
      .init("container", .string(demuxer.formatName)),
      .init("duration", demuxer.duration.map { .time(Rational($0, 1_000_000)) } ?? .null),
      .init("start", demuxer.startTime.map { .time(Rational($0, 1_000_000)) } ?? .null),
      .init("streamCount", .integer(Int64(demuxer.streams.count))),
    ]
  }

  private func metadata() throws(CutroomError) -> JSONValue {
    do {
      let tags = try tags()
      let json = tags.set.json(file: "")
      let chapters: JSONValue = .array(
        tags.chapters.map { ["start": .time($0.start), "title": .string($0.title)] })
      let subtitles = try subtitles()
      guard !subtitles.isEmpty else { return ["items": json["items"] ?? [], "chapters": chapters] }
      return [
        "items": json["items"] ?? [], "chapters": chapters, "subtitles": .array(subtitles),
      ]
    } catch let error as MetadataError {
      throw CutroomError(.media, error.code.rawValue, error.message)
    } catch let error as AssetError {
      throw CutroomError(.media, error.code.rawValue, error.message)
    } catch let error as LibAVError {
      throw CutroomError(reading: path, error)
    } catch {
      throw CutroomError(.internal, "internal", "\(error)")
    }
  }

  /// Subtitles as text: what is said of each track, and its lines with their times.
  private func subtitles() throws -> [JSONValue] {
    let asset = try AssetInfo.open(path)
    return try asset.tracks.filter { $0.kind == .subtitle }.map { track in
      var members: [JSONValue.Member] = [.init("codec", .string(track.codec))]
      let label = track.label
      if let language = label.language { members.append(.init("language", .string(language))) }
      if let title = label.title { members.append(.init("title", .string(title))) }
      members.append(.init("dispositions", .array(label.dispositions.names.map { .string($0) })))
      guard SubtitleScript.codecs.contains(track.codec) else { return .object(members) }
      let script = try asset.script(ofStream: track.streamIndex)
      let lines: [JSONValue] = script.lines.map { line in
        let times = [line.start, line.end].map { (Rational($0) * track.timeBase).secondsText }
        return .string("\(times[0]) – \(times[1]) \(line.text)")
      }
      members.append(.init("lines", .array(lines)))
      return .object(members)
    }
  }

  /// Items as the container's own reader gives them; chapters by libav where that gives none.
  private func tags() throws -> (set: TagSet, chapters: [MetadataChapter]) {
    let demuxer = try Demuxer(path: path)
    let set = try ownTags() ?? plainTags(demuxer)
    guard set.chapters.isEmpty else { return (set, set.chapters) }
    let chapters = demuxer.chapters.map { chapter in
      MetadataChapter(
        start: Rational(chapter.start)
          * Rational(Int64(chapter.timeBase.numerator), Int64(chapter.timeBase.denominator)),
        title: chapter.title ?? "")
    }
    return (set, chapters)
  }

  /// `nil` where the container is of no kind whose metadata is known.
  private func ownTags() throws(MetadataError) -> TagSet? {
    do throws(MetadataError) {
      return try TagStore.read(path)
    } catch {
      guard error.code == .unsupported else { throw error }
      return nil
    }
  }

  private func plainTags(_ demuxer: Demuxer) -> TagSet {
    let items = demuxer.metadata.map { key, value in
      MetadataItem(MetadataIdentifier(.matroska, key), value)
    }
    return TagSet(container: demuxer.formatName, items: items)
  }
}

extension StreamInfo {
  /// Whether it is a stream of pictures or sound, not a cover.
  var isSummedUp: Bool { (kind == .video || kind == .audio) && !isAttachedPicture }
}
