import CutroomMedia
import CutroomMetadata
import CutroomModel

/// Turns TagLib's frames into items and back.
enum FrameItems {
  static func identifier(_ frame: TagFrame, _ container: TagContainer) -> MetadataIdentifier {
    switch container {
    case .flac, .ogg, .opus: MetadataIdentifier(.vorb, frame.key)
    default:
      // The description of a picture is an attribute, since there is one key for all of them.
      MetadataIdentifier(.id3, frame.key, qualifier: frame.key == "APIC" ? nil : frame.qualifier)
    }
  }

  static func items(_ frames: [TagFrame], _ container: TagContainer) -> [MetadataItem] {
    let items = frames.compactMap { frame -> MetadataItem? in
      if frame.key == "CHAP" || frame.key == "CTOC" || isChapterField(frame.key) { return nil }
      let isText = !frame.values.isEmpty && frame.data.isEmpty
      var item = MetadataItem(
        identifier(frame, container), isText ? .texts(frame.values) : .data(frame.data))
      if !isText && item.commonKey == .artwork {
        item.extraAttributes["pictureType"] = String(frame.pictureType)
        if !frame.qualifier.isEmpty { item.extraAttributes["description"] = frame.qualifier }
        if !frame.mediaType.isEmpty { item.extraAttributes["mediaType"] = frame.mediaType }
      }
      if !frame.language.isEmpty { item.extraAttributes["language"] = frame.language }
      return item
    }
    return joiningPairs(items)
  }

  static func frame(_ item: MetadataItem) -> TagFrame {
    var frame = TagFrame(key: item.identifier.key, values: item.values)
    frame.qualifier = item.identifier.qualifier ?? ""
    frame.language = item.extraAttributes["language"] ?? ""
    guard case .data(let bytes) = item.value else { return frame }
    frame.data = bytes
    if item.commonKey == .artwork {
      frame.qualifier = item.extraAttributes["description"] ?? ""
      frame.mediaType = item.mediaType ?? item.extraAttributes["mediaType"] ?? ""
      frame.pictureType = Int(item.extraAttributes["pictureType"] ?? "") ?? 3
      if let size = PictureFormat.size(of: bytes) { (frame.width, frame.height) = size }
    }
    return frame
  }
}

// MARK: - Chapters

extension FrameItems {
  /// `CHAPTER001`, `CHAPTER001NAME`.
  static func isChapterField(_ key: String) -> Bool {
    guard key.hasPrefix("CHAPTER") else { return false }
    let digits = key.dropFirst(7).prefix(3)
    return digits.utf8.count == 3 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && ["", "NAME", "URL"].contains(key.dropFirst(10))
  }

  static func chapters(_ frames: [TagFrame]) -> [MetadataChapter] {
    let id3 = frames.filter { $0.key == "CHAP" }.map {
      MetadataChapter(start: Rational($0.start, 1000), title: $0.values.first ?? "")
    }
    var chapters = id3
    let fields = Dictionary(frames.map { ($0.key, $0.values.first ?? "") }) { first, _ in first }
    for (key, value) in fields where isChapterField(key) && key.utf8.count == 10 {
      guard let start = time(value) else { continue }
      chapters.append(MetadataChapter(start: start, title: fields[key + "NAME"] ?? ""))
    }
    return chapters.sorted { $0.start < $1.start }
  }

  /// `HH:MM:SS.mmm` exactly.
  private static func time(_ text: String) -> Rational? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = UInt32(parts[0]), let minutes = UInt32(parts[1]) else {
      return nil
    }
    let seconds = parts[2].split(separator: ".", maxSplits: 1)
    guard let whole = UInt32(seconds.first ?? "") else { return nil }
    var start = Rational(Int64(hours) * 3600 + Int64(minutes) * 60 + Int64(whole))
    if seconds.count == 2 {
      let digits = seconds[1].prefix(9)
      guard let fraction = Int64(digits), fraction >= 0 else { return nil }
      start += Rational(fraction, digits.reduce(Int64(1)) { scale, _ in scale * 10 })
    }
    return start
  }

  /// Chapter frames of ID3; each ends where the next begins, the last at the end of the file.
  static func chapterFrames(_ chapters: [MetadataChapter], end: Rational?) -> [TagFrame] {
    chapters.indices.map { index in
      var frame = TagFrame(key: "CHAP", values: [chapters[index].title])
      frame.start = UInt32(clamping: chapters[index].ticks(per: 1000))
      let next = index + 1 < chapters.count ? chapters[index + 1].start : end
      let until = next.map { MetadataChapter(start: $0, title: "").ticks(per: 1000) }
      frame.end = max(frame.start, UInt32(clamping: until ?? Int64(frame.start)))
      return frame
    }
  }

  /// Chapter fields of Vorbis comments, counted from 000.
  static func chapterFields(_ chapters: [MetadataChapter]) -> [TagFrame] {
    chapters.prefix(1000).enumerated().flatMap { index, chapter -> [TagFrame] in
      let key = "CHAPTER" + padded(Int64(index), 3)
      let ticks = chapter.ticks(per: 1000)
      let (minutes, rest) = (ticks / 60_000, ticks % 60_000)
      let time =
        padded(minutes / 60, 2) + ":" + padded(minutes % 60, 2) + ":" + padded(rest / 1000, 2)
        + "." + padded(rest % 1000, 3)
      return [
        TagFrame(key: key, values: [time]), TagFrame(key: key + "NAME", values: [chapter.title]),
      ]
    }
  }

  private static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
