import CutroomMedia
import CutroomModel

extension Resolver {
  /// Lists the named sources, then the files that clips name by path.
  mutating func declareSources() {
    for named in document.sources {
      declare(named.id, named.source, at: "/sources/" + named.id.pointerEscaped)
    }
    for (trackIndex, track) in document.tracks.enumerated() {
      for (itemIndex, item) in track.items.enumerated() {
        guard case .clip(let clip) = item, sourceIndices[clip.source] == nil else { continue }
        let pointer = "/tracks/\(trackIndex)/clips/\(itemIndex)/source"
        if isFlawed(pointer) || clip.source.isEmpty { continue }
        let declaration = "/sources/" + clip.source.pointerEscaped
        declare(
          clip.source, .file(path: clip.source, video: nil, audio: nil),
          at: isFlawed(declaration) ? declaration : pointer)
      }
    }
    if let like = document.export.like, !isFlawed("/export/like") {
      declare(like, .file(path: like, video: nil, audio: nil), at: "/export/like")
    }
    for (index, edit) in document.edits.enumerated() {
      guard case .insert(let clip, _) = edit.operation, sourceIndices[clip.source] == nil else {
        continue
      }
      let pointer = "/edits/\(index)/clip/source"
      if isFlawed(pointer) || clip.source.isEmpty { continue }
      declare(clip.source, .file(path: clip.source, video: nil, audio: nil), at: pointer)
    }
    if case .from(let id) = document.metadata.inherit, sourceIndices[id] == nil {
      let pointer = "/metadata/inherit/from"
      findings.add(
        .reference, .error, .referenceUnknownSource,
        "'\(id)' is neither an id in \"sources\" nor a file that a clip uses", at: pointer,
        fix: suggestion(for: id))
    }
  }

  private mutating func declare(
    _ id: String, _ description: SourceDescription, at pointer: String
  ) {
    guard sourceIndices[id] == nil else { return }
    sourceIndices[id] = sources.count
    var source = ResolvedSource(index: sources.count, id: id, pointer: pointer)
    source.isFailed = isFlawed(pointer)
    sources.append(source)
    contents.append(description)
  }

  /// Opens every file, all at once, and works out what each source gives.
  mutating func examineSources(_ open: @escaping AssetOpener) {
    var paths: [Int: String] = [:]
    for index in sources.indices where !sources[index].isFailed {
      guard case .file(let text, let video, let audio) = contents[index] else { continue }
      guard let path = locate(text, index) else {
        sources[index].isFailed = true
        continue
      }
      paths[index] = path
      contents[index] = .file(path: path, video: video, audio: audio)
    }
    var distinct: [String] = []
    var seen: Set<String> = []
    for index in sources.indices {
      if let path = paths[index], seen.insert(path).inserted { distinct.append(path) }
    }
    let results = SourceProber(open: open).probe(distinct)
    for index in sources.indices where !sources[index].isFailed {
      if let path = paths[index] {
        examine(index, results[path])
      } else if case .composition(let text) = contents[index] {
        examineComposition(index, text, open)
      } else {
        describeGenerated(index)
      }
    }
  }

  private func pathPointer(_ index: Int) -> String {
    let pointer = sources[index].pointer
    if case .composition = contents[index] { return pointer + "/composition" }
    return pointer.hasPrefix("/sources/") ? pointer + "/path" : pointer
  }

  mutating func locate(_ text: String, _ index: Int) -> String? {
    let pointer = pathPointer(index)
    switch SourcePath(text, in: baseDirectory) {
    case .file(let path): return path
    case .unsupported(let scheme):
      findings.add(
        .reference, .error, .unsupported,
        "'\(text)' is a URL of the scheme '\(scheme)', which is not read yet", at: pointer,
        fix: "use a path, or a file:// URL")
    case .malformed(let reason):
      findings.add(
        .reference, .error, .mediaUnreadable, "'\(text)' does not name a file: \(reason)",
        at: pointer)
    }
    return nil
  }

  private mutating func examine(_ index: Int, _ result: Result<AssetInfo, AssetError>?) {
    switch result {
    case .success(let asset):
      assets[asset.path] = asset
      choose(index, asset)
    case .failure(let error): report(error, index)
    case nil: break
    }
    if case .success = result { return }
    sources[index].isFailed = true
  }

  private mutating func report(_ error: AssetError, _ index: Int) {
    let id = sources[index].id
    let pointer = pathPointer(index)
    if error.reason == .missing, !sources[index].pointer.hasPrefix("/sources/"),
      !document.sources.isEmpty, !id.contains("/"), !id.contains(".")
    {
      findings.add(
        .reference, .error, .referenceUnknownSource,
        "'\(id)' is neither an id in \"sources\" nor a file beside the composition", at: pointer,
        fix: suggestion(for: id))
      return
    }
    findings.add(.media, .error, error.code, error.message, at: pointer)
  }

  private func suggestion(for id: String) -> String? {
    // What was declared with a mistake may be meant all the same.
    let wrong = flaws.compactMap { flaw -> String? in
      let tokens = flaw.split(separator: "/")
      guard tokens.count > 1, tokens[0] == "sources" else { return nil }
      return String(tokens[1]).replacing("~1", with: "/").replacing("~0", with: "~")
    }
    var known = document.sources.map(\.id)
    for id in Set(wrong).sorted() where !known.contains(id) { known.append(id) }
    guard let nearest = Suggestion.nearest(to: id, in: known) else {
      return known.isEmpty ? nil : "declared are " + known.prefix(8).joined(separator: ", ")
    }
    return "write \"\(nearest)\""
  }

  private mutating func choose(_ index: Int, _ asset: AssetInfo) {
    guard case .file(_, let video, let audio) = contents[index] else { return }
    let tracks = [
      chosen(.video, video, "video", index, asset), chosen(.audio, audio, "audio", index, asset),
    ]
    sources[index].describe(asset, video: tracks[0], audio: tracks[1])
  }

  private mutating func chosen(
    _ kind: AssetTrack.Kind, _ choice: StreamChoice?, _ key: String, _ index: Int,
    _ asset: AssetInfo
  ) -> AssetTrack? {
    let track = asset.track(kind, choice)
    guard track == nil, let choice else { return track }
    let candidates = asset.tracks.filter { $0.kind == kind }
    let wanted =
      switch choice {
      case .index(let number): "number \(number)"
      case .language(let language): "in the language '\(language)'"
      }
    let languages = candidates.compactMap(\.language).joined(separator: ", ")
    findings.add(
      .reference, .error, .mediaNoStream,
      "'\(asset.path)' has no \(key) stream \(wanted): it has \(candidates.count), counted from 0"
        + (languages.isEmpty ? "" : ", in \(languages)"),
      at: sources[index].pointer + "/" + key)
    sources[index].isFailed = true
    return nil
  }

  private mutating func describeGenerated(_ index: Int) {
    switch contents[index] {
    case .file: break
    case .color(let color):
      sources[index].picture = ResolvedSource.Stream(isConstant: true)
      (sources[index].pixelFormat, sources[index].isOpaque) = ("rgba", color.alpha == 255)
    case .text:
      sources[index].pixelFormat = "rgba"
      sources[index].picture = ResolvedSource.Stream(isConstant: true)
      sources[index].subtitle = ResolvedSource.Stream(isConstant: true)
    case .generator(let generator): describe(generator, index)
    case .composition: break
    }
  }

  private mutating func describe(_ generator: GeneratorSource, _ index: Int) {
    let text = GeneratorText(generator.filter)
    let pointer = sources[index].pointer
    let kind: AssetTrack.Kind
    switch GeneratedSources.kind(of: generator.filter) {
    case .success(let found): kind = found
    case .failure(let problem):
      findings.add(
        .media, .error, .mediaGenerator, problem.message, at: pointer + "/generator",
        fix: "use a source of libavfilter, such as \"testsrc2\" or \"sine=frequency=440\"")
      sources[index].isFailed = true
      return
    }
    // A generator's own rate gives its frame counts a length; the timeline's may not be known yet.
    var stream = ResolvedSource.Stream()
    if let duration = generator.duration {
      if let own = generator.frameRate ?? text.frameRate, case .frames(let count, nil) = duration {
        stream.end = own.time(ofFrame: count)
        stream.lastPicture = kind == .video ? own.time(ofFrame: max(0, count - 1)) : nil
      } else {
        generatorLengths[index] = duration
      }
    }
    checkOptions(of: generator, text.name, kind, pointer)
    if kind == .audio {
      sources[index].sound = stream
      sources[index].sampleRate = text.sampleRate
      sources[index].channelLayout = text.channelLayout
      sources[index].generatorLayout = GeneratedSources.layout(of: generator.filter)
    } else {
      sources[index].picture = stream
      sources[index].size = generator.size ?? text.size
      sources[index].frameRate = generator.frameRate ?? text.frameRate
      sources[index].grid = sources[index].frameRate.map { SourceGrid(rate: $0) }
    }
  }

  private mutating func checkOptions(
    of generator: GeneratorSource, _ name: String, _ kind: AssetTrack.Kind, _ pointer: String
  ) {
    let stated = [
      ("size", "size", generator.size != nil), ("frameRate", "rate", generator.frameRate != nil),
    ]
    for (key, option, isStated) in stated where isStated {
      if kind == .audio {
        findings.add(
          .media, .warning, .shapeNoEffect, "'\(key)' has no effect: '\(name)' makes sound",
          at: pointer + "/" + key)
      } else if !GeneratedSources.has(option, name) {
        findings.add(
          .media, .error, .mediaGenerator, "the generator '\(name)' has no option '\(option)'",
          at: pointer + "/" + key)
      }
    }
  }

  /// Checks that every text can be drawn on a canvas of `width` pixels.
  mutating func checkTexts(width: Int) {
    for index in sources.indices where !sources[index].isFailed {
      guard case .text(let text) = contents[index],
        let problem = GeneratedSources.problem(with: text, width: width)
      else { continue }
      let key = TextRenderer.hasFont(text.font) ? "/text" : "/font"
      findings.add(
        .media, .error, .mediaFont, "the text '\(sources[index].id)' cannot be drawn: \(problem)",
        at: sources[index].pointer + key)
    }
  }

  /// Gives generators the lengths that depend on the timeline's rate.
  mutating func measureGenerators() {
    for (index, expression) in generatorLengths.sorted(by: { $0.key < $1.key }) {
      let pointer = sources[index].pointer + "/duration"
      guard let end = length(expression, at: pointer) else {
        sources[index].isFailed = true
        continue
      }
      guard end > .zero else {
        findings.add(
          .time, .error, .rangeEmpty, "the generator lasts 0s, but must last longer", at: pointer)
        sources[index].isFailed = true
        continue
      }
      if sources[index].picture != nil {
        sources[index].picture?.end = end
        let rate = (sources[index].frameRate ?? rate).framesPerSecond
        sources[index].picture?.lastPicture = ResolvedSource.lastPicture(
          from: 0, to: end, rate: rate)
      }
      if sources[index].sound != nil { sources[index].sound?.end = end }
    }
  }
}
