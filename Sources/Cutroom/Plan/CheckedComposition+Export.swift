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
  /// ``Engine/check(path:)`` finds what is wrong; this adds, as errors of the last stage, what is
  /// right but cannot be rendered yet.
  public var checkedForExport: CheckedComposition {
    guard !hasErrors, let document else { return self }
    var checked = self
    checked.diagnostics += refusals(of: document)
    return checked
  }
}
