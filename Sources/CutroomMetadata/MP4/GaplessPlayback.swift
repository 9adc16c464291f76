/// What iTunes and its heirs need to play a sound file without a gap: `iTunSMPB`.
///
/// The edit list says the same, but not all players read it.
enum GaplessPlayback {
  static let identifier = MetadataIdentifier(mean: "com.apple.iTunes", name: "iTunSMPB")

  /// The item for a file with one track of sound that is encoded in packets of one length; `nil`
  /// for others, and where the edit list does not say how many samples play.
  static func item(_ file: MP4File) -> MetadataItem? {
    guard file.mediaTracks.count == 1, let track = file.mediaTracks.first,
      file.mediaHandler(track) == "soun", let movie = MovieHeaderBox(file),
      let header = track.child("mdia", "mdhd"), header.content.count >= 24,
      let edit = edit(file.moov, track), let packets = packets(file.moov, track)
    else { return nil }
    let start = header.content.lowerBound
    let scale = Int64(file.moov.u32(start + (file.moov[start] == 1 ? 20 : 12)) ?? 0)
    // Numbers of 31 and 32 bits, so that no product overflows.
    guard edit.length < 1 << 31, packets.count < 1 << 31, scale > 0, packets.length > 1 else {
      return nil
    }
    let samples = (edit.length * scale + movie.timescale / 2) / movie.timescale
    let rest = packets.count * packets.length - edit.start - samples
    guard edit.start <= UInt32.max, rest >= 0, rest <= 1 << 20 else { return nil }
    let numbers = [hex(0, 8), hex(edit.start, 8), hex(rest, 8), hex(samples, 16)]
    let words = numbers + [String](repeating: hex(0, 8), count: 8)
    return MetadataItem(identifier, words.map { " " + $0 }.joined())
  }

  private static func hex(_ number: Int64, _ digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// The only entry of the edit list: its length in the movie's ticks, its start in the media's.
  private static func edit(_ bytes: [UInt8], _ track: Box) -> (length: Int64, start: Int64)? {
    guard let edits = track.child("edts"),
      let list = BoxParser.flat(bytes, in: edits.content).boxes.first(where: { $0.type == "elst" }),
      bytes.u32(list.content.lowerBound + 4) == 1
    else { return nil }
    let width = bytes[list.content.lowerBound] == 1 ? 8 : 4
    let start = list.content.lowerBound + 8
    guard start + 2 * width <= list.end, let length = bytes.number(at: start, bytes: width),
      let time = bytes.number(at: start + width, bytes: width),
      length <= UInt64(Int64.max), time < 1 << (8 * UInt64(width) - 1)
    else { return nil }
    return (Int64(length), Int64(time))
  }

  /// How many packets there are, and how long each but the last is.
  private static func packets(_ bytes: [UInt8], _ track: Box) -> (count: Int64, length: Int64)? {
    guard let table = track.child("mdia", "minf", "stbl", "stts"),
      let runs = bytes.u32(table.content.lowerBound + 4), (1...2).contains(runs),
      let count = bytes.u32(table.content.lowerBound + 8),
      let length = bytes.u32(table.content.lowerBound + 12)
    else { return nil }
    guard runs == 2 else { return (Int64(count), Int64(length)) }
    // The last packet may be said to be shorter.
    guard bytes.u32(table.content.lowerBound + 16) == 1,
      let last = bytes.u32(table.content.lowerBound + 20), last < length
    else { return nil }
    return (Int64(count) + 1, Int64(length))
  }
}

extension MP4TagEditor {
  /// The item that says how the file plays without a gap, as it is now.
  package var gaplessItem: MetadataItem? { GaplessPlayback.item(file) }
}
