import Cutroom

/// The command `cutroom tag MEDIA…`.
struct TagCommand: Command {
  static let name = "tag"
  static let summary = "print or change a file's metadata"
  static let usage = "MEDIA…"
  static let set = Option(
    "set", value: "KEY=VALUE", isRepeatable: true, help: "give a key this value, or these")
  static let add = Option(
    "add", value: "KEY=VALUE", isRepeatable: true, help: "add a value to those of a key")
  static let remove = Option("remove", value: "KEY", isRepeatable: true, help: "remove a key")
  static let clear = Option("clear", help: "remove all keys")
  static let artwork = Option(
    "artwork", value: "FILE", isRepeatable: true, help: "set the picture, or the pictures")
  static let chapter = Option(
    "chapter", value: "TIME=TITLE", isRepeatable: true, help: "set the chapters to these")
  static let clearChapters = Option("clear-chapters", help: "remove all chapters")
  static let id3 = Option("id3", choices: ["2.3", "2.4"], help: "the version of ID3 to write")
  static let id3Separator = Option(
    "id3-separator", value: "TEXT",
    help: "what joins several values in ID3v2.3, which holds one; default /")
  static let id3v1 = Option("id3v1", help: "also write a tag of ID3v1 into an MP3 file")
  static let copyFrom = Option(
    "copy-from", value: "FILE", help: "take over another file's items, pictures and chapters")
  static let metadataLoss = Option(
    "metadata-loss", choices: ["warn", "error"],
    help: "what it means that an item does not arrive whole")
  static let lint = Option("lint", help: "check the metadata, and change nothing")
  static let timed = Option(
    "timed", help: "print timed metadata and chapters")
  static let overwrite = Option("overwrite", help: "replace an existing OUT")
  static let options = [
    set, add, remove, clear, artwork, chapter, clearChapters, copyFrom, metadataLoss, lint, timed,
    id3,
    id3Separator, id3v1, Option.output, overwrite,
  ]
  static let details = """
    Prints the metadata; with changes, what there is afterwards. KEY is a common key: title, artist,
    albumArtist, album, composer, genre, creationDate (the date or the year), trackNumber (3 or
    3/12), discNumber, comment, description, lyrics, copyright, publisher, compilation, bpm, isrc,
    keywords, location, software and more, which the documentation lists; or an identifier such as
    itsk/©nam or id3/TXXX:MOOD. --clear comes first, then --copy-from,
    --remove, --set, --add, --artwork and --chapter. The file is replaced at once when all is
    written, or OUT is written. Several files can be printed or checked, and one be changed. --lint
    ends with status 3 if it has a warning, else with 0; what tells about persons is a note.
    """

  private let paths: [String]
  private let output: String?
  private let overwrites: Bool
  private let changes: [TagChange]
  private let pictures: [String]
  private let other: String?
  private let isLint: Bool
  private let isTimed: Bool
  private var tagOptions = TagOptions()

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try arguments.operands(atLeast: 1, "MEDIA")
    output = arguments.has(.output) ? try arguments.required(.output) : nil
    overwrites = arguments.has(Self.overwrite)
    changes = try Self.changes(arguments)
    pictures = arguments.values(of: Self.artwork)
    other = arguments.value(of: Self.copyFrom)
    isLint = arguments.has(Self.lint)
    isTimed = arguments.has(Self.timed)
    tagOptions.id3Version = arguments.value(of: Self.id3).map { $0 == "2.3" ? 3 : 4 }
    if let text = arguments.value(of: Self.id3Separator) { tagOptions.id3Separator = text }
    tagOptions.addsID3v1 = arguments.has(Self.id3v1)
    tagOptions.refusesLoss = arguments.value(of: Self.metadataLoss) == "error"
    let isChanging = !changes.isEmpty || !pictures.isEmpty || other != nil
    if isLint || isTimed, isChanging || output != nil {
      throw .conflict(isLint ? "--lint" : "--timed", isChanging ? "a change" : "-o")
    }
    if isTimed, paths.count > 1 { throw .unexpectedArgument(paths[1]) }
    if paths.count > 1, isChanging || output != nil { throw .unexpectedArgument(paths[1]) }
    let useless = [Self.id3, Self.id3Separator, Self.id3v1, Self.metadataLoss].first {
      arguments.has($0)
    }
    if let useless, !isChanging {
      throw UsageError(
        code: "usage.no-effect",
        message: "'--\(useless.name)' has no effect where nothing is changed",
        fix: "add --set, --add, --remove, --clear, --artwork or --copy-from")
    }
  }

  func run(in session: Session) throws(CutroomError) -> Outcome {
    if isLint { return try lint(in: session) }
    if isTimed {
      let (json, text) = try Engine.timedMetadata(path: paths[0])
      return Outcome(
        .done, json: ResultJSON.document(json, isOK: true, findings: []), text: text)
    }
    if paths.count > 1 { return printed }
    session.interruption.waitsForCompletion()
    var changes = changes
    if let other {
      let copy = try Engine.copying(from: other)
      changes.insert(copy, at: changes.first == .clear ? 1 : 0)
    }
    if !pictures.isEmpty { changes.append(.artwork(try pictures.map(Engine.artwork))) }
    let report = try Engine.tag(
      path: paths[0], changes: changes, output: output, overwrite: overwrites,
      options: tagOptions)
    return Outcome(
      .done,
      json: ResultJSON.document(report.jsonValue, isOK: true, findings: report.warnings),
      text: report.text,
      messages: DiagnosticText(file: report.file).text(session.shown(report.warnings)))
  }

  /// The metadata of several files; those that cannot be read are named among them.
  private var printed: Outcome {
    var files: [JSONValue] = []
    var lines: [String] = []
    var isComplete = true
    for path in paths {
      do throws(CutroomError) {
        let report = try Engine.tag(path: path)
        files.append(report.jsonValue)
        lines.append(report.text)
      } catch {
        isComplete = false
        files.append(
          ["ok": false, "file": .string(path), "error": .string(error.message)])
        lines.append("\(path): \(error.message)")
      }
    }
    return Outcome(
      isComplete ? .done : .failed,
      json: ResultJSON.document(["files": .array(files)], isOK: isComplete, findings: []),
      text: lines.joined(separator: "\n"))
  }

  private func lint(in session: Session) throws(CutroomError) -> Outcome {
    var files: [JSONValue] = []
    var (texts, messages): ([String], [String]) = ([], [])
    var isClean = true
    for path in paths {
      let findings = try Engine.lintTags(path: path)
      let isOK = !findings.contains { $0.severity >= .warning }
      isClean = isClean && isOK
      files.append(
        ResultJSON.document(["file": .string(path)], isOK: isOK, findings: findings))
      if isOK { texts.append("\(path): ok") }
      let writer = DiagnosticText(file: path, isVerbose: session.isVerbose)
      messages += session.shown(findings).map(writer.text)
    }
    let document: JSONValue = files.count == 1 ? files[0] : ["files": .array(files)]
    return Outcome(
      isClean ? .done : .differs,
      json: ResultJSON.document(document, isOK: isClean, findings: []),
      text: texts.joined(separator: "\n"), messages: messages.joined(separator: "\n"))
  }

  private static func changes(_ arguments: ParsedArguments) throws(UsageError) -> [TagChange] {
    var changes: [TagChange] = arguments.has(clear) ? [.clear] : []
    changes += arguments.values(of: remove).map { .remove(key: $0) }
    var keys: [String] = []
    var values: [String: [String]] = [:]
    for (key, value) in try pairs(arguments, set) {
      if values[key] == nil { keys.append(key) }
      values[key, default: []].append(value)
    }
    changes += keys.map { .set(key: $0, values: values[$0] ?? []) }
    changes += try pairs(arguments, add).map { .add(key: $0.key, value: $0.value) }
    let chapters = try chapters(arguments)
    if !chapters.isEmpty || arguments.has(clearChapters) { changes.append(.chapters(chapters)) }
    return changes
  }

  private static func chapters(_ arguments: ParsedArguments) throws(UsageError) -> [MetadataChapter]
  {
    var chapters: [MetadataChapter] = []
    for (time, title) in try pairs(arguments, chapter) {
      guard case .seconds(let start) = try ParsedArguments.time(time, "--chapter") else {
        throw .invalidValue("--chapter", time, expected: "a time in seconds, as in 90s=TITLE")
      }
      if let before = chapters.last, start <= before.start {
        throw .invalidValue("--chapter", time, expected: "a time after the chapter before")
      }
      chapters.append(MetadataChapter(start: start, title: title))
    }
    return chapters
  }

  private static func pairs(
    _ arguments: ParsedArguments, _ option: Option
  ) throws(UsageError) -> [(key: String, value: String)] {
    var pairs: [(key: String, value: String)] = []
    for text in arguments.values(of: option) {
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
        throw .invalidValue("--\(option.name)", text, expected: option.value ?? "")
      }
      // An empty value is none: some tags cannot hold it, and readers show nothing.
      guard text.index(after: equals) < text.endIndex else {
        throw .invalidValue(
          "--\(option.name)", text, expected: "a value that is not empty",
          fix: "to take the key away: --remove \(text[..<equals])")
      }
      pairs.append((String(text[..<equals]), String(text[text.index(after: equals)...])))
    }
    return pairs
  }
}
