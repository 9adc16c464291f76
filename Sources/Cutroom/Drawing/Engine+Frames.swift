import CutroomMedia
public import CutroomModel

extension Engine {
  /// Writes the picture of a media file or composition that is shown at each of `times`.
  ///
  /// Each is the picture whose presentation interval holds the time, turned and with square pixels
  /// as it is displayed. One is written to `output`; several to `output` with a number before its
  /// ending, in the order of `times`. The ending says PNG or JPEG.
  ///
  /// - Throws: ``CutroomError``; all times at which nothing is shown, such as the end, are named at
  ///   once and nothing is written then.
  public static func frames(
    of input: MediaInput, at times: [TimeExpression], output: String, overwrite: Bool = false,
    cancellation: Cancellation = Cancellation()
  ) throws(CutroomError) -> FrameReport {
    let format = try StillFormat(path: output)
    let names = FrameNames(output: output, count: times.count)
    var files: [DrawingFile] = []
    for index in times.indices {
      files.append(
        try DrawingFile(names[index], overwrite: overwrite, inputs: input.inputs))
    }
    let source = try openFrames(input)
    let requested = times.map { $0.seconds(at: source.frameRate) }
    try refuse(requested, source)
    var report = FrameReport(frames: [])
    if let transfer = source.hdrTransfer {
      report.warnings.append(
        Diagnostic(
          .warning, .colorHDRPicture,
          "the pictures have the high dynamic range of \(transfer), which is not mapped to the "
            + "standard range of picture files: they look flat", at: ""))
    }
    var made: [Int: FrameReport.Frame] = [:]
    // Rising times are cheap.
    for index in times.indices.sorted(by: { requested[$0] < requested[$1] }) {
      try cancellation.check()
      let (picture, actual) = try source.frame(at: requested[index], for: format)
      do {
        try files[index].write(try format.encoded(picture))
      } catch let error as CutroomError {
        throw error
      } catch {
        throw CutroomError(
          .internal, "frame.encode", "the picture cannot be encoded: \(error)")
      }
      made[index] = FrameReport.Frame(
        requested: requested[index], actual: actual, output: names[index],
        size: PixelSize(width: picture.width, height: picture.height))
    }
    report.frames = times.indices.compactMap { made[$0] }
    return report
  }

  private static func openFrames(_ input: MediaInput) throws(CutroomError) -> any FrameSource {
    switch input {
    case .file(let path): try FileFrames(path: path)
    case .composition(let checked): try TimelineFrames(checked)
    }
  }

  private static func refuse(
    _ times: [Rational], _ source: any FrameSource
  ) throws(CutroomError) {
    let findings = times.filter { !source.shows(at: $0) }.map { time in
      Diagnostic(
        .error, .frameNone,
        time.isValid
          ? "'\(source.path)' shows nothing at \(time.secondsText): its pictures last from "
            + "\(source.start.secondsText) to \(source.end?.secondsText ?? "any time"), the end "
            + "not included"
          : "'\(source.path)' has no such timecode at \(source.frameRate.text) frames a second",
        at: "")
    }
    guard let first = findings.first else { return }
    throw CutroomError(.input, first.code, first.message, diagnostics: findings)
  }
}

/// The names of several files by one.
struct FrameNames {
  private let stem: String
  private let ending: String
  private let count: Int

  init(output: String, count: Int) {
    let length = DrawingFile.ending(of: output).count
    ending = length == 0 ? "" : String(output.suffix(length + 1))
    stem = String(output.dropLast(ending.count))
    self.count = count
  }

  /// `shot.png`, or `shot-03.png` as one of at least ten.
  subscript(index: Int) -> String {
    guard count > 1 else { return stem + ending }
    let number = String(index + 1)
    let zeros = String(repeating: "0", count: String(count).count - number.count)
    return "\(stem)-\(zeros)\(number)\(ending)"
  }
}
