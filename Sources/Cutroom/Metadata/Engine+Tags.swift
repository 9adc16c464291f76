public import CutroomMetadata
public import CutroomModel

/// The metadata of a file, and what became of the items that were given.
public struct TagReport: Sendable {
  /// The file that was read or written, as given.
  public let file: String
  /// What it holds.
  public let tags: TagSet
  /// What became of each given item.
  public let outcomes: [ItemOutcome]

  /// A warning for each item that the file does not hold as it was given, and for a tag of another
  /// kind that was not changed.
  public var warnings: [Diagnostic] {
    let others: [Diagnostic] = tags.hasAPE && !outcomes.isEmpty ? [.oldTag] : []
    return others
      + outcomes.filter { $0.outcome == .dropped || $0.outcome == .truncated }.map { outcome in
        let detail = outcome.detail.map { ": \($0)" } ?? ""
        return Diagnostic(
          .warning, "metadata.\(outcome.outcome.rawValue)",
          "'\(outcome.identifier)' was \(outcome.outcome.rawValue)\(detail)", at: "")
      }
  }

  /// The report as `cutroom tag --json` prints it.
  public var jsonValue: JSONValue { tags.json(file: file, outcomes: outcomes) }

  /// The report for people: a line for each item and chapter.
  public var text: String {
    var lines = ["\(file): \(tags.container)"]
    for item in tags.items {
      let name = item.commonKey.map { "\($0.rawValue) (\(item.identifier))" }
      lines.append("  \(name ?? item.identifier.description): \(Self.text(item))")
    }
    lines += tags.chapters.map { "  chapter at \($0.start.secondsText): \($0.title)" }
    return lines.joined(separator: "\n")
  }

  static func text(_ item: MetadataItem) -> String {
    guard case .data(let bytes) = item.value else {
      return item.values.joined(separator: "; ")
        .replacing("\n", with: "\n    ")
    }
    let type = item.mediaType ?? item.extraAttributes["mediaType"] ?? "data"
    return "\(type), \(bytes.count) bytes"
  }
}

extension Engine {
  /// The bytes of a picture that tags can hold.
  ///
  /// - Throws: ``CutroomError`` that says what the file is instead.
  package static func artwork(_ path: String) throws(CutroomError) -> [UInt8] {
    do { return try MetadataMerge.picture(path) } catch { throw CutroomError(error) }
  }

  /// Reads the metadata of a media file, or changes it; media data stay as they are.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - changes: In order; with none, and no output, the file is only read.
  ///   - output: Where to write; `nil` replaces the file.
  ///   - overwrite: Whether an existing output may be replaced.
  ///   - options: How tags are written, where there is a choice.
  /// - Returns: What the file holds, and what became of each given item.
  /// - Throws: ``CutroomError``; then nothing has changed.
  public static func tag(
    path: String, changes: [TagChange] = [], output: String? = nil, overwrite: Bool = false,
    options: TagOptions = TagOptions()
  ) throws(CutroomError) -> TagReport {
    do throws(MetadataError) {
      let before = try TagStore.read(path)
      let container = TagContainer(name: before.container)
      if options.id3Version != nil, container?.hasID3 != true {
        throw MetadataError(.unsupported, "'\(path)' has no ID3 tag whose version can be chosen")
      }
      if options.addsID3v1, container != .mp3 {
        throw MetadataError(.unsupported, "only MP3 files have tags of ID3v1")
      }
      if changes.isEmpty && output == nil {
        return TagReport(file: path, tags: before, outcomes: [])
      }
      let (tags, outcomes) = try TagStore.retag(
        path, changes: changes, output: output, overwrite: overwrite, options: options)
      return TagReport(file: output ?? path, tags: tags, outcomes: outcomes)
    } catch {
      throw CutroomError(error)
    }
  }
}

extension TimedMetadataGroup {
  /// The group as `cutroom tag --timed --json` prints it.
  var jsonValue: JSONValue {
    .object([
      .init("start", .time(start)), .init("duration", duration.map { .time($0) } ?? .null),
      .init("items", .array(items.map { TagSet.json($0) })),
    ])
  }

  /// The group for people: its time, and a line for each item.
  var text: String {
    let end = duration.map { " for \($0.secondsText)" } ?? ""
    let lines = items.map {
      "\n    \($0.commonKey?.rawValue ?? $0.identifier.description): \(TagReport.text($0))"
    }
    return "  at \(start.secondsText)\(end)" + lines.joined()
  }
}

extension Engine {
  /// What holds for parts of a file's time, as JSON and as text; see ``TagStore/timedMetadata(_:)``.
  ///
  /// - Throws: ``CutroomError`` if the file cannot be read.
  package static func timedMetadata(
    path: String
  ) throws(CutroomError) -> (json: JSONValue, text: String) {
    do {
      let groups = try TagStore.timedMetadata(path)
      return (
        ["file": .string(path), "timed": .array(groups.map(\.jsonValue))],
        ([path] + groups.map(\.text)).joined(separator: "\n")
      )
    } catch { throw CutroomError(error) }
  }

  /// The change that takes over all that another file's tags say, with pictures and chapters.
  ///
  /// - Throws: ``CutroomError`` if its tags cannot be read.
  package static func copying(from path: String) throws(CutroomError) -> TagChange {
    do { return .copy(try TagStore.read(path)) } catch { throw CutroomError(error) }
  }
}

extension CutroomError {
  /// The error as the library's users see it.
  init(_ error: MetadataError) {
    let code: Code =
      switch error.code {
      case .key, .value, .loss, .input, .artwork, .container, .exists: .input
      case .malformed, .limit: .media
      case .unsupported: .unsupported
      case .output: .output
      case .verification: .internal
      }
    self.init(code, error.code.rawValue, error.message)
  }
}
