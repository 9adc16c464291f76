import CutroomModel
import Foundation

/// A composition that serves as a source, as far as it could be read.
struct ResolvedComposition: Sendable {
  /// The path as the composition around it names it, made complete.
  var path: String
  var document: CompositionDocument?
  var resolution: Resolution
}

/// The compositions that lie around one and those that were resolved before: each file once.
final class NestedCompositions {
  /// How deep compositions may lie in each other.
  static let depthLimit = 64

  private(set) var chain: [(identity: String, path: String)] = []
  private var known: [String: ResolvedComposition] = [:]

  /// Begins with the file at `path`; with an empty one for a composition that is no file.
  init(path: String) {
    if !path.isEmpty { chain.append((Self.identity(of: path), path)) }
  }

  /// What names the same file whichever way it is spelt.
  static func identity(of path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }

  /// The chain from the file at `path` to itself; `nil` where it is not being resolved.
  func cycle(to path: String) -> [String]? {
    let identity = Self.identity(of: path)
    guard let start = chain.firstIndex(where: { $0.identity == identity }) else { return nil }
    return chain[start...].map(\.path) + [path]
  }

  /// The composition at `path`, resolved by `resolve` where it was not before.
  func composition(
    _ path: String, resolve: () throws(AssetError) -> ResolvedComposition
  ) throws(AssetError) -> (composition: ResolvedComposition, isNew: Bool) {
    let identity = Self.identity(of: path)
    if let composition = known[identity] { return (composition, false) }
    chain.append((identity, path))
    defer { chain.removeLast() }
    let composition = try resolve()
    known[identity] = composition
    return (composition, true)
  }
}

extension Resolver {
  /// Resolves the composition file that a source is, with the defaults of its own.
  ///
  /// Its findings become findings here; they name its file.
  mutating func examineComposition(_ index: Int, _ text: String, _ open: @escaping AssetOpener) {
    sources[index].isFailed = true
    let pointer = sources[index].pointer + "/composition"
    guard let path = locate(text, index) else { return }
    contents[index] = .composition(path: path)
    if let cycle = nested.cycle(to: path) {
      findings.add(
        .reference, .error, .referenceCycle,
        "the compositions contain each other: " + cycle.joined(separator: " → "), at: pointer,
        fix: "take this source out, or name another file")
      return
    }
    guard nested.chain.count < NestedCompositions.depthLimit else {
      findings.add(
        .reference, .error, .compositionDepth,
        "compositions lie more than \(NestedCompositions.depthLimit) deep in each other",
        at: pointer)
      return
    }
    do throws(AssetError) {
      let nested = nested
      let (composition, isNew) = try nested.composition(path) { () throws(AssetError) in
        try Self.nestedComposition(path, nested, open)
      }
      if isNew {
        for var finding in composition.resolution.diagnostics {
          finding.place = finding.place ?? Place(file: path, line: 1, column: 1)
          findings.add(.reference, elsewhere: finding)
        }
      }
      assets.merge(composition.resolution.assets) { first, _ in first }
      guard let timeline = composition.resolution.timeline else { return }
      sources[index].isFailed = false
      sources[index].describe(timeline)
    } catch {
      findings.add(.media, .error, error.code, error.message, at: pointer)
    }
  }

  private static func nestedComposition(
    _ path: String, _ nested: NestedCompositions, _ open: @escaping AssetOpener
  ) throws(AssetError) -> ResolvedComposition {
    let text = SourceText(file: path, bytes: try CompositionFile.read(path))
    let checked = Engine.check(
      text: text, baseDirectory: Engine.directory(of: path), nested: nested, open: open)
    return ResolvedComposition(
      path: path, document: checked.document,
      resolution: Resolution(
        timeline: checked.timeline, assets: checked.assets, diagnostics: checked.diagnostics))
  }
}

extension ResolvedSource {
  /// Takes over what a composition is as a source.
  mutating func describe(_ timeline: Timeline) {
    self.timeline = timeline
    let end = timeline.duration
    let rate = timeline.frameRate
    if timeline.tracks.contains(where: { $0.kind == .video && $0.shows }) {
      picture = Stream(end: end)
      picture?.lastPicture = Self.lastPicture(from: 0, to: end, rate: rate.framesPerSecond)
      size = timeline.size
      frameRate = rate
      grid = SourceGrid(rate: rate)
      color = timeline.color
    }
    if timeline.tracks.contains(where: { $0.kind == .audio && $0.shows }) {
      sound = Stream(end: end)
      sampleRate = timeline.sampleRate
      channelLayout = timeline.channelLayout
    }
    if timeline.tracks.contains(where: { $0.kind == .subtitle && $0.shows }) {
      subtitle = Stream(end: end)
    }
    chapters = timeline.chapters.enumerated().map { index, chapter in
      let next = index + 1 < timeline.chapters.count ? timeline.chapters[index + 1].start : end
      return AssetChapter(start: chapter.start, end: next, title: chapter.title)
    }
  }
}

extension TimelineTrack {
  /// Whether anything lies on it.
  var shows: Bool { segments.contains { !$0.isEmpty } }
}
