/// Reads a composition from JSON: format.md, version 1.
///
/// All findings of syntax and shape come together, each with its place. The keys and what they can
/// have are those of `CompositionFormat`; nothing is ignored.
public struct CompositionReader {
  /// The name of the format that is read and written.
  public static let format = CompositionFormat.name
  /// The most findings that are kept of one file.
  static let findingLimit = 1000

  let text: SourceText
  let tree: JSONTree
  /// The common metadata keys; empty if keys are not checked here.
  let commonKeys: [String]
  /// What is wrong with a metadata key that has a key space.
  let keyProblem: (String) -> String?
  var diagnostics: [Diagnostic] = []
  var document = CompositionDocument()
  /// The ids that edits may name.
  var trackIDs: [String] = []

  init(_ text: SourceText, commonKeys: [String], keyProblem: @escaping (String) -> String?) {
    self.text = text
    self.tree = text.tree
    self.commonKeys = commonKeys
    self.keyProblem = keyProblem
  }

  /// Reads a composition and everything that is wrong with it.
  ///
  /// The document is `nil` if any finding is an error. With `commonKeys` given, a metadata key
  /// without a key space must be one of them; of one with a key space, `keyProblem` says in a
  /// sentence what is wrong with it.
  public static func read(
    _ text: SourceText, commonKeys: [String] = [],
    keyProblem: @escaping (String) -> String? = { _ in nil }
  ) -> (document: CompositionDocument?, diagnostics: [Diagnostic]) {
    let (document, diagnostics) = readPartially(
      text, commonKeys: commonKeys, keyProblem: keyProblem)
    let isUsable = diagnostics.allSatisfy { $0.severity != .error }
    return (isUsable ? document : nil, diagnostics)
  }

  /// Reads a composition as far as it can be read, for further checks in the same run.
  ///
  /// What is wrong has a placeholder, so that tracks and items keep their indices: a clip of the
  /// source `""`, or an empty track. The pointers of the errors say which. The document is `nil`
  /// where nothing could be read.
  package static func readPartially(
    _ text: SourceText, commonKeys: [String] = [],
    keyProblem: @escaping (String) -> String? = { _ in nil }
  ) -> (document: CompositionDocument?, diagnostics: [Diagnostic]) {
    guard let root = text.tree.root else { return (nil, text.syntaxDiagnostics) }
    var reader = CompositionReader(text, commonKeys: commonKeys, keyProblem: keyProblem)
    reader.readDocument(root)
    return (reader.document, text.syntaxDiagnostics + reader.ordered())
  }

  /// The findings in the order of the text, shape before references before time.
  private func ordered() -> [Diagnostic] {
    func stage(_ diagnostic: Diagnostic) -> Int {
      switch diagnostic.code.prefix(while: { $0 != "." }) {
      case "reference": 1
      case "time", "range", "transition": 2
      default: 0
      }
    }
    func key(_ item: (offset: Int, element: Diagnostic)) -> (Int, Int, Int, Int) {
      let place = item.element.place
      return (stage(item.element), place?.line ?? .max, place?.column ?? 0, item.offset)
    }
    return diagnostics.enumerated().sorted { key($0) < key($1) }.map(\.element)
  }

  /// The keys of a file; a missing format is reported in words of its own.
  private static let topWithoutFormat: ObjectFormat = {
    var top = CompositionFormat.top
    for index in top.keys.indices where top.keys[index].name == "format" {
      top.keys[index].isRequired = false
    }
    return top
  }()

  private mutating func readDocument(_ root: Int) {
    guard tree.kind(root) == .object else {
      return mismatch(root, "a composition", "an object that begins with \"format\"")
    }
    let format = tree.members(root).first { $0.name == "format" }
    guard readFormat(format?.value, root),
      let fields = fields(root, "a composition", Self.topWithoutFormat)
    else { return }
    document.name = string(fields, "name")
    if let node = fields["timeline"] { readTimeline(node) }
    if let node = fields["sources"] { readSources(node) }
    if let node = fields["tracks"] { readTracks(node) }
    if let node = fields["edits"] { readEdits(node) }
    if let node = fields["chapters"] { readChapters(node) }
    if let node = fields["audio"] { readSoundPolicy(node) }
    if let node = fields["metadata"] { readMetadata(node) }
    if let node = fields["export"] { readExport(node) }
    checkInheritance(fields["metadata"])
  }

  /// Whether the rest is worth reading: another version has other keys.
  private mutating func readFormat(_ node: Int?, _ root: Int) -> Bool {
    guard let node else {
      report(
        .shapeFormat, at: root,
        "the key \"format\" is missing; begin the file with \"format\": \"\(Self.format)\"",
        fix: "add \"format\": \"\(Self.format)\"")
      return true
    }
    guard tree.kind(node) != .invalid else { return true }
    let written = tree.kind(node) == .string ? tree.string(node) : ""
    if let original = text.originalFormat {
      report(
        .shapeFormat, .note, at: node,
        "the file has the format \"\(original)\" and is read as \"\(Self.format)\"; 'cutroom fmt' "
          + "writes it so")
    }
    guard written != Self.format else { return true }
    let complaint = Migrations.complaint(written)
    report(
      .shapeFormat, at: node, "\"format\" is \(self.written(node)), \(complaint.message)",
      fix: complaint.fix)
    return !written.hasPrefix(Migrations.prefix)
  }

  // MARK: Timeline

  private mutating func readTimeline(_ node: Int) {
    guard let fields = fields(node, "the timeline", CompositionFormat.timeline) else { return }
    var timeline = TimelineSettings()
    timeline.frameRate = frameRate(fields, "frameRate")
    timeline.size = size(fields, "size")
    if let color = color(fields, "background") { timeline.background = color }
    timeline.color = choice(fields, "color")
    timeline.sampleRate = integer(fields, "sampleRate")
    timeline.channelLayout = word(fields, "channelLayout")
    if let node = fields["startTimecode"], let time = time(node, "startTimecode") {
      if case .timecode(let timecode) = time {
        timeline.startTimecode = timecode
      } else {
        mismatch(node, "'startTimecode'", "a timecode such as \"01:00:00:00\"")
      }
    }
    document.timeline = timeline
  }

  // MARK: Chapters and sound

  private mutating func readChapters(_ node: Int) {
    switch tree.kind(node) {
    case .string:
      let word = tree.string(node)
      if word == "clips" {
        document.chapters = .clips
        return
      }
      guard word != "keep" else { return }
      unknown(word, node, "chapters", of: ["keep", "clips"])
    case .array:
      var marks: [ChapterMark] = []
      for element in tree.elements(node) where !isFull {
        guard
          let fields = fields(element, "a chapter", CompositionFormat.chapter),
          let at = time(fields, "at"), let title = string(fields, "title")
        else { continue }
        marks.append(ChapterMark(at: at, title: title))
      }
      document.chapters = .list(marks)
    default: mismatch(node, "'chapters'", "a list of {\"at\", \"title\"}, \"keep\" or \"clips\"")
    }
  }

  private mutating func readSoundPolicy(_ node: Int) {
    guard let fields = fields(node, "the sound policy", CompositionFormat.soundPolicy) else {
      return
    }
    document.sound.declick = time(fields, "declick")
    if let peak: SoundPolicy.Peak = choice(fields, "peak") { document.sound.peak = peak }
    guard let node = fields["loudness"],
      let target = self.fields(node, "'loudness'", CompositionFormat.loudness)
    else { return }
    let truePeak = rational(target, "truePeak")
    if let integrated = rational(target, "integrated") {
      document.sound.loudness = LoudnessTarget(integrated: integrated, truePeak: truePeak)
    }
  }
}
