import CutroomMedia
import CutroomModel

extension Resolver {
  /// Checks that the subtitles which clips show as pictures can be drawn as they were written.
  mutating func checkSubtitles(canvas: PixelSize) {
    let drawn = drawnSources
    for index in sources.indices where !sources[index].isFailed && drawn.contains(sources[index].id)
    {
      guard case .file(let path, _, _) = contents[index], let script = assets[path]?.subtitles
      else { continue }
      sources[index].size = canvas
      checkFonts(of: script, index)
      noteWhatIsLost(of: script, index)
    }
    noteFindings()
  }

  /// More lines of a file than this are only counted.
  private static let findingLimit = 16

  /// Says what is wrong in files of subtitles, by the lines of the files.
  private mutating func noteFindings() {
    var told: Set<String> = []
    for index in sources.indices where !sources[index].isFailed {
      guard case .file(let path, _, _) = contents[index], let script = assets[path]?.subtitles,
        told.insert(path).inserted
      else { continue }
      let pointer = sources[index].pointer
      func add(_ finding: SubtitleFinding, _ message: String) {
        findings.add(
          .media,
          elsewhere: Diagnostic(
            .warning, Self.code(of: finding.rule).rawValue, message, at: pointer,
            place: Place(file: path, line: finding.line, column: 1)))
      }
      for finding in script.findings.prefix(Self.findingLimit) {
        add(finding, "line \(finding.line) of '\(path)' \(finding.message)")
      }
      if let next = script.findings.dropFirst(Self.findingLimit).first {
        let count = script.findings.count - Self.findingLimit
        add(next, "\(count) more lines of '\(path)' break rules, from line \(next.line) on")
      }
    }
  }

  private static func code(of rule: SubtitleFinding.Rule) -> DiagnosticCode {
    switch rule {
    case .times: .mediaSubtitleTimes
    case .order: .mediaSubtitleOrder
    case .overlap: .mediaSubtitleOverlap
    case .syntax: .mediaSubtitleSyntax
    case .style: .mediaSubtitleStyle
    }
  }

  /// The sources of clips on tracks with pictures.
  private var drawnSources: Set<String> {
    var drawn: Set<String> = []
    for track in document.tracks where track.kind == .video || track.kind == .av {
      for case .clip(let clip) in track.items where clip.picture != nil {
        drawn.insert(clip.source)
      }
    }
    for edit in document.edits {
      if case .insert(let clip, _) = edit.operation { drawn.insert(clip.source) }
    }
    return drawn
  }

  private mutating func checkFonts(of script: SubtitleScript, _ index: Int) {
    let (id, pointer) = (sources[index].id, sources[index].pointer)
    let usual = SubtitleScript.usualFamily
    guard TextRenderer.hasFont(usual) else {
      findings.add(
        .media, .error, .mediaFont,
        "the subtitles '\(id)' cannot be drawn: there is no font family '\(usual)' here",
        at: pointer)
      sources[index].isFailed = true
      return
    }
    let fonts: SubtitleFonts
    do throws(LibAVError) { fonts = try SubtitleFonts(script) } catch {
      findings.add(
        .media, .error, .mediaUnreadable, "the subtitles '\(id)' cannot be drawn: \(error.reason)",
        at: pointer)
      sources[index].isFailed = true
      return
    }
    var problems: [String] = []
    if !fonts.missingFamilies.isEmpty {
      let names = fonts.missingFamilies.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
      problems.append(
        "\(fonts.missingFamilies.count == 1 ? "the font family" : "the font families") \(names) "
          + "\(fonts.missingFamilies.count == 1 ? "is" : "are") not installed, and '\(usual)' "
          + "stands in")
    }
    if !fonts.missingCharacters.isEmpty {
      let names = fonts.missingCharacters.prefix(8).map { character in
        "'\(character)' (U+\(String(character.value, radix: 16, uppercase: true)))"
      }
      let more = fonts.missingCharacters.count - names.count
      problems.append(
        "no font has the characters \(names.joined(separator: ", "))"
          + (more > 0 ? " and \(more) more" : ""))
    }
    if !fonts.unreadableFonts.isEmpty {
      let names = fonts.unreadableFonts.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
      problems.append("the fonts \(names) that it brings cannot be read")
    }
    guard !problems.isEmpty else { return }
    findings.add(
      .media, .warning, .mediaFont,
      "the subtitles '\(id)' are drawn differently: \(problems.joined(separator: "; "))",
      at: pointer, fix: "install the fonts")
  }

  private mutating func noteWhatIsLost(of script: SubtitleScript, _ index: Int) {
    var lost: [String] = []
    if script.emptyCount > 0 {
      lost.append(
        script.emptyCount == 1
          ? "a line is never shown, as it ends before it begins"
          : "\(script.emptyCount) lines are never shown, as they end before they begin")
    }
    if !script.settingNames.isEmpty {
      let names = script.settingNames.map { "'\($0)'" }.joined(separator: ", ")
      lost.append("the settings \(names) of cues have no effect")
    }
    if !script.blocks.isEmpty {
      lost.append("\(script.blockNames) have no effect")
    }
    guard !lost.isEmpty else { return }
    findings.add(
      .media, .warning, .shapeNoEffect,
      "of the subtitles '\(sources[index].id)', \(lost.joined(separator: "; "))",
      at: sources[index].pointer)
  }
}

extension SubtitleScript {
  /// What a file of WebVTT says of all its cues, in words: "STYLE (line 3), REGION 'a' (line 7)".
  var blockNames: String {
    let names = blocks.prefix(8).map { "\($0.name) (line \($0.line))" }.joined(separator: ", ")
    return blocks.count > 8 ? names + " and \(blocks.count - 8) more" : names
  }
}
