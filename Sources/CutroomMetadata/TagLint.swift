public import CutroomModel

/// Checks metadata that is there against what readers expect.
public enum TagLint {
  /// What is wrong with items, in their order; privacy is a note, all else a warning.
  public static func findings(_ items: [MetadataItem]) -> [Diagnostic] {
    var list = Findings()
    for item in items {
      list.checkValue(item)
      list.checkPicture(item)
      if item.isPersonal {
        list.add(.lintPrivacy, item, "says where, when, by whom or for whom it was made", .note)
      }
    }
    list.checkRepetitions(items)
    list.checkTwins(items)
    return list.findings
  }

  /// What is wrong with the boxes of an MP4 or QuickTime file.
  package static func findings(_ file: MP4File) -> [Diagnostic] {
    guard file.hasID3 else { return [] }
    return [
      Diagnostic(
        .warning, .lintID3, "an ID3 tag stands in a box, where hardly any program reads it", at: "",
        fix: "write its items with --set, or copy them from an MP3 file with --copy-from")
    ]
  }
}

private struct Findings {
  var findings: [Diagnostic] = []

  mutating func add(
    _ code: DiagnosticCode, _ item: MetadataItem, _ problem: String,
    _ severity: Diagnostic.Severity = .warning, fix: String? = nil
  ) {
    findings.append(
      Diagnostic(severity, code, "'\(item.identifier)' \(problem)", at: "", fix: fix))
  }

  mutating func checkValue(_ item: MetadataItem) {
    if item.value == .texts([]) || item.value == .data([]) || item.values.contains("") {
      add(.lintEmpty, item, "is empty")
      return
    }
    let key = item.commonKey
    for text in item.values where key == .creationDate || key == .lastModifiedDate {
      // The year, or the day, is all that these hold.
      if ["TYER", "yrrc"].contains(item.identifier.key) { continue }
      if MetadataDate(text) == nil {
        add(
          .lintDate, item, "is '\(text)', which is no ISO 8601 date",
          fix: "write it as '2023-10-25' or '2023-10-25T10:09:10+0200'")
      }
    }
    for text in item.values where key == .location && item.identifier.keySpace != .matroska {
      if ISO6709(text) == nil {
        add(
          .lintLocation, item, "is '\(text)', which is no ISO 6709 place",
          fix: "write it as '+48.8577+002.2950/'")
      }
    }
  }

  mutating func checkPicture(_ item: MetadataItem) {
    guard item.commonKey == .artwork, case .data(let bytes) = item.value else { return }
    if let problem = PictureFormat.problem(of: bytes) {
      add(.lintArtwork, item, "is \(problem)")
      return
    }
    let format = PictureFormat(sniffing: bytes)
    let isTyped = [12, 13, 14, 27].contains(item.dataType ?? 0)
    let stated = isTyped ? item.dataType.flatMap { PictureFormat(rawValue: $0)?.mediaType } : nil
    let named = item.extraAttributes["mediaType"]?.replacing("image/jpg", with: "image/jpeg")
    let known = stated ?? named
    if let known, !known.isEmpty, let format, known != format.mediaType {
      add(.lintArtwork, item, "is \(format.mediaType), but is called \(known)")
    }
  }

  mutating func checkRepetitions(_ items: [MetadataItem]) {
    var seen: Set<MetadataItem> = []
    for item in items {
      var bare = item
      bare.identifier = item.identifier.folded
      let isRepeated = !seen.insert(bare).inserted
      if isRepeated || Set(item.values).count < item.values.count {
        add(.lintDuplicate, item, "says the same thing twice")
      }
    }
  }

  /// One key in several key spaces must have one value.
  mutating func checkTwins(_ items: [MetadataItem]) {
    var first: [CommonKey: MetadataItem] = [:]
    for item in items {
      guard let key = item.commonKey, key != .artwork, !item.values.isEmpty else { continue }
      guard let other = first[key] else {
        first[key] = item
        if item.identifier.keySpace == .riff, item.identifier.key.hasPrefix("I"),
          !item.values.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }),
          !items.contains(where: { $0.commonKey == key && $0.identifier.keySpace == .id3 })
        {
          add(
            .lintEncoding, item, "is not ASCII, and INFO states no encoding",
            fix: "set it again, so that an ID3 chunk says it, too")
        }
        continue
      }
      if item.identifier.keySpace == other.identifier.keySpace { continue }
      if !Self.agree(item, other, key) {
        add(
          .lintConflict, item,
          "is '\(Self.text(item))', but '\(other.identifier)' is '\(Self.text(other))'")
      }
    }
  }

  private static func text(_ item: MetadataItem) -> String { item.values.joined(separator: "; ") }

  private static func agree(
    _ one: MetadataItem, _ other: MetadataItem, _ key: CommonKey
  ) -> Bool {
    let texts = (text(one), text(other))
    if key == .creationDate || one.identifier.key.hasPrefix("bext.")
      || other.identifier.key.hasPrefix("bext.")
    {
      return texts.0.hasPrefix(texts.1.prefix(4))
        && (texts.0.hasPrefix(texts.1.prefix(10)) || texts.1.hasPrefix(texts.0.prefix(10)))
    }
    if key == .location, let one = ISO6709(texts.0) { return one == ISO6709(texts.1) }
    return texts.0 == texts.1
  }
}
