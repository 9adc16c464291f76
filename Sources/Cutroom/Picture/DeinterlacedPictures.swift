import CutroomMedia
import CutroomModel

/// Pictures of a file with interlaced ones made whole.
///
/// Each depends on the file alone: the ones beside it are looked at wherever a clip begins or ends.
final class DeinterlacedPictures: PictureSource {
  private let source: FilePictures
  /// Whether all pictures count as interlaced, not only those that say so.
  private let isAlways: Bool
  private let deinterlacer = Deinterlacer()
  private var last: (tick: Int64, shown: Shown)?
  /// The file's first picture, before which there is none.
  private var firstTick: Int64?

  var base: any PictureSource { source }

  init(_ source: FilePictures, isAlways: Bool) {
    self.source = source
    self.isAlways = isAlways
  }

  func picture(at time: Rational) throws(CutroomError) -> Shown? {
    let reader = source.reader
    guard var picture = try reader.picture(at: time) else { return nil }
    if let last, last.tick == picture.tick { return last.shown }
    guard isAlways || picture.frame.isInterlaced else { return shown(picture, picture.frame) }
    // The very first picture may be shown early, before it is the current one.
    if reader.next?.tick == picture.tick {
      picture = try reader.picture(at: source.start(of: picture)) ?? picture
    }
    if firstTick != picture.tick, reader.previous.map({ $0.tick >= picture.tick }) ?? true {
      try reader.findPrevious(of: picture)
      if reader.previous == nil { firstTick = picture.tick }
    }
    return try whole(picture, before: reader.previous, after: reader.next)
  }

  func pictures(before time: Rational) throws(CutroomError) -> [TimedPicture] {
    let reader = source.reader
    let run = try reader.pictures(before: time, limit: source.runLength)
    guard let first = run.first, let end = run.last else { return [] }
    let after = reader.next.flatMap { $0.tick > end.tick ? $0 : nil }
    var before = try reader.pictures(before: source.start(of: first), limit: 1).last
    if before?.tick ?? .min >= first.tick { before = nil }
    var result: [TimedPicture] = []
    for (index, picture) in run.enumerated() {
      let following = index + 1 < run.count ? run[index + 1] : after
      result.append(
        TimedPicture(
          start: source.start(of: picture),
          shown: try whole(picture, before: before, after: following)))
      before = picture
    }
    return result
  }

  private func whole(
    _ picture: FrameReader.Picture, before: FrameReader.Picture?, after: FrameReader.Picture?
  ) throws(CutroomError) -> Shown {
    guard isAlways || picture.frame.isInterlaced else { return shown(picture, picture.frame) }
    do {
      let frame = try deinterlacer.deinterlace(picture, before: before, after: after)
      return shown(picture, frame)
    } catch {
      throw CutroomError(
        .internal, "render.deinterlace", "a picture cannot be deinterlaced: \(error.reason)",
        details: error.log)
    }
  }

  private func shown(_ picture: FrameReader.Picture, _ frame: Frame) -> Shown {
    let shown = Shown(frame: frame, geometry: source.geometry)
    last = (picture.tick, shown)
    return shown
  }
}
