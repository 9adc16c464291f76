import CutroomMedia
import CutroomMetadata
import CutroomModel

/// The metadata of an export: chosen before it begins, written when the samples are.
struct ExportMetadata {
  /// Chapters that the muxer writes.
  let chaptersForMuxer: [TimelineChapter]
  /// Tags that can only be written while muxing, in libavformat's keys.
  let forMuxer: [(String, String)]
  /// Covers that can only be attached while muxing.
  let attachments: [Muxer.Attachment]
  private let plan: ExportPlan
  private let items: [MetadataItem]
  private let muxerTags: MuxerTags?
  private let unreadable: [Diagnostic]
  private let refusesLoss: Bool
  private let creationTime: Int64?

  /// Reads the sources' items and merges them with the composition's.
  ///
  /// - Throws: ``CutroomError`` with code `input` for an item that means nothing, or that will be
  ///   lost where that is refused.
  init(plan: ExportPlan, refusesLoss: Bool = false) throws(CutroomError) {
    self.plan = plan
    self.refusesLoss = refusesLoss
    var unreadable: [Diagnostic] = []
    let sources = Self.sources(plan, &unreadable)
    self.unreadable = unreadable
    let merge: MetadataMerge
    do {
      let isRendered = !(plan.audio?.isCopied ?? false)
      merge = try MetadataMerge(
        sources, plan.document.metadata, isRendered: isRendered,
        locate: { Resolver.filePath(of: $0, in: plan.baseDirectory) ?? $0 }
      )
    } catch {
      throw CutroomError(
        .input, error.code.rawValue, error.message,
        diagnostics: [Diagnostic(.error, error.code.rawValue, error.message, at: "/metadata")])
    }
    items = merge.items
    creationTime = merge.creationTime
    let container = TagContainer(name: plan.container.name)
    try Self.check(merge, container)
    muxerTags =
      container.map { [items] in MuxerTags(items, for: $0) }
      ?? MuxerTags(items, forContainer: plan.container.name)
    forMuxer = muxerTags?.tags.map { ($0.key, $0.value) } ?? []
    attachments = muxerTags?.attachments ?? []
    chaptersForMuxer = plan.container.hasChapters ? plan.chapters : []
    try refuseLosses(muxerTags?.outcomes ?? container.map(expected) ?? [])
  }

  /// What becomes of the items as far as that is known before they are written.
  private func expected(_ container: TagContainer) -> [ItemOutcome] {
    items.map { Translation($0, for: container).outcome }
  }

  private func refuseLosses(_ outcomes: [ItemOutcome]) throws(CutroomError) {
    guard refusesLoss else { return }
    do { try TagStore.refuseLoss(outcomes) } catch { throw CutroomError(error) }
  }

  private static func check(
    _ merge: MetadataMerge, _ container: TagContainer?
  ) throws(CutroomError) {
    let problems = container.map(merge.problems) ?? []
    guard let first = problems.first else { return }
    let code = MetadataError.Code.value.rawValue
    throw CutroomError(
      .input, code, first.message,
      diagnostics: problems.map { problem in
        Diagnostic(
          .error, code, problem.message, at: "/metadata/items/" + problem.key.pointerEscaped)
      })
  }

  /// The items of the files that the export uses, in the order of their first use.
  private static func sources(
    _ plan: ExportPlan, _ unreadable: inout [Diagnostic]
  ) -> [MetadataMerge.Source] {
    guard plan.document.metadata.inherit != .none else { return [] }
    var used: [(start: Rational, source: Int, segment: TimelineSegment)] = []
    for track in plan.timeline.tracks {
      for segment in track.segments
      where segment.start < plan.start + plan.duration && segment.end > plan.start {
        if let source = segment.source { used.append((segment.start, source, segment)) }
      }
    }
    used.sort { ($0.start, $0.source) < ($1.start, $1.source) }
    var sources: [MetadataMerge.Source] = []
    var seen: Set<Int> = []
    for (_, index, segment) in used where seen.insert(index).inserted {
      let source = plan.timeline.sources[index]
      guard case .file(let path, _, _) = source.content, let asset = plan.assets[path],
        !asset.isStill, asset.subtitles == nil
      else { continue }
      do throws(MetadataError) {
        let tags = try TagStore.read(path)
        let skipped = max(.zero, plan.start - segment.start) * segment.speed
        sources.append(
          MetadataMerge.Source(
            name: source.id, items: tags.items, inPoint: segment.sourceStart + skipped,
            creationTime: tags.creationTime))
      } catch {
        let isUnknown = error.code == .unsupported
        if isUnknown, asset.formatTags.isEmpty { continue }
        let reason =
          isUnknown
          ? "what files of its kind say of themselves is not read ("
            + asset.formatTags.map(\.key).joined(separator: ", ") + ")" : error.message
        unreadable.append(
          Diagnostic(
            .warning, error.code.rawValue,
            "the metadata of '\(path)' is not taken over: \(reason)", at: segment.pointer))
      }
    }
    return sources
  }

  /// Writes tags and chapters into the finished file under its temporary name.
  ///
  /// - Throws: ``CutroomError`` with code `output`.
  func write(
    to path: String
  ) throws(CutroomError) -> (outcomes: [ItemOutcome], warnings: [Diagnostic]) {
    let outcomes: [ItemOutcome]
    if let muxerTags {
      outcomes = muxerTags.outcomes
    } else if items.isEmpty, plan.chapters.isEmpty, creationTime == nil,
      plan.container.name != "m4a"
    {
      outcomes = []
    } else {
      outcomes = try store(path)
    }
    try refuseLosses(outcomes)
    let losses = outcomes.filter { $0.outcome == .dropped || $0.outcome == .truncated }
    let warnings = losses.map { loss in
      let detail = loss.detail.map { ": " + $0 } ?? ""
      return Diagnostic(
        .warning, loss.outcome == .dropped ? "metadata.dropped" : "metadata.truncated",
        "the metadata item '\(loss.name)' was \(loss.outcome.rawValue)\(detail)", at: "/metadata")
    }
    return (outcomes, unreadable + warnings + lostChapters)
  }

  private var maximumChapters: Int {
    TagContainer(name: plan.container.name)?.maximumChapters ?? .max
  }

  /// A warning where the tags hold fewer chapters than there are.
  private var lostChapters: [Diagnostic] {
    guard muxerTags == nil, plan.chapters.count > maximumChapters else { return [] }
    let rest = chaptersForMuxer.isEmpty ? "" : "; the chapter track has all"
    return [
      Diagnostic(
        .warning, "metadata.truncated",
        "the chapter list holds the first \(maximumChapters) of \(plan.chapters.count) chapters"
          + rest, at: "/chapters")
    ]
  }

  private func store(_ path: String) throws(CutroomError) -> [ItemOutcome] {
    // A chapter track holds as many as there are.
    let count = chaptersForMuxer.isEmpty ? maximumChapters : plan.chapters.count
    let chapters = plan.chapters.prefix(count).map {
      MetadataChapter(start: $0.start, title: $0.title)
    }
    do {
      return try TagStore.write(
        items, chapters: chapters.isEmpty ? nil : chapters, to: path,
        container: plan.container.name, duration: plan.duration, target: plan.output,
        creationTime: creationTime)
    } catch {
      throw CutroomError(
        .output, error.code.rawValue,
        "the metadata of '\(plan.output)' cannot be written: \(error.message)")
    }
  }
}

extension ItemOutcome {
  /// The common key, else the identifier.
  var name: String { key?.rawValue ?? identifier.description }

  /// The outcome as reports print it.
  var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("key", .string(name)), .init("identifier", .string(identifier.description)),
      .init("outcome", .string(outcome.rawValue)),
    ]
    if let detail { members.append(.init("detail", .string(detail))) }
    return .object(members)
  }
}
