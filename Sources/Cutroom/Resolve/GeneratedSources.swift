import CutroomMedia
import CutroomModel

/// Sources that libraries make up: whether they can be made, and what they are.
enum GeneratedSources {
  /// Filters that read files or devices, which would be inputs that nobody declared.
  static let refused: Set<String> = [
    "movie", "amovie", "buffer", "abuffer", "subtitles", "ass", "drawtext", "lut1d", "lut3d",
    "frei0r", "frei0r_src", "ladspa", "lv2", "arnndn", "sofalizer", "sendcmd", "asendcmd",
    "openclsrc", "program_opencl", "signature", "dnn_processing", "dnn_detect", "dnn_classify",
    "derain", "sr", "libvmaf", "vidstabdetect", "vidstabtransform", "metadata", "ametadata",
    "psnr", "ssim", "zmq", "azmq", "hwupload", "removelogo", "find_rect",
    "cover_rect", "ocr",
  ]

  /// The sources that people use, for suggestions.
  private static let usual = [
    "smptehdbars", "smptebars", "pal75bars", "pal100bars", "testsrc", "testsrc2", "rgbtestsrc",
    "yuvtestsrc", "color", "gradients", "mandelbrot", "life", "cellauto", "nullsrc", "allrgb",
    "sierpinski", "sine", "anullsrc", "anoisesrc", "aevalsrc",
  ]

  /// The kind of what the chain `text` gives, or why it cannot be built.
  static func kind(of text: String) -> Result<AssetTrack.Kind, Problem> {
    let names = filterNames(in: text)
    for name in names {
      if refused.contains(name) {
        return .failure(Problem("the filter '\(name)' reads or writes beside the composition"))
      }
      if !FilterGraph.filterExists(name) {
        let meant = Suggestion.nearest(to: name, in: usual).map { "; did you mean '\($0)'?" } ?? ""
        return .failure(Problem("libavfilter has no filter '\(name)'" + meant))
      }
    }
    guard let first = names.first, let source = FilterGraph.filterInfo(name: first),
      let last = names.last.flatMap({ FilterGraph.filterInfo(name: $0) })
    else { return .failure(Problem("the generator has no name")) }
    guard source.inputs.isEmpty, !source.hasDynamicInputs else {
      return .failure(Problem("the filter '\(first)' makes nothing of its own: it needs an input"))
    }
    let kind: AssetTrack.Kind = last.outputs.first == .audio ? .audio : .video
    do throws(LibAVError) {
      _ = try FilterGraph.source(text, kind: kind == .audio ? .audio : .video)
      return .success(kind)
    } catch {
      let detail = error.log.last.map { ": \($0)" } ?? ""
      return .failure(Problem("the generator '\(text)' cannot be built: \(error.reason)\(detail)"))
    }
  }

  /// Why a source cannot be made.
  struct Problem: Error {
    var message: String

    init(_ message: String) { self.message = message }
  }

  /// The names of the filters of a chain, in order; quoted and escaped separators do not count.
  static func filterNames(in text: String) -> [String] {
    var parts: [String] = [""]
    var isQuoted = false
    var isEscaped = false
    for character in text {
      let isSeparator = (character == "," || character == ";") && !isQuoted && !isEscaped
      if isSeparator {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
      if character == "'" && !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped && !isQuoted
    }
    return parts.map { part in
      var rest = Substring(part).drop { $0.isWhitespace }
      while rest.first == "[", let close = rest.firstIndex(of: "]") {
        rest = rest[rest.index(after: close)...].drop { $0.isWhitespace }
      }
      let name = rest.prefix { $0 != "=" && $0 != "@" && $0 != "[" && !$0.isWhitespace }
      return String(name)
    }
  }

  /// Whether the source filter `name` has an option `option`.
  static func has(_ option: String, _ name: String) -> Bool {
    FilterGraph.filterInfo(name: name)?.options.contains { $0.name == option } ?? false
  }

  /// Why `text` cannot be drawn within `width` pixels; `nil` if it can.
  static func problem(with text: TextSource, width: Int) -> String? {
    func parts(_ color: Color) -> (UInt8, UInt8, UInt8, UInt8) {
      (color.red, color.green, color.blue, color.alpha)
    }
    do throws(LibAVError) {
      _ = try TextRenderer.render(
        text: text.text, font: text.font, size: text.size.doubleValue, color: parts(text.color),
        alignment: text.align.rawValue, box: text.box.map(parts), maxWidth: width)
      return nil
    } catch {
      return error.reason
    }
  }
}
