public import CutroomModel

/// Metadata that hold for a part of a file's time, as AVFoundation's `AVTimedMetadataGroup`.
public struct TimedMetadataGroup: Hashable, Sendable {
  /// Where the part begins.
  public var start: Rational
  /// How long it lasts; `nil` up to the next group, or the end.
  public var duration: Rational?
  /// What is said about it.
  public var items: [MetadataItem]

  /// Creates a group.
  public init(start: Rational, duration: Rational? = nil, items: [MetadataItem]) {
    self.start = start
    self.duration = duration
    self.items = items
  }

  /// Chapters as groups of one title each.
  package static func chapters(_ chapters: [MetadataChapter]) -> [TimedMetadataGroup] {
    chapters.enumerated().map { index, chapter in
      let next = index + 1 < chapters.count ? chapters[index + 1].start : nil
      return TimedMetadataGroup(
        start: chapter.start, duration: next.map { $0 - chapter.start },
        items: [MetadataItem(.title, chapter.title)])
    }
  }
}

extension MP4File {
  /// How many bytes the samples of timed metadata may have together.
  private static let maximumTimed = 64 << 20

  /// What the tracks of timed metadata (`mebx`) say, in the order of time.
  ///
  /// - Throws: ``MetadataError`` where the tables of a track are damaged or beyond the limits.
  package func timedMetadata() throws(MetadataError) -> [TimedMetadataGroup] {
    var groups: [TimedMetadataGroup] = []
    var left = Self.maximumTimed
    for track in tracks {
      guard let table = track.child("mdia", "minf", "stbl"), let keys = timedKeys(table) else {
        continue
      }
      if isFragmented {
        throw MetadataError(
          .unsupported, "timed metadata of a file with movie fragments are not read")
      }
      groups += try self.groups(of: track, table, keys, &left)
    }
    return groups.sorted { $0.start < $1.start }
  }

  private func groups(
    of track: Box, _ table: Box, _ keys: [FourCC: TimedKey], _ left: inout Int
  ) throws(MetadataError) -> [TimedMetadataGroup] {
    guard let scale = timescale(of: track), let samples = SampleTable.samples(moov, table) else {
      throw MetadataError(
        .malformed,
        "the tables of a track of timed metadata do not fit together, or have more than "
          + "\(SampleTable.maximumSamples) samples")
    }
    let delay = delay(of: track, scale)
    var groups: [TimedMetadataGroup] = []
    for sample in samples {
      left -= sample.size
      guard left >= 0 else {
        throw MetadataError(.limit, "timed metadata take more than \(Self.maximumTimed) bytes")
      }
      let bytes = try reader.read(at: sample.offset, count: sample.size)
      let items = BoxParser.flat(bytes, in: bytes.indices).boxes.compactMap { box in
        keys[box.type]?.item(Array(bytes[box.content]))
      }
      // A sample without items says that nothing holds.
      guard !items.isEmpty else { continue }
      groups.append(
        TimedMetadataGroup(
          start: max(.zero, Rational(sample.start, Int64(scale)) + delay),
          duration: Rational(sample.duration, Int64(scale)), items: items))
    }
    return groups
  }

  /// The ticks in a second of a track's media.
  func timescale(of track: Box) -> UInt32? {
    guard let header = track.child("mdia", "mdhd"), header.content.count >= 24 else { return nil }
    let start = header.content.lowerBound
    return moov.u32(start + (moov[start] == 1 ? 20 : 12)).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The keys of a `mebx` sample description by the numbers that samples use; `nil` for others.
  private func timedKeys(_ table: Box) -> [FourCC: TimedKey]? {
    guard let format = table.child("stsd"), format.content.count >= 24,
      let entry = BoxParser.flat(moov, in: format.content.dropFirst(8)).boxes.first,
      entry.type == "mebx", entry.content.count >= 8
    else { return nil }
    let boxes = BoxParser.flat(moov, in: entry.content.dropFirst(8)).boxes
    guard let list = boxes.first(where: { $0.type == "keys" }) else { return nil }
    let keys = BoxParser.flat(moov, in: list.content).boxes.compactMap { box in
      TimedKey(moov, box).map { (box.type, $0) }
    }
    return Dictionary(keys) { first, _ in first }
  }
}

/// A key of timed metadata with the type of its values.
private struct TimedKey {
  private let identifier: MetadataIdentifier
  private let type: UInt32

  /// `keyd` holds a key space and a key, `dtyp` a name space and a type; 0 is that of `ilst`.
  init?(_ bytes: [UInt8], _ box: Box) {
    let parts = BoxParser.flat(bytes, in: box.content).boxes
    guard let name = parts.first(where: { $0.type == "keyd" }), name.content.count > 4,
      let space = bytes.u32(name.content.lowerBound),
      let key = strictUTF8(Array(bytes[name.content.dropFirst(4)]))
    else { return nil }
    identifier = MetadataIdentifier(KeySpace(rawValue: FourCC(space).text) ?? .mdta, key)
    let kind = parts.first { $0.type == "dtyp" }?.content
    let isKnown = kind.flatMap { bytes.u32($0.lowerBound) } == 0
    type = isKnown ? kind.flatMap { bytes.u32($0.lowerBound + 4) } ?? 0 : 0
  }

  func item(_ payload: [UInt8]) -> MetadataItem {
    let value = IlstValue(type: type, locale: 0, payload: payload)
    return MetadataItem(
      identifier, IlstDecoder.value(value, of: identifier), dataType: type == 0 ? nil : type)
  }
}
