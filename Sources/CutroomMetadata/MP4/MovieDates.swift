/// The times of creation in `mvhd`, `tkhd` and `mdhd`, in seconds since the beginning of 1904.
enum MovieDates {
  /// The fields of a header box: creation and modification.
  private static func fields(_ bytes: [UInt8], _ box: Box?) -> (range: Range<Int>, width: Int)? {
    guard let box, box.content.count >= 20 else { return nil }
    let width = bytes[box.content.lowerBound] == 1 ? 8 : 4
    let start = box.content.lowerBound + 4
    return (start..<start + 2 * width, width)
  }

  static func creation(_ file: MP4File) -> Int64? {
    guard let (range, width) = fields(file.moov, file.root.child("mvhd")),
      let seconds = file.moov.number(at: range.lowerBound, bytes: width), seconds > 0
    else { return nil }
    return Int64(exactly: seconds)
  }

  /// Puts a time into all headers; one that 32 bits do not hold becomes 0, "not known".
  static func set(_ seconds: Int64, _ file: MP4File, _ splices: inout Splices) {
    let movie = (file.root.child("mvhd"), [file.root])
    let tracks = file.tracks.filter { !splices.replaces($0) }.flatMap { track in
      [
        (track.child("tkhd"), [file.root, track]),
        (
          track.child("mdia", "mdhd"),
          [file.root, track] + [track.child("mdia")].compactMap(\.self)
        ),
      ]
    }
    for (box, parents) in [movie] + tracks {
      guard let box, let (range, width) = fields(file.moov, box) else { continue }
      let value = width == 4 && UInt32(exactly: seconds) == nil ? 0 : max(0, seconds)
      var bytes: [UInt8] = []
      for _ in 0..<2 { bytes.append(value, bytes: width) }
      guard bytes != Array(file.moov[range]) else { continue }
      splices.replace(range, with: bytes, in: parents + [box])
    }
  }
}

extension MP4File {
  /// When the movie was made, in seconds since the beginning of 1904; `nil` where it is not said.
  package var creationTime: Int64? { MovieDates.creation(self) }
}
