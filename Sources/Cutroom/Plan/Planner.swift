public import CutroomModel
import CutroomMedia

/// What planning gives: a plan, or the findings that prevent one.
public struct PlannedExport: Sendable {
  /// The plan; `nil` where an error was found.
  public var plan: ExportPlan?
  /// All findings, those of the composition included.
  public var diagnostics: [Diagnostic]
  /// Whether something prevents the export.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// What the command line says beside the composition.
public struct ExportOverrides: Sendable {
  /// Instead of the composition's `mode`.
  public var mode: ExportSettings.Mode?
  /// Instead of its `cut`.
  public var cut: ExportSettings.Cut?
  /// Instead of its `range`.
  public var range: ExportRange?
  /// Instead of its `container`.
  public var container: String?
  /// Instead of its `mode`, `video` and `audio`, before all others.
  public var preset: ExportPreset?

  /// Nothing.
  public init() {}
}

extension Engine {
  /// Decides for each stream what is copied and what rendered; writes nothing.
  ///
  /// The output's name gives the container where the composition does not.
  public static func plan(
    _ composition: CheckedComposition, output: String,
    overrides: ExportOverrides = ExportOverrides()
  ) -> PlannedExport {
    guard !composition.hasErrors, var document = composition.document,
      var timeline = composition.timeline
    else { return PlannedExport(plan: nil, diagnostics: composition.diagnostics) }
    overrides.preset?.apply(to: &document.export, output: output)
    document.export.mode = overrides.mode ?? document.export.mode
    document.export.cut = overrides.cut ?? document.export.cut
    document.export.range = overrides.range ?? document.export.range
    document.export.container = overrides.container ?? document.export.container
    var moves: [Diagnostic] = []
    if document.export.cut == .keyframe, document.export.mode != .render {
      switch movingCuts(timeline, composition.assets, document) {
      case .moved(let moved, let notes): (timeline, moves) = (moved, notes)
      case .refused(let finding):
        let placed = composition.text.map { $0.placed([finding]) } ?? [finding]
        return PlannedExport(plan: nil, diagnostics: composition.diagnostics + placed)
      }
    }
    var planner = Planner(
      timeline: timeline, document: document, assets: composition.assets,
      baseDirectory: composition.baseDirectory, compositionPath: composition.path, output: output)
    planner.preset = overrides.preset
    planner.diagnostics = moves
    let plan = planner.plan()
    let findings =
      composition.text.map { $0.placed(planner.diagnostics) } ?? planner.diagnostics
    let all = composition.diagnostics + findings
    return PlannedExport(plan: plan, diagnostics: all)
  }
}

extension Engine {
  private static func movingCuts(
    _ timeline: Timeline, _ assets: [String: AssetInfo], _ document: CompositionDocument
  ) -> KeyframeCut.Outcome {
    guard document.export.range == nil else {
      return .refused(
        Diagnostic(
          .error, DiagnosticCode.passthroughCut.rawValue,
          "cuts cannot be moved to keyframes where only a range of the timeline is exported",
          at: "/export/range", fix: "cut with the clips' in and out"))
    }
    var cut = KeyframeCut(timeline, assets: assets)
    do {
      return try cut.moved()
    } catch {
      return .refused(
        Diagnostic(
          .error, DiagnosticCode.mediaUnreadable.rawValue, error.message, at: "/export/cut"))
    }
  }
}

/// Turns a timeline into a plan.
struct Planner {
  let timeline: Timeline
  let document: CompositionDocument
  let assets: [String: AssetInfo]
  let baseDirectory: String
  let compositionPath: String
  let output: String
  var preset: ExportPreset?
  var diagnostics: [Diagnostic] = []
  var start: Rational = 0
  var duration: Rational = 0

  init(
    timeline: Timeline, document: CompositionDocument, assets: [String: AssetInfo],
    baseDirectory: String, compositionPath: String, output: String
  ) {
    self.timeline = timeline
    self.document = document
    self.assets = assets
    self.baseDirectory = baseDirectory
    self.compositionPath = compositionPath
    self.output = output
  }

  var settings: ExportSettings { document.export }

  mutating func plan() -> ExportPlan? {
    guard let container = container(), let (start, end) = range() else { return nil }
    self.start = start
    duration = end - start
    checkOutput()
    checkCut(container)
    let video = planVideo(container)
    let audio = planAudio(container)
    let further = planFurther(container, video, audio)
    let findings = diagnostics.count
    let timecode = startTimecode(container, video)
    noteWhatIsLeftOut(
      container, audio, further,
      saysTimecode: timecode != nil || diagnostics.count > findings)
    noteDescriptions(container, video)
    checkTimescale(container, video)
    if video == nil, audio == nil, !hasErrors {
      error(
        .capabilityContainer,
        "there is nothing to export: the timeline has no picture or sound that "
          + "'\(container.name)' can hold", at: "")
    }
    guard !hasErrors else { return nil }
    var plan = ExportPlan(
      timeline: timeline, start: start, duration: duration, output: output,
      diagnostics: diagnostics, video: video, audio: audio, further: further,
      container: container, document: document, assets: assets, baseDirectory: baseDirectory,
      optimizesForNetworkUse: settings.optimizesForNetworkUse, startTimecode: timecode,
      chapters: chapters(container))
    noteLabels(plan)
    plan.diagnostics = diagnostics
    return plan
  }

  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  mutating func error(
    _ code: DiagnosticCode, _ message: String, at pointer: String, fix: String? = nil
  ) {
    diagnostics.append(Diagnostic(.error, code.rawValue, message, at: pointer, fix: fix))
  }

  mutating func warn(_ code: DiagnosticCode, _ message: String, at pointer: String) {
    diagnostics.append(Diagnostic(.warning, code.rawValue, message, at: pointer))
  }

  mutating func note(_ code: DiagnosticCode, _ message: String, at pointer: String) {
    diagnostics.append(Diagnostic(.note, code.rawValue, message, at: pointer))
  }

  // MARK: Container, range, output

  private mutating func container() -> Container? {
    let known = Container.all.map(\.name).joined(separator: ", ")
    if let name = settings.container {
      if let container = Container.named(name) { return container }
      error(
        .capabilityContainer, "the container '\(name)' cannot be written; known are \(known)",
        at: "/export/container")
      return nil
    }
    if let container = Container.forFile(output) { return container }
    error(
      .outputExtension,
      "the ending of '\(output)' names no container that can be written; use one of \(known), or "
        + "give export.container", at: "/export/container")
    return nil
  }

  private mutating func range() -> (Rational, Rational)? {
    let range = settings.range
    let start = range?.in?.seconds(at: timeline.frameRate) ?? .zero
    let end = range?.out?.seconds(at: timeline.frameRate) ?? timeline.duration
    guard start.isValid, end.isValid, start >= .zero, end <= timeline.duration else {
      error(
        .rangePastEnd,
        "the export's range \(start.secondsText) to \(end.secondsText) leaves the timeline, which "
          + "lasts from 0s to \(timeline.duration.secondsText)", at: "/export/range")
      return nil
    }
    guard start < end else {
      error(
        .rangeEmpty,
        "the export's range is empty: \(start.secondsText) to \(end.secondsText)",
        at: "/export/range")
      return nil
    }
    return (start, end)
  }

  /// Only edit lists hide pictures before a cut.
  private mutating func checkCut(_ container: Container) {
    guard settings.cut == .editList, settings.mode != .render, !container.hasEditLists else {
      return
    }
    error(
      .capabilityContainer,
      "'\(container.name)' cannot hide the pictures from the keyframe to the cut",
      at: "/export/cut",
      fix: "use \"cut\": \"exact\" or \"keyframe\", or export to mp4 or mov")
  }

  private mutating func checkOutput() {
    let directory = OutputFile.directory(of: output)
    if FileStatus(path: directory.isEmpty ? "." : directory)?.kind != .directory {
      error(
        .outputDirectory, "the folder '\(directory)' does not exist; create it first", at: "")
      return
    }
    guard let target = FileStatus(path: output) else { return }
    if settings.container.flatMap({ Container.named($0) })?.isFolder ?? false {
      checkFolder(target)
      return
    }
    guard target.kind == .regular else {
      error(.outputDirectory, "'\(output)' is not a regular file; choose another name", at: "")
      return
    }
    for path in inputs where FileStatus(path: path)?.isSameFile(as: target) ?? false {
      error(
        .outputIsInput,
        "'\(output)' is the input '\(path)'; an input is never written, choose another name",
        at: "")
    }
  }

  /// A folder of pictures takes the place of nothing else, and of no input.
  private mutating func checkFolder(_ target: FileStatus) {
    guard target.kind == .directory else {
      error(.outputDirectory, "'\(output)' is not a folder; choose another name", at: "")
      return
    }
    for path in inputs {
      let folder = OutputFile.directory(of: path)
      guard FileStatus(path: folder.isEmpty ? "." : folder)?.isSameFile(as: target) ?? false else {
        continue
      }
      error(
        .outputIsInput,
        "the folder '\(output)' holds the input '\(path)'; choose another folder", at: "")
      return
    }
  }

  /// All files that the export reads: the composition, its sources, its pictures.
  private var inputs: [String] {
    let pictures = document.metadata.items.flatMap { item in
      if case .files(let paths) = item.value { paths } else { [String]() }
    }
    let files = [compositionPath].filter { !$0.isEmpty } + assets.keys.sorted()
    return (files + pictures.compactMap { Resolver.filePath(of: $0, in: baseDirectory) }).uniqued()
  }

  private func chapters(_ container: Container) -> [TimelineChapter] {
    var result: [TimelineChapter] = []
    for (index, chapter) in timeline.chapters.enumerated() {
      let end =
        index + 1 < timeline.chapters.count
        ? timeline.chapters[index + 1].start : timeline.duration
      let from = max(chapter.start, start) - start
      let to = min(end, start + duration) - start
      if from < to { result.append(TimelineChapter(start: from, title: chapter.title)) }
    }
    // There a first chapter without a title means that there is none yet.
    if container.hasEditLists, result.first?.title.isEmpty == true { result.removeFirst() }
    return result
  }

  // MARK: What sources hold

  /// Whether a source has sound, as far as the timeline uses it.
  func hasSound(_ source: Int) -> Bool {
    switch timeline.sources[source].content {
    case .file(let path, _, let choice): assets[path]?.track(.audio, choice) != nil
    case .generator(let generator): generator.makes(.audio)
    case .composition:
      timeline.sources[source].timeline?.tracks.contains { track in
        track.kind == .audio && track.segments.contains { !$0.isEmpty }
      } ?? false
    case .color, .text: false
    }
  }

  /// The stretch of the export's time in which a segment lies; `nil` outside.
  func clipped(_ segment: TimelineSegment) -> (from: Rational, to: Rational)? {
    let from = max(segment.start, start)
    let to = min(segment.end, start + duration)
    return from < to ? (from, to) : nil
  }
}

extension GeneratorSource {
  /// Whether the filter's output is of this kind.
  func makes(_ kind: MediaKind) -> Bool {
    let name = String(filter.prefix { $0 != "=" && $0 != "@" && $0 != "," })
    return FilterGraph.filterInfo(name: name)?.outputs.first == kind
  }
}
