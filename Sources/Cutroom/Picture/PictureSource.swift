import CutroomMedia
import CutroomModel

/// What a clip shows, addressed by exact source time.
///
/// Used by one thread at a time.
protocol PictureSource: AnyObject {
  /// The shape of all its pictures, for building graphs; may differ later, see ``Shown``.
  func picture(at time: Rational) throws(CutroomError) -> Shown?
  /// Pictures in order, the last of which is the one that is presented just before `time`, with as
  /// many before it as are worth having at once; empty where nothing is shown just before it.
  func pictures(before time: Rational) throws(CutroomError) -> [TimedPicture]
  /// The source that these pictures are taken from.
  var base: any PictureSource { get }
}

extension PictureSource {
  var base: any PictureSource { self }
}

/// A picture as a source shows it.
struct Shown {
  /// The decoded pixels.
  let frame: Frame
  /// How to display them.
  let geometry: PictureGeometry
  /// Whether nothing shows through, whatever the pixel format.
  var isOpaque = false
}

/// How coded pixels become a displayed picture.
struct PictureGeometry: Hashable {
  /// The size for display in square pixels.
  var displaySize: PixelSize
  /// Degrees to turn clockwise.
  var rotation = 0
  /// Whether the picture is mirrored left to right before it is turned.
  var isFlipped = false
}

/// Pictures of a media file.
final class FilePictures: PictureSource {
  let reader: FrameReader
  let geometry: PictureGeometry
  private let asset: AssetInfo
  private let track: AssetTrack
  private let share: ReaderBudget.Share

  init(
    asset: AssetInfo, track: AssetTrack, threads: Int, damage: DamagePolicy,
    readers: ReaderBudget
  ) throws(CutroomError) {
    share = readers.open(pictureBytes: track.pictureBytes)
    reader = try FrameReader(
      asset: asset, track: track, threads: threads, damage: damage)
    geometry = PictureGeometry(track: track)
    (self.asset, self.track) = (asset, track)
  }

  func picture(at time: Rational) throws(CutroomError) -> Shown? {
    guard let picture = try reader.picture(at: time) else { return nil }
    return Shown(frame: picture.frame, geometry: geometry)
  }

  func pictures(before time: Rational) throws(CutroomError) -> [TimedPicture] {
    try reader.pictures(before: time, limit: runLength).map { picture in
      TimedPicture(
        start: start(of: picture), shown: Shown(frame: picture.frame, geometry: geometry))
    }
  }

  /// How many pictures are kept to be shown backwards.
  var runLength: Int {
    Self.runLength(pictureBytes: track.pictureBytes)
  }

  /// The source time from which a picture is presented.
  func start(of picture: FrameReader.Picture) -> Rational {
    track.start(ofTick: picture.tick, origin: asset.origin)
  }
}

extension PictureGeometry {
  /// The display of a file's track.
  init(track: AssetTrack) {
    let picture = track.picture
    self.init(
      displaySize: picture?.displaySize ?? PixelSize(width: 0, height: 0),
      rotation: picture?.rotation ?? 0, isFlipped: picture?.isFlipped ?? false)
  }
}

/// One picture without an end: a still, a colour, lettering.
final class ConstantPicture: PictureSource {
  private let shown: Shown

  /// Shows `frame` at every time.
  init(frame: Frame, geometry: PictureGeometry? = nil, isOpaque: Bool = false) {
    let size = PixelSize(width: frame.width, height: frame.height)
    shown = Shown(
      frame: frame, geometry: geometry ?? PictureGeometry(displaySize: size),
      isOpaque: isOpaque)
  }

  /// Decodes the picture of a still file.
  static func still(asset: AssetInfo, track: AssetTrack) throws(CutroomError) -> ConstantPicture {
    do {
      let demuxer = try Demuxer(path: asset.path)
      demuxer.select([track.streamIndex])
      let decoder = try Decoder(demuxer: demuxer, stream: track.streamIndex)
      let mark = LogCapture.mark()
      while true {
        switch try decoder.receive() {
        case .value(let frame):
          // Some picture decoders only tell of damage in their messages.
          let said = LogCapture.errors(since: mark)
          if frame.isCorrupt || decoder.errorCount > 0 || !said.isEmpty {
            throw Self.damaged(asset, decoder, said)
          }
          return ConstantPicture(frame: frame, geometry: PictureGeometry(track: track))
        case .needsInput: _ = try decoder.send(try demuxer.read())
        case .ended: throw Self.damaged(asset, decoder, LogCapture.errors(since: mark))
        }
      }
    } catch let error as CutroomError {
      throw error
    } catch let error as LibAVError {
      throw CutroomError(reading: asset.path, error)
    } catch {
      throw CutroomError(.internal, "internal", "\(error)")
    }
  }

  private static func damaged(
    _ asset: AssetInfo, _ decoder: Decoder, _ said: [String]
  ) -> CutroomError {
    CutroomError(
      .media, "media.damaged",
      "the picture '\(asset.path)' is damaged and does not decode; repair or replace the file",
      details: decoder.lastError.map { [$0.description] } ?? said)
  }

  func picture(at time: Rational) throws(CutroomError) -> Shown? { shown }

  func pictures(before time: Rational) throws(CutroomError) -> [TimedPicture] {
    [TimedPicture(start: .zero, shown: shown)]
  }
}
