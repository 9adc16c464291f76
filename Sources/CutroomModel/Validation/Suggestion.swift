/// Finds the known word that somebody probably meant.
public enum Suggestion {
  /// The known word nearest to `word`, if it is near enough to be a slip of the fingers.
  ///
  /// Distance is Damerau and Levenshtein's: letters left out, put in, replaced or exchanged with
  /// their neighbour; capitals, `-` and `_` do not count. A third of the letters may differ. Of
  /// equally near words the first one is given.
  public static func nearest(to word: String, in known: some Sequence<String>) -> String? {
    let known = Array(known)
    if let meant = synonyms[word.lowercased()]?.first(where: known.contains) { return meant }
    let letters = folded(word)
    guard !letters.isEmpty, letters.count <= 64 else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in known where candidate != word {
      let target = folded(candidate)
      guard target.count <= 64 else { continue }
      let limit = max(1, max(letters.count, target.count) / 3)
      guard abs(target.count - letters.count) <= limit else { continue }
      let distance = distance(letters, target)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// Words of other programs, and what they are called here.
  private static let synonyms: [String: [String]] = [
    "h265": ["hevc"], "x265": ["hevc"], "libx265": ["hevc"], "avc": ["h264"], "x264": ["h264"],
    "libx264": ["h264"], "mpeg2": ["mpeg2video"], "matroska": ["mkv"], "ts": ["mpegts"],
    "volume": ["gain"], "level": ["gain"], "start": ["in", "at"], "end": ["out"], "from": ["in"],
    "to": ["out"], "src": ["source"], "file": ["path", "source"], "url": ["path"],
    "fps": ["frameRate"], "rate": ["frameRate", "speed"], "resolution": ["size"],
    "colour": ["color"], "rotate": ["rotation"], "alpha": ["opacity"], "crossfade": ["dissolve"],
    "xfade": ["dissolve"], "fill": ["stretch"], "copy": ["passthrough"], "encode": ["render"],
    "reencode": ["render"], "rec709": ["bt709"], "centre": ["center"], "reversed": ["reverse"],
    "delete": ["remove"], "items": ["clips"], "length": ["duration"],
  ]

  private static func folded(_ word: String) -> [Unicode.Scalar] {
    word.prefix(65).lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" && $0 != " " }
  }

  /// The fewest edits between two words, where no part is edited twice.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for row in 0..<a.count {
      var current = [row + 1]
      for column in 0..<b.count {
        let isSame = a[row] == b[column]
        var cost = min(
          last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[b.count]
  }
}
