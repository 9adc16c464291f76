import CutroomModel

/// Compares two compositions in their canonical form.
struct DocumentComparison {
  let places: ClipPlaces
  let newPlaces: ClipPlaces
  private(set) var changes: [CompositionChange] = []

  init(places: ClipPlaces, newPlaces: ClipPlaces) {
    (self.places, self.newPlaces) = (places, newPlaces)
  }

  private struct Item {
    var json: JSONValue
    var pointer: String

    var isClip: Bool { json["source"] != nil }

    /// What it is called: a clip by its name, else by its source.
    var name: String {
      if let source = json["source"]?.text { return "clip '\(json["name"]?.text ?? source)'" }
      if let transition = json["transition"]?.text { return "transition '\(transition)'" }
      return "gap"
    }
  }

  /// Adds all changes from one composition to another.
  mutating func compare(_ first: JSONValue, _ second: JSONValue) {
    let keys = Self.keys(first, second)
    for key in keys where key != "sources" && key != "tracks" {
      leaves(first[key], second[key], key, "/" + key)
    }
    if keys.contains("sources") { compareSources(first["sources"], second["sources"]) }
    compareTracks(first["tracks"]?.elements ?? [], second["tracks"]?.elements ?? [])
  }

  private static func keys(_ first: JSONValue?, _ second: JSONValue?) -> [String] {
    var keys = (first?.members ?? []).map(\.key)
    let known = Set(keys)
    keys += (second?.members ?? []).map(\.key).filter { !known.contains($0) }
    return keys
  }

  /// Reports every value that differs inside two values.
  private mutating func leaves(
    _ first: JSONValue?, _ second: JSONValue?, _ subject: String, _ pointer: String,
    _ newPointer: String? = nil
  ) {
    let newPointer = newPointer ?? pointer
    guard first != second else { return }
    if case .object? = first, case .object? = second {
      for key in Self.keys(first, second) {
        let token = "/" + key.pointerEscaped
        leaves(
          first?[key], second?[key], "\(subject).\(key)", pointer + token, newPointer + token)
      }
      return
    }
    changes.append(
      CompositionChange(
        kind: .changed, subject: subject,
        detail: "\(Self.written(first)) → \(Self.written(second))",
        before: first.map { _ in pointer }, after: second.map { _ in newPointer }))
  }

  private static func written(_ value: JSONValue?) -> String {
    guard let value else { return "default" }
    let text = value.encoded()
    return text.count <= 60 ? text : text.prefix(59) + "…"
  }

  private mutating func compareSources(_ first: JSONValue?, _ second: JSONValue?) {
    func table(_ sources: JSONValue?) -> [String: JSONValue] {
      Dictionary(
        (sources?.members ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }
      )
    }
    let (before, after) = (table(first), table(second))
    for id in Self.keys(first, second) {
      let pointer = "/sources/" + id.pointerEscaped
      compare(before[id], after[id], "source '\(id)'", pointer, pointer)
    }
  }

  /// Reports something with an identity that was added, removed, or changed inside.
  private mutating func compare(
    _ first: JSONValue?, _ second: JSONValue?, _ subject: String, _ pointer: String,
    _ newPointer: String
  ) {
    switch (first, second) {
    case (let first?, let second?): leaves(first, second, subject, pointer, newPointer)
    case (_?, nil):
      changes.append(
        CompositionChange(kind: .removed, subject: subject, detail: "", before: pointer))
    case (nil, _?):
      changes.append(
        CompositionChange(kind: .added, subject: subject, detail: "", after: newPointer))
    case (nil, nil): break
    }
  }

  // MARK: Tracks

  private mutating func compareTracks(_ first: [JSONValue], _ second: [JSONValue]) {
    func id(_ track: JSONValue, _ index: Int) -> String {
      track["id"]?.text ?? "track\(index + 1)"
    }
    var indices: [String: Int] = [:]
    for (index, track) in second.enumerated() { indices[id(track, index)] = index }
    var kept: Set<Int> = []
    for (index, track) in first.enumerated() {
      let name = id(track, index)
      let other = indices[name]
      let (pointer, newPointer) = ("/tracks/\(index)", "/tracks/\(other ?? 0)")
      guard let other else {
        compare(track, nil, "track '\(name)'", pointer, newPointer)
        continue
      }
      kept.insert(other)
      compare(
        track.without("clips"), second[other].without("clips"), "track '\(name)'", pointer,
        newPointer)
      compareItems(
        items(track, pointer), items(second[other], newPointer), of: "track '\(name)'")
    }
    compareOrder(first.enumerated().map { id($1, $0) }, second.enumerated().map { id($1, $0) })
    for (index, track) in second.enumerated() where !kept.contains(index) {
      compare(nil, track, "track '\(id(track, index))'", "", "/tracks/\(index)")
    }
  }

  /// Reports tracks that lie above or below others than before: the last one is on top.
  private mutating func compareOrder(_ first: [String], _ second: [String]) {
    let (before, after) = (first.filter(second.contains), second.filter(first.contains))
    guard before.count <= 1000 else { return }
    for case .insert(let place, let id, _) in after.difference(from: before) {
      let neighbour =
        place > 0 ? "above track '\(after[place - 1])'" : "below all others"
      changes.append(
        CompositionChange(
          kind: .moved, subject: "track '\(id)'", detail: neighbour,
          before: first.firstIndex(of: id).map { "/tracks/\($0)" },
          after: second.firstIndex(of: id).map { "/tracks/\($0)" }))
    }
  }

  private func items(_ track: JSONValue, _ pointer: String) -> [Item] {
    (track["clips"]?.elements ?? []).enumerated().map {
      Item(json: $1, pointer: "\(pointer)/clips/\($0)")
    }
  }

  private mutating func compareItems(_ first: [Item], _ second: [Item], of track: String) {
    let pairs = Self.pairs(first, second)
    let partner = Dictionary(uniqueKeysWithValues: pairs.map { ($0.1, $0.0) })
    let kept = Set(pairs.map(\.0))
    for index in first.indices where !kept.contains(index) {
      changes.append(
        CompositionChange(
          kind: .removed, subject: first[index].name, detail: "from \(track)",
          before: first[index].pointer))
    }
    reportMoves(first, second, partner, of: track)
    for index in second.indices {
      guard let other = partner[index] else { continue }
      leaves(
        first[other].json.without("at"), second[index].json.without("at"), second[index].name,
        first[other].pointer, second[index].pointer)
    }
  }

  /// Reports what was added, and what lies elsewhere.
  private mutating func reportMoves(
    _ first: [Item], _ second: [Item], _ partner: [Int: Int], of track: String
  ) {
    var moves: [[Move]] = []
    var isRun = false
    for (index, item) in second.enumerated() {
      guard let other = partner[index] else {
        changes.append(
          CompositionChange(
            kind: .added, subject: item.name, detail: "to \(track)", after: item.pointer))
        continue
      }
      guard let move = move(first[other], item) else {
        if item.isClip { isRun = false }
        continue
      }
      if isRun, let last = moves.last?.last, last.distance == move.distance {
        moves[moves.count - 1].append(move)
      } else {
        moves.append([move])
      }
      isRun = true
    }
    for run in moves { report(run) }
  }

  /// Which items are the same: those that are equal in a longest common sequence, then those of
  /// the same name in order.
  private static func pairs(_ first: [Item], _ second: [Item]) -> [(Int, Int)] {
    let (a, b) = (first.map { $0.json.without("at") }, second.map { $0.json.without("at") })
    let (removed, added) = differences(a, b)
    let keptBefore = a.indices.filter { !removed.contains($0) }
    let keptAfter = b.indices.filter { !added.contains($0) }
    var pairs = Array(zip(keptBefore, keptAfter))
    var open: [String: [Int]] = [:]
    for index in added.sorted().reversed() { open[second[index].name, default: []].append(index) }
    for index in removed.sorted() {
      if let other = open[first[index].name]?.popLast() { pairs.append((index, other)) }
    }
    return pairs
  }

  /// The indices of the first and of the second list that are in no common sequence.
  ///
  /// Where two long lists have little in common, only their equal starts and ends are looked for:
  /// the longest common sequence would take time and memory beyond measure.
  private static func differences(_ a: [JSONValue], _ b: [JSONValue]) -> (Set<Int>, Set<Int>) {
    let start = zip(a, b).prefix { $0 == $1 }.count
    let most = min(a.count, b.count) - start
    let end = zip(a.reversed(), b.reversed()).prefix(most).prefix { $0 == $1 }.count
    let (inner, other) = (a[start..<a.count - end], b[start..<b.count - end])
    guard inner.count * other.count <= 4_000_000 else {
      return (Set(inner.indices), Set(other.indices))
    }
    var (removed, added): (Set<Int>, Set<Int>) = ([], [])
    for change in Array(other).difference(from: Array(inner)) {
      switch change {
      case .remove(let offset, _, _): removed.insert(start + offset)
      case .insert(let offset, _, _): added.insert(start + offset)
      }
    }
    return (removed, added)
  }

  /// A clip that lies elsewhere.
  private struct Move {
    var name: String
    var distance: Rational
    var before: String
    var after: String
  }

  private mutating func move(_ first: Item, _ second: Item) -> Move? {
    guard newPlaces.rate != nil, let start = places.starts[first.pointer],
      let newStart = newPlaces.starts[second.pointer], start != newStart
    else {
      if newPlaces.rate == nil || places.rate == nil, first.json["at"] != second.json["at"] {
        leaves(
          first.json["at"], second.json["at"], "\(second.name).at", first.pointer + "/at",
          second.pointer + "/at")
      }
      return nil
    }
    return Move(
      name: second.name, distance: newStart - start, before: first.pointer, after: second.pointer)
  }

  /// Reports neighbouring clips that moved by the same distance: many count as one change.
  private mutating func report(_ run: [Move]) {
    guard let rate = newPlaces.rate else { return }
    let isMany = run.count > 3
    for move in run.prefix(isMany ? 1 : run.count) {
      let frames = move.distance * rate.framesPerSecond
      let sign = move.distance > .zero ? "+" : ""
      let amount =
        frames.isInteger
        ? "\(sign)\(frames.numerator) frame\(frames.magnitude == .one ? "" : "s")"
        : "\(sign)\(move.distance.inSeconds)"
      let others = isMany ? " and \(run.count - 1) clips after it" : ""
      changes.append(
        CompositionChange(
          kind: .moved, subject: move.name + others, detail: amount, before: move.before,
          after: move.after))
    }
  }
}

extension JSONValue {
  /// An object without one of its keys.
  fileprivate func without(_ key: String) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.key != key })
  }
}
