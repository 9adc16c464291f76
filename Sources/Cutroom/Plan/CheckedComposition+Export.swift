import CutroomModel

extension CheckedComposition {
  /// What an export would refuse although the composition is right: parts of the format that
  /// cannot be rendered yet.
  ///
  /// `document` is the composition with what the command line says instead.
  func refusals(of document: CompositionDocument) -> [Diagnostic] {
    let refused =
      Unsupported.findings(in: document) + Unsupported.findings(in: compositions)
    return text.map { $0.placed(refused) } ?? refused
  }

  /// The composition with all findings that stand against exporting it.
  ///
  /// ``Engine/check(path:baseDirectory:)`` finds what is wrong; this adds, as findings of the last stage, what is
  /// right but cannot be rendered yet, and what the codecs and the container have against it. Where
  /// the composition names no container, they are those of one that takes it.
  public var checkedForExport: CheckedComposition {
    guard !hasErrors, let document else { return self }
    var checked = self
    let refused = refusals(of: document)
    guard refused.isEmpty else {
      checked.diagnostics += refused
      return checked
    }
    let found = ExportTrial(composition: self, document: document).findings()
    checked.diagnostics = Findings.merged(diagnostics, text.map { $0.placed(found) } ?? found)
    return checked
  }
}
