/// The fields of `mvhd` that edits need.
struct MovieHeaderBox {
  let box: Box
  /// Ticks in a second of the movie; at least 1.
  let timescale: Int64
  /// The length of the movie in its ticks; 0 where it is not known.
  let duration: Int64
  /// The number that the next track gets.
  let nextTrack: UInt32

  /// `nil` if the box is missing or cut.
  init?(_ file: MP4File) {
    guard let box = file.root.child("mvhd"), box.content.count >= 100 else { return nil }
    let bytes = file.moov
    let start = box.content.lowerBound
    let isLong = bytes[start] == 1
    guard !isLong || box.content.count >= 112,
      let scale = bytes.u32(start + (isLong ? 20 : 12)),
      let length = bytes.number(at: start + (isLong ? 24 : 16), bytes: isLong ? 8 : 4),
      let next = bytes.u32(box.end - 4), scale > 0
    else { return nil }
    self.box = box
    timescale = Int64(scale)
    let unknown: UInt64 = isLong ? .max : UInt64(UInt32.max)
    duration = length == unknown ? 0 : Int64(clamping: length)
    nextTrack = next
  }
}
