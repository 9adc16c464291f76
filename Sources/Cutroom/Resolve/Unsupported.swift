import CutroomModel

/// What the format has and an export cannot do yet: one list, looked at when an export is planned.
///
/// Resolving knows all of the format. Whoever makes a part work takes its row away. What stands
/// here is an error at its place; nothing is ever ignored.
enum Unsupported {
  /// A part of an object.
  private struct Row<Object> {
    var key: String
    /// What an object uses of it, in words; `nil` for nothing.
    var use: (Object) -> String?
    /// What does nearly the same.
    var fix: String?

    init(_ key: String, _ use: @escaping (Object) -> String?) {
      (self.key, self.use) = (key, use)
    }

    init(
      _ key: String, _ what: String, fix: String? = nil, _ isUsed: @escaping (Object) -> Bool
    ) {
      self.init(key) { isUsed($0) ? what : nil }
      self.fix = fix
    }
  }

  private static var document: [Row<CompositionDocument>] {
    []
  }

  private static var track: [Row<DocumentTrack>] {
    [
      Row(
        "/kind", "a subtitle track",
        fix: "to draw subtitles into the picture, set \"kind\" to \"video\""
      ) { $0.kind == .subtitle }
    ]
  }

  /// A finding for every use of such a part in what takes part in an export.
  static func findings(in document: CompositionDocument) -> [Diagnostic] {
    var list = List()
    list.check(document, Self.document, at: "")
    for (index, track) in document.tracks.enumerated() where track.isEnabled {
      let pointer = "/tracks/\(index)"
      list.check(track, Self.track, at: pointer)
    }
    return list.findings
  }

  /// The same for the documents of compositions that serve as sources, at the place of the source.
  static func findings(in nested: [NestedDocument]) -> [Diagnostic] {
    nested.flatMap { nested in
      var inner = nested.document
      // The way a composition would be exported by itself has no effect here.
      inner.export = ExportSettings()
      inner.sound = SoundPolicy()
      return findings(in: inner).map { finding in
        var finding = finding
        finding.message = "in '\(nested.path)' at \(finding.pointer): " + finding.message
        finding.pointer = nested.pointer
        return finding
      }
    }
  }

  private struct List {
    var findings: [Diagnostic] = []

    mutating func check<Object>(_ object: Object, _ rows: [Row<Object>], at pointer: String) {
      for row in rows {
        if let use = row.use(object) { refuse(use, fix: row.fix, at: pointer + row.key) }
      }
    }

    mutating func refuse(_ what: String, fix: String?, at pointer: String) {
      findings.append(
        Diagnostic(
          .error, .unsupported,
          "the format has \(what), but this version cannot export it yet; remove it",
          at: pointer, fix: fix))
    }
  }
}
