import CutroomMedia
import CutroomModel
import Testing

@testable import Cutroom

/// A composition of 25 frames a second with the given sources and tracks.
func layers(
  size: String = "[64, 36]", background: String = "#000000", sources: String = "",
  color: String = "bt709", _ tracks: String
) -> String {
  """
  {"format": "cutroom/1",
   "timeline": {"frameRate": 25, "size": \(size), "background": "\(background)",
                "color": "\(color)"},
   "sources": {"white": {"color": "#FFFFFF"},
     "pattern": {"generator": "testsrc2", "size": [64, 36], "frameRate": 25, "duration": "4s"}\(
     sources.isEmpty ? "" : ", " + sources)},
   "tracks": [\(tracks)]}
  """
}

/// A track of one clip of a second.
func track(_ source: String = "white", _ video: String, track: String = "") -> String {
  """
  {"kind": "video", \(track)
   "clips": [{"source": "\(source)", "duration": "1s", "video": {\(video)}}]}
  """
}

extension DrawnPicture {
  var height: Int { planes[0].count / width }

  /// How much of white there is in all, in pixels, and where its middle lies.
  var whiteness: (area: Double, x: Double, y: Double) {
    var (area, x, y) = (0.0, 0.0, 0.0)
    for row in 0..<height {
      for column in 0..<width {
        let part = Double(Int(planes[0][row * width + column]) - 16) / 219
        area += part
        x += part * (Double(column) + 0.5)
        y += part * (Double(row) + 0.5)
      }
    }
    return (area, x / area, y / area)
  }

  /// The luma alone, of any format, in 8 bits.
  init(luma frame: Frame) {
    width = frame.width
    let shift = (frame.format?.bitDepth ?? 8) - 8
    planes = [
      (0..<frame.height).flatMap { y in
        (0..<frame.width).map { x in
          UInt8(clamping: (frame.sample(plane: 0, x, y) + (1 << shift) / 2) >> shift)
        }
      }
    ]
  }

  /// The mean of how much the luma differs.
  func difference(_ other: DrawnPicture) -> Double {
    let sum = zip(planes[0], other.planes[0]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(planes[0].count)
  }
}
