import CutroomModel

/// What planning an export would find, before it is known where the result goes.
///
/// Planning decides between copying and rendering, for which it reads around every cut. A trial
/// asks for rendering first, which is quick, and looks at copying only where that finds something.
struct ExportTrial {
  var composition: CheckedComposition
  var document: CompositionDocument

  /// The findings of a container that the composition names, or of the first that takes it.
  func findings() -> [Diagnostic] {
    if let name = document.export.container { return findings(in: name) }
    var first: [Diagnostic]?
    for container in candidates {
      let found = findings(in: container.name)
      guard found.contains(where: { $0.severity == .error }) else {
        // What another container would hold is no finding.
        return found.filter { $0.code.hasPrefix("media.") }
      }
      let depends = found.contains { $0.code.hasPrefix("capability.") }
      if first == nil || !depends { first = found }
      if !depends { break }
    }
    return first ?? []
  }

  /// The containers that hold the codecs that the composition names, else one that most things hold.
  private var candidates: [Container] {
    var (video, audio): (String?, String?)
    if case .settings(let wanted) = document.export.video { video = wanted.codec }
    if case .settings(let wanted) = document.export.audio { audio = wanted.codec }
    func holds(_ list: [String], _ name: String?) -> Bool {
      guard let name, name != "copy", let codec = Codec.named(name) else { return true }
      return list.contains(codec.name)
    }
    let holding = Container.all.filter {
      holds($0.videoCodecs, video) && holds($0.audioCodecs, audio)
    }
    let pictures = composition.timeline?.tracks.contains { $0.kind == .video } ?? false
    let usable = holding.filter { !pictures || !$0.videoCodecs.isEmpty }
    return usable.isEmpty ? Array(Container.all.prefix(1)) : usable
  }

  private func findings(in container: String) -> [Diagnostic] {
    var trial = document
    trial.export.container = container
    guard document.export.mode == .auto, !isCopyDemanded else { return planned(trial) }
    trial.export.mode = .render
    let rendered = planned(trial)
    guard !rendered.isEmpty else { return [] }
    trial.export.mode = .auto
    return planned(trial)
  }

  private var isCopyDemanded: Bool {
    if case .settings(let wanted) = document.export.video, wanted.codec == "copy" { return true }
    if case .settings(let wanted) = document.export.audio, wanted.codec == "copy" { return true }
    return false
  }

  private func planned(_ document: CompositionDocument) -> [Diagnostic] {
    guard let timeline = composition.timeline else { return [] }
    var planner = Planner(
      timeline: timeline, document: document, assets: composition.assets,
      baseDirectory: composition.baseDirectory, compositionPath: composition.path, output: "")
    _ = planner.plan()
    return planner.diagnostics
  }
}
