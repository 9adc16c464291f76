import CLibAV

/// What makes a script's colours look on a canvas as on the video that it was written for.
///
/// Old players made luma and chroma of a script's red, green and blue by the matrix of its header
/// `YCbCr Matrix`, whatever the video's own was. So a colour stands for that luma and chroma, and is
/// shown as the canvas's matrix makes red, green and blue of them; all in eight bits, as there.
struct ScriptColors {
  /// How much of luma is red, and how much is blue.
  private struct Weights: Equatable {
    var red: Double
    var blue: Double
    var green: Double { 1 - red - blue }

    static let bt601 = Weights(red: 0.299, blue: 0.114)
    static let bt709 = Weights(red: 0.2126, blue: 0.0722)
    static let smpte240 = Weights(red: 0.212, blue: 0.087)
    static let fcc = Weights(red: 0.30, blue: 0.11)
  }

  private let script: Weights
  private let isFull: Bool
  private let canvas: Weights

  /// `nil` where nothing changes: no header or "None", or the canvas's own matrix.
  init?(_ header: ASS_YCbCrMatrix, on matrix: String) {
    switch matrix {
    case "bt709": canvas = .bt709
    case "smpte170m", "bt470bg": canvas = .bt601
    default: return nil
    }
    switch header {
    case YCBCR_BT601_TV: (script, isFull) = (.bt601, false)
    case YCBCR_BT601_PC: (script, isFull) = (.bt601, true)
    case YCBCR_BT709_TV: (script, isFull) = (.bt709, false)
    case YCBCR_BT709_PC: (script, isFull) = (.bt709, true)
    case YCBCR_SMPTE240M_TV: (script, isFull) = (.smpte240, false)
    case YCBCR_SMPTE240M_PC: (script, isFull) = (.smpte240, true)
    case YCBCR_FCC_TV: (script, isFull) = (.fcc, false)
    case YCBCR_FCC_PC: (script, isFull) = (.fcc, true)
    default: return nil
    }
    if script == canvas, !isFull { return nil }
  }

  /// A colour of the script as it is drawn.
  func corrected(_ red: Int, _ green: Int, _ blue: Int) -> (red: Int, green: Int, blue: Int) {
    let (r, g, b) = (Double(red) / 255, Double(green) / 255, Double(blue) / 255)
    let luma = script.red * r + script.green * g + script.blue * b
    let (offset, span, chromaSpan) = isFull ? (0.0, 255.0, 255.0) : (16, 219, 224)
    let y = Self.byte(offset + span * luma)
    let cb = Self.byte(128 + chromaSpan * (b - luma) / (2 * (1 - script.blue)))
    let cr = Self.byte(128 + chromaSpan * (r - luma) / (2 * (1 - script.red)))
    let shown = (Double(y) - 16) / 219
    let (u, v) = ((Double(cb) - 128) / 224, (Double(cr) - 128) / 224)
    let r2 = shown + 2 * (1 - canvas.red) * v
    let b2 = shown + 2 * (1 - canvas.blue) * u
    let g2 = (shown - canvas.red * r2 - canvas.blue * b2) / canvas.green
    return (Self.byte(255 * r2), Self.byte(255 * g2), Self.byte(255 * b2))
  }

  private static func byte(_ value: Double) -> Int { Int(min(255, max(0, value.rounded()))) }
}
