/// How many letters two words differ by, for suggestions.
enum EditDistance {
  /// The candidate that `word` is most likely a misspelling of.
  ///
  /// At most a third of its letters may differ. Long words and lists are not searched.
  static func nearest(to word: String, in candidates: [String]) -> String? {
    guard word.count <= 64 else { return nil }
    let limit = max(1, word.count / 3)
    var best: (distance: Int, candidate: String)?
    for candidate in candidates.prefix(1000) where candidate.count <= 64 {
      let distance = between(Array(word.lowercased()), Array(candidate.lowercased()))
      if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.candidate
  }

  private static func between(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let replaced = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
