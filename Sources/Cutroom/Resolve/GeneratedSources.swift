import CutroomMedia
import CutroomModel

/// Sources that libraries make up: whether they can be made, and what they are.
enum GeneratedSources {
  /// The sources that people use, for suggestions.
  private static let usual = [
    "smptehdbars", "smptebars", "pal75bars", "pal100bars", "testsrc", "testsrc2", "rgbtestsrc",
    "yuvtestsrc", "color", "gradients", "mandelbrot", "life", "cellauto", "nullsrc", "allrgb",
    "sierpinski", "sine", "anullsrc", "anoisesrc", "aevalsrc",
  ]

  /// The kind of what the chain `text` gives, or why it cannot be built.
  static func kind(of text: String) -> Result<AssetTrack.Kind, Problem> {
    let parts = filters(in: text)
    let names = parts.map(\.name)
    for part in parts {
      let name = part.name
      if let reason = FilterPolicy.refusalInGenerator(of: name, options: part.options) {
        return .failure(Problem("the filter '\(name)' cannot be used: it \(reason)"))
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

  /// The channel layout of the sound that the chain `text` gives; `nil` where it gives none.
  static func layout(of text: String) -> String? {
    do throws(LibAVError) {
      let layout = try FilterGraph.source(text, kind: .audio).outputChannelLayout
      return layout.isEmpty ? nil : layout
    } catch {
      return nil
    }
  }

  /// Why a source cannot be made.
  struct Problem: Error {
    var message: String

    init(_ message: String) { self.message = message }
  }

  /// A filter of a chain; an option without a name is one by its place.
  typealias Part = (name: String, options: [(name: String?, value: String)])

  /// The filters of a chain, in order; quoted and escaped separators do not count.
  static func filters(in text: String) -> [Part] {
    split(text[...], at: ",;").map { part in
      var rest = part.drop { $0.isWhitespace }
      while rest.first == "[", let close = rest.firstIndex(of: "]") {
        rest = rest[rest.index(after: close)...].drop { $0.isWhitespace }
      }
      let name = rest.prefix { $0 != "=" && $0 != "@" && $0 != "[" && !$0.isWhitespace }
      guard let equals = rest.firstIndex(of: "=") else { return (String(name), []) }
      let options = split(rest[rest.index(after: equals)...], at: ":").map { option in
        let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let key = pair[0].trimmingPrefix { $0.isWhitespace }
        let isKey = pair.count == 2 && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return (name: isKey ? String(key) : nil, value: String(isKey ? pair[1] : option))
      }
      return (String(name), options)
    }
  }

  private static func split(_ text: Substring, at separators: String) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var (isQuoted, isEscaped) = (false, false)
    for index in text.indices {
      let character = text[index]
      if separators.contains(character), !isQuoted, !isEscaped {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
      if character == "'" && !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped && !isQuoted
    }
    return parts + [text[start...]]
  }

  /// Whether the source filter `name` has an option `option`.
  static func has(_ option: String, _ name: String) -> Bool {
    FilterGraph.filterInfo(name: name)?.options.contains { $0.name == option } ?? false
  }

  /// Why `text` cannot be drawn within `width` pixels; `nil` if it can.
  static func problem(with text: TextSource, width: Int) -> String? {
    do throws(LibAVError) {
      _ = try TextRenderer.render(text, maxWidth: width)
      return nil
    } catch {
      return error.reason
    }
  }
}
