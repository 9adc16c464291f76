import CutroomMedia
import CutroomModel

/// A kind of picture file.
enum StillFormat: Hashable {
  case png, jpeg

  /// The endings of all of them.
  static let endings = ["png", "jpg", "jpeg"]

  /// By the ending of a name.
  init(path: String) throws(CutroomError) {
    switch DrawingFile.ending(of: path) {
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg
    default: throw DrawingFile.unknownEnding(path, Self.endings)
    }
  }

  /// The pixels of a file that shows `source` without loss; JPEG has no alpha and eight bits.
  func pixelFormat(for source: PixelFormat, isOpaque: Bool = false) -> String {
    let isDeep = source.bitDepth > 8
    switch self {
    case .jpeg: return "yuvj444p"
    case .png:
      if source.hasAlpha && !isOpaque { return isDeep ? "rgba64be" : "rgba" }
      return isDeep ? "rgb48be" : "rgb24"
    }
  }

  /// The bytes of a file with this picture, which has a pixel format of this kind of file.
  func encoded(_ frame: Frame) throws(LibAVError) -> [UInt8] {
    guard let format = frame.format else {
      throw LibAVError(code: 0, action: "encode a picture", reason: "it has no pixel format")
    }
    var settings = VideoEncoderSettings(
      encoder: self == .png ? "png" : "mjpeg", width: frame.width, height: frame.height,
      format: format, timeBase: TimeBase(1, 25))
    if self == .jpeg {
      // The quantiser that ffmpeg's programs call -q:v 2: hardly any loss.
      settings.options = [KeyValue("qmin", "2"), KeyValue("qmax", "2")]
      settings.colorTags.range = "pc"
    }
    let encoder = try Encoder(video: settings)
    let own = try frame.reference()
    own.pts = 0
    _ = try encoder.send(own)
    _ = try encoder.send(nil)
    guard case .value(let packet) = try encoder.receive() else {
      throw LibAVError(code: 0, action: "encode a picture", reason: "no packet came out")
    }
    return packet.bytes
  }
}

/// Brings decoded pixels to the form in which they are seen.
enum DisplayedPicture {
  /// The picture turned, with square pixels, in `size` and a pixel format.
  static func convert(
    _ frame: Frame, _ geometry: PictureGeometry, size: PixelSize, format: String
  ) throws(CutroomError) -> Frame {
    guard let pixels = frame.format,
      let conversion = Placement.scaling(geometry.displaySize, to: size)
    else {
      throw CutroomError(
        .unsupported, DiagnosticCode.sizeLimit.rawValue,
        "a picture of \(size.width)×\(size.height) is larger than can be scaled")
    }
    let shape = LayerConverter.Shape(
      input: GraphDescription.VideoInput(
        width: frame.width, height: frame.height, format: pixels, timeBase: TimeBase(1, 1)),
      coded: CodedColor(frame), rotation: geometry.rotation, isFlipped: geometry.isFlipped,
      // The matrix of JPEG files; it means nothing for RGB.
      conversion: conversion, format: format, color: .bt601NTSC)
    return try LayerConverter().convert(Shown(frame: frame, geometry: geometry), to: shape)
  }
}
