import CutroomMedia
import CutroomModel

/// What a clip shows, addressed by exact source time.
///
/// Used by one thread at a time.
protocol PictureSource: AnyObject {
  /// The shape of all its pictures, for building graphs; may differ later, see ``Shown``.
  func picture(at time: Rational) throws(CutroomError) -> Shown?
}

/// A picture as a source shows it.
struct Shown {
  /// The decoded pixels.
  let frame: Frame
  /// Equal numbers of one source mean the same pixels.
  let serial: UInt64
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
  private let reader: FrameReader
  private let geometry: PictureGeometry

  init(asset: AssetInfo, track: AssetTrack, threads: Int, concealsDamage: Bool)
    throws(CutroomError)
  {
    reader = try FrameReader(
      asset: asset, track: track, threads: threads, concealsDamage: concealsDamage)
    geometry = PictureGeometry(track: track)
  }

  func picture(at time: Rational) throws(CutroomError) -> Shown? {
    guard let picture = try reader.picture(at: time) else { return nil }
    return Shown(frame: picture.frame, serial: picture.serial, geometry: geometry)
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
      frame: frame, serial: 1, geometry: geometry ?? PictureGeometry(displaySize: size),
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
}

/// Pictures of a libavfilter source, on its own grid from source time 0.
final class GeneratorPictures: PictureSource {
  private let source: GeneratorSource
  private let rate: FrameRate
  private var graph: FilterGraph
  private var current: Frame?
  private var index: Int64 = -1

  /// - Throws: ``CutroomError`` with code `input` when libavfilter refuses the source.
  init(_ source: GeneratorSource, rate: FrameRate) throws(CutroomError) {
    self.source = source
    self.rate = rate
    graph = try Self.open(source, rate: rate)
  }

  private static func open(
    _ source: GeneratorSource, rate: FrameRate
  ) throws(CutroomError) -> FilterGraph {
    do {
      return try FilterGraph.source(source.filterText(rate: rate), kind: .video)
    } catch {
      throw CutroomError(
        .input, "media.generator",
        "the generator '\(source.filter)' cannot be made: \(error.reason)", details: error.log)
    }
  }

  func picture(at time: Rational) throws(CutroomError) -> Shown? {
    guard time >= .zero else { return nil }
    let wanted = rate.frame(at: time)
    if wanted < index {
      graph = try Self.open(source, rate: rate)
      (current, index) = (nil, -1)
    }
    while index < wanted {
      do {
        guard case .value(let frame) = try graph.pull() else { return nil }
        current = frame
        index += 1
      } catch {
        throw CutroomError(
          .media, "media.generator", "the generator '\(source.filter)' failed: \(error.reason)",
          details: error.log)
      }
    }
    guard let current else { return nil }
    let size = PixelSize(width: current.width, height: current.height)
    return Shown(
      frame: current, serial: UInt64(bitPattern: index),
      geometry: PictureGeometry(displaySize: size))
  }
}

extension GeneratorSource {
  /// The filter with its options, size and rate in libavfilter's spelling.
  func filterText(rate: FrameRate) -> String {
    var options: [String] = []
    if let size { options.append("size=\(size.width)x\(size.height)") }
    options.append("rate=\(rate)")
    let separator = filter.contains("=") ? ":" : "="
    return filter + separator + options.joined(separator: ":")
  }
}
