import CutroomModel

extension CheckedComposition {
  /// The composition with all findings that stand against exporting it.
  ///
  /// ``Engine/check(path:baseDirectory:like:)`` finds what is wrong; this adds, as findings of the last
  /// stage, what the codecs and the container have against it. Where the composition names no container,
  /// they are those of one that takes it.
  public var checkedForExport: CheckedComposition {
    guard !hasErrors, let document else { return self }
    var checked = self
    let found = ExportTrial(composition: self, document: document).findings()
    checked.diagnostics = Findings.merged(diagnostics, text.map { $0.placed(found) } ?? found)
    return checked
  }
}
