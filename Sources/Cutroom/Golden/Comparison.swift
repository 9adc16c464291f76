import CutroomMedia
import CutroomModel

/// Compares a fingerprint with a golden, tier by tier.
struct Comparison {
  let golden: Golden
  let output: Fingerprint

  private var reference: Fingerprint { golden.fingerprint }

  /// A difference that may be excused, or not.
  private struct Finding {
    var detail: String
    var isExcused = false
  }

  /// The results of all tiers in order.
  func results() -> [TierResult] {
    Tier.allCases.map { tier in
      switch tier {
      case .plan: plan
      case .structure: result(tier, structure)
      case .packets: golden.copied.isEmpty ? skipped(tier, "no stream is copied") : packets
      case .frames: kind(tier, isVideo: true, frames)
      case .samples: kind(tier, isVideo: false, samples)
      case .picture: kind(tier, isVideo: true, picture)
      case .sound: kind(tier, isVideo: false, sound)
      case .metadata:
        result(
          tier,
          output.metadata.difference(from: reference.metadata).map { Finding(detail: $0) })
      }
    }
  }

  private func skipped(_ tier: Tier, _ why: String) -> TierResult {
    TierResult(tier: tier, result: .skipped, detail: why)
  }

  private func result(_ tier: Tier, _ finding: Finding?) -> TierResult {
    guard let finding else { return TierResult(tier: tier, result: .equal, detail: "") }
    return TierResult(
      tier: tier, result: finding.isExcused ? .within : .differs, detail: finding.detail)
  }

  private var plan: TierResult {
    guard let recorded = reference.plan else { return skipped(.plan, "no plan was recorded") }
    guard let made = output.plan else {
      return skipped(.plan, "the plan of a finished file is not known")
    }
    return result(.plan, made.difference(from: recorded).map { Finding(detail: $0) })
  }

  // MARK: Structure

  private var structure: Finding? {
    let facts = JSONValue.object(output.facts).difference(from: .object(reference.facts))
    var excused: Finding?
    for (place, recorded) in reference.streams.enumerated() {
      guard place < output.streams.count else {
        return Finding(detail: "stream \(place) is missing")
      }
      let made = output.streams[place]
      if let found = JSONValue.object(made.facts).difference(from: .object(recorded.facts)) {
        // Times tell more than a length in the header does.
        if let times = times(place, made, recorded), !times.isExcused { return times }
        return Finding(detail: "stream \(place): \(found)")
      }
      if let found = times(place, made, recorded) {
        guard found.isExcused else { return found }
        excused = found
      }
    }
    guard output.streams.count == reference.streams.count else {
      return Finding(
        detail: "there are \(output.streams.count) streams instead of \(reference.streams.count)")
    }
    if let facts { return Finding(detail: facts) }
    return excused
  }

  private func times(
    _ place: Int, _ made: Fingerprint.Stream, _ recorded: Fingerprint.Stream
  ) -> Finding? {
    if let found = made.shown.difference(from: recorded.shown) {
      func text(_ row: TimestampTable.Row?, _ stream: Fingerprint.Stream) -> String {
        guard let row else { return "nothing known" }
        return "\(stream.time(row.time)) for \(stream.time(row.length))"
      }
      let counts =
        made.shown.count == recorded.shown.count
        ? "" : "; there are \(made.shown.count) instead of \(recorded.shown.count)"
      return Finding(
        detail: "stream \(place): packet \(found.row) in order of presentation is shown at "
          + "\(text(found.own, made)) instead of \(text(found.other, recorded))\(counts)")
    }
    guard let found = made.decoded.difference(from: recorded.decoded) else { return nil }
    // Other versions of an encoder order pictures otherwise; what is shown stays.
    let isExcused =
      !golden.isOfTheseLibraries && !recorded.isLossless && !golden.copied.contains(place)
    return Finding(
      detail: "stream \(place): packet \(found.row) has another decoding time or key flag; "
        + "all are shown at the recorded times", isExcused: isExcused)
  }

  // MARK: Packets and content

  private var packets: TierResult {
    for place in golden.copied.sorted() where place < reference.streams.count {
      guard place < output.streams.count else {
        return result(.packets, Finding(detail: "stream \(place) is missing"))
      }
      let made = output.streams[place].packets
      let recorded = reference.streams[place].packets
      guard let found = made.difference(from: recorded) else { continue }
      let detail =
        "stream \(place): \(number(found, "packet", made, recorded)), the first is packet "
        + "\(found.first)"
      return result(.packets, Finding(detail: detail))
    }
    return result(.packets, nil)
  }

  private func number(
    _ found: HashList.Difference, _ unit: String, _ made: HashList, _ recorded: HashList
  ) -> String {
    let grouped = made.group > 1 ? "groups of \(made.group) " : ""
    let counts =
      made.count == recorded.count
      ? "" : " (there are \(made.count) instead of \(recorded.count))"
    return "\(found.number) of \(recorded.hashes.count) \(grouped)\(unit)s differ\(counts)"
  }

  /// The worst finding of the streams of one kind.
  private func kind(
    _ tier: Tier, isVideo: Bool,
    _ compare: (Int, Fingerprint.Stream, Fingerprint.Stream) -> Finding?
  ) -> TierResult {
    let places = reference.streams.indices.filter { reference.streams[$0].isVideo == isVideo }
    guard !places.isEmpty else {
      return skipped(tier, isVideo ? "there are no pictures" : "there is no sound")
    }
    var excused: Finding?
    for place in places {
      guard place < output.streams.count, output.streams[place].isVideo == isVideo else {
        return result(tier, Finding(detail: "stream \(place) is missing or of another kind"))
      }
      guard let found = compare(place, output.streams[place], reference.streams[place]) else {
        continue
      }
      guard found.isExcused else { return result(tier, found) }
      excused = excused ?? found
    }
    return result(tier, excused)
  }

  private func frames(
    _ place: Int, _ made: Fingerprint.Stream, _ recorded: Fingerprint.Stream
  ) -> Finding? {
    if made.damage > 0 {
      return Finding(detail: "stream \(place): \(made.damage) packets do not decode")
    }
    guard let found = made.content.difference(from: recorded.content) else { return nil }
    let detail =
      "stream \(place): \(number(found, "frame", made.content, recorded.content)), the first is "
      + "frame \(found.first)\(recorded.time(ofFrame: found.first))"
    let looksAlike = picture(place, made, recorded)?.isExcused ?? true
    let isExcused =
      !golden.isOfTheseLibraries && !recorded.isLossless && looksAlike
      && made.content.count == recorded.content.count
    return Finding(detail: detail + reason(isExcused), isExcused: isExcused)
  }

  private func samples(
    _ place: Int, _ made: Fingerprint.Stream, _ recorded: Fingerprint.Stream
  ) -> Finding? {
    if made.damage > 0 {
      return Finding(detail: "stream \(place): \(made.damage) packets do not decode")
    }
    guard let found = made.content.difference(from: recorded.content) else { return nil }
    let detail =
      "stream \(place): \(number(found, "second", made.content, recorded.content)), the first is "
      + "second \(found.first)"
    let soundsAlike = sound(place, made, recorded)?.isExcused ?? true
    // Sums of floats come out otherwise on another processor, whatever the codec.
    let hasReason =
      !golden.isOfThisProcessor || (!golden.isOfTheseLibraries && !recorded.isLossless)
    let isExcused = hasReason && soundsAlike
    return Finding(detail: detail + reason(isExcused), isExcused: isExcused)
  }

  private func reason(_ isExcused: Bool) -> String {
    isExcused ? "; within the tolerance, and made with other libraries or another processor" : ""
  }

  // MARK: With a tolerance

  private func picture(
    _ place: Int, _ made: Fingerprint.Stream, _ recorded: Fingerprint.Stream
  ) -> Finding? {
    guard let own = made.thumbnails, let other = recorded.thumbnails, own != other else {
      return nil
    }
    let distances = own.distances(from: other)
    let count = distances.filter { !$0.isSmall }.count
    let first = distances.first { !$0.isSmall }?.frame
    guard let worst = distances.min(by: { $0.isWorse(than: $1) }),
      made.content.count == recorded.content.count
    else {
      return Finding(
        detail: "stream \(place): there are \(made.content.count) frames instead of "
          + "\(recorded.content.count)"
          + (first.map { ", and frame \($0) looks otherwise" } ?? ""))
    }
    let limits = JSONValue.decimal(Thumbnails.Distance.minimumRatio).encoded()
    let ratio = JSONValue.decimal(worst.ratio, digits: 1).encoded()
    let detail =
      "stream \(place): frame \(worst.frame)\(recorded.time(ofFrame: worst.frame)) is the worst, "
      + "\(ratio) dB and \(worst.largest) levels (allowed: at least \(limits) dB, at most "
      + "\(Thumbnails.Distance.maximumLevel) levels); \(count) of \(distances.count) small pictures "
      + "are beyond" + (first.map { ", the first is frame \($0)" } ?? "")
    return Finding(detail: detail, isExcused: count == 0)
  }

  private func sound(
    _ place: Int, _ made: Fingerprint.Stream, _ recorded: Fingerprint.Stream
  ) -> Finding? {
    guard let own = made.levels, let other = recorded.levels, own != other else { return nil }
    guard let found = own.distance(from: other) else {
      return Finding(detail: "stream \(place): another number of channels or another rate")
    }
    let counts =
      own.count == other.count ? "" : "there are \(own.count) samples instead of \(other.count)"
    func text(_ distance: SoundLevels.Distance) -> String {
      func decibels(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10) dB" }
      let time = Rational(Int64(distance.window) * Int64(other.window), Int64(other.sampleRate))
      return "channel \(distance.channel) at \(time.secondsText) by \(decibels(distance.level)), "
        + "its steps by \(decibels(distance.slope))"
    }
    let details = [
      counts, found.first.map { "the level is off first in \(text($0))" } ?? "",
      "the worst is \(text(found.worst)) (allowed: 0.5 dB and 2 dB)",
    ]
    return Finding(
      detail: "stream \(place): " + details.filter { !$0.isEmpty }.joined(separator: "; "),
      isExcused: counts.isEmpty && found.first == nil)
  }
}
