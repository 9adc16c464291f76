/// The versions of the format that are read, and the steps that lead from each to the next one.
///
///     "cutroom/1" ──step──▶ "cutroom/2" ──step──▶ "cutroom/3", which the reader knows
///
/// A step changes the values of a file before the reader sees them. All values keep their places in
/// the text, so findings point at what the author wrote, and comments stay where they stood. A
/// change of the format that older files do not survive gets a new version, and a row here.
struct Migrations: Sendable {
  /// The way from one version to the next one.
  struct Step: Sendable {
    /// The number of the version that it reads; it makes one of the next number.
    var version: Int
    /// Changes the document; its `format` is set by the caller.
    var change: @Sendable (inout JSONEdit) -> Void
  }

  /// What comes before the number in every version's name.
  static let prefix = "cutroom/"

  /// The steps of this program.
  ///
  /// There are none yet, for version 1 is the first.
  static let all = Migrations([])

  /// In the order of their versions, without a gap, up to the one before the reader's.
  private let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  /// The number of a version's name; `nil` for the name of something else.
  static func version(_ name: String) -> Int? {
    guard name.hasPrefix(prefix) else { return nil }
    let digits = name.dropFirst(prefix.count)
    guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(digits)
  }

  /// The number of the version that the reader knows.
  static let current = version(CompositionFormat.name) ?? 1

  /// The document as the current version would have it, and the version it was written in.
  ///
  /// `nil` where it has that version already, or one that no step reads.
  func migrated(_ tree: JSONTree) -> (tree: JSONTree, from: String)? {
    guard !steps.isEmpty, let root = tree.root, tree.kind(root) == .object,
      let format = tree.members(root).first(where: { $0.name == "format" }),
      tree.kind(format.value) == .string
    else { return nil }
    let written = tree.string(format.value)
    guard var number = Self.version(written), number < Self.current else { return nil }
    var document = JSONEdit(tree, root)
    while number < Self.current {
      guard let step = steps.first(where: { $0.version == number }) else { return nil }
      step.change(&document)
      number += 1
      document["format"]?.replace(with: .string(Self.prefix + String(number)))
    }
    return (document.tree(of: tree), written)
  }

  /// What is wrong with the name of a version that is not the reader's, as the end of a sentence.
  static func complaint(_ name: String) -> (message: String, fix: String?) {
    let known = "\"\(CompositionFormat.name)\""
    guard let number = version(name), number > current else {
      return ("but this version reads \(known)", "write \(known)")
    }
    return (
      "a later version of the format than this program reads, which is \(known); use a later "
        + "Cutroom for this file", nil
    )
  }
}
