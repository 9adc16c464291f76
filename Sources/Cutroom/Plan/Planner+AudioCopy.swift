import CutroomMedia
import CutroomModel

extension Planner {
  /// Looks for a way to copy the whole sound.
  ///
  /// In `auto` where the result is exact to the sample: where packets can be cut anywhere, or for
  /// one stretch of one file in a container that hides what packets hold too much. Joints of
  /// transform codecs and cuts in transport streams lie at packets, and the report says how far off.
  mutating func planAudioCopy(
    _ container: Container, _ wanted: AudioExport
  ) -> CopyOutcome<AudioPlan> {
    if let obstacle = modeObstacle(wanted.codec) { return .refused([obstacle]) }
    let isDemanded = isCopyDemanded(wanted.codec)
    var (pieces, obstacles) = copyPieces(.audio)
    guard let first = pieces.first, let sound = first.track.sound else {
      return .refused(obstacles)
    }
    var cut = soundCut(first.track, container, encodes: !isDemanded)
    // Where a file of MP3 tells no delay, its start can only be copied into one that tells none.
    let delay = first.asset.origin * Rational(sound.sampleRate)
    if container.muxer == "mp3", first.sourceStart <= first.track.start,
      delay < Rational(Self.mp3Delay)
    {
      cut = .packets
    }
    if isDemanded {
      let covered = coverage(pieces, kind: "sound", endsEarly: true)
      // Packets keep their times in most containers; plain samples follow each other.
      obstacles += covered.filter { $0.reason != "gap" || !container.holdsHoles(cut) }
    } else {
      obstacles += coverage(pieces, kind: "sound", endsEarly: false)
      obstacles += exactness(pieces, container, cut)
    }
    if case .hidden(let most) = cut, let obstacle = unhidden(first, most, container) {
      obstacles.append(obstacle)
    }
    obstacles += parameters(pieces, sound, container, wanted)
    guard obstacles.isEmpty else { return .refused(obstacles) }
    let rate = Int64(sound.sampleRate)
    let chunks = pieces.map { piece in
      let ticks = (piece.sourceStart + piece.asset.origin) / piece.track.timeBase
      let end = (piece.sourceEnd + piece.asset.origin) / piece.track.timeBase
      return Chunk(
        action: .copy(
          CopiedRange(
            source: piece.source, path: piece.path, streamIndex: piece.track.streamIndex,
            sourceStart: piece.sourceStart, firstPTS: Int64(clamping: ticks.floor),
            endPTS: Int64(clamping: end.ceiling), tickOffset: 0, tickFactor: 1)),
        start: piece.start, duration: piece.duration,
        count: Int64(clamping: (piece.duration * Rational(rate)).rounded))
    }
    let encoding = AudioEncoding(
      encoder: "copy", sampleRate: sound.sampleRate, channelLayout: sound.channelLayout,
      sampleFormat: "", bitrate: nil, options: [])
    return .copied(
      AudioPlan(
        codec: first.track.codec, encoding: encoding, chunks: chunks,
        sampleCount: Int64(clamping: (duration * Rational(rate)).floor),
        packetSize: Int64(sound.frameSize), language: language() ?? first.track.language,
        cut: cut, runUp: runUp(first)))
  }

  private func exactness(
    _ pieces: [CopyPiece], _ container: Container, _ cut: SoundCut
  ) -> [CopyObstacle] {
    guard let first = pieces.first, let last = pieces.last else { return [] }
    if pieces.count > 1, !cut.isExactEverywhere, !joinsPackets(pieces, container) {
      return [
        CopyObstacle(
          .passthroughCut, "sound.join", "joined packets of sound are not exact to the sample",
          at: pieces[1].pointer)
      ]
    }
    if cut == .packets, let obstacle = untrimmed(first, container) { return [obstacle] }
    // Silence before the first packet and after the last one needs no packets.
    let holdsSilence = container.keepsTimes && !cut.isExactEverywhere
    let packet = Rational(
      Int64(first.track.sound?.frameSize ?? 0), Int64(max(1, first.track.sound?.sampleRate ?? 1)))
    let most = holdsSilence && pieces.count > 1 ? packet : .zero
    return pieces.filter { piece in
      let early = piece.track.start - piece.sourceStart
      let late = piece.sourceEnd - piece.track.end
      return early > most && !(holdsSilence && piece.start == first.start)
        || late > most && !(holdsSilence && piece.start == last.start)
    }.map { piece in
      CopyObstacle(
        .passthroughHole, "gap", "the source's sound is shorter than its picture",
        at: piece.pointer)
    }
  }

  /// Whether packets of two stretches may follow each other: each decodes with its neighbours alone,
  /// so that a joint is heard within one packet.
  private func joinsPackets(_ pieces: [CopyPiece], _ container: Container) -> Bool {
    container.keepsTimes && pieces.allSatisfy { ["aac", "ac3", "eac3"].contains($0.track.codec) }
      && Set(pieces.map(\.track.sound)).count == 1
  }

  /// What keeps a piece's run-up from being hidden where at `most` that many samples can be.
  private func unhidden(
    _ piece: CopyPiece, _ most: Int64, _ container: Container
  ) -> CopyObstacle? {
    guard most < .max else { return nil }
    let size = Int64(max(piece.track.sound?.frameSize ?? 0, 960))
    if piece.sourceStart > piece.track.start, runUp(piece) + size > most {
      return CopyObstacle(
        .passthroughCut, "sound.trim",
        "'\(container.name)' cannot hide all packets that the first one needs", at: piece.pointer)
    }
    return nil
  }

  /// What keeps a whole track from being copied into a container without edit lists.
  ///
  /// Nothing, where none of its packets is cut and the encoder's delay, if there is one, is told
  /// as it was: in the container that it comes from.
  private func untrimmed(_ piece: CopyPiece, _ container: Container) -> CopyObstacle? {
    // No encoder does better there: nothing tells players what to drop.
    if container.muxer == "mpegts" { return nil }
    guard piece.sourceStart <= piece.track.start, piece.sourceEnd >= piece.track.end else {
      return CopyObstacle(
        .passthroughCut, "sound.trim",
        "'\(container.name)' cannot hide the part of a packet that is cut off",
        at: piece.pointer)
    }
    let hasDelay = !(Codec.named(piece.track.codec)?.isLosslessSound ?? false)
    let families = [["ogg", "opus"], ["mkv", "webm"]]
    let isOfFamily =
      piece.asset.container == container.name
      || families.contains { $0.contains(piece.asset.container) && $0.contains(container.name) }
    guard !hasDelay || isOfFamily && piece.track.codec != "aac" else {
      return CopyObstacle(
        .passthroughCut, "sound.priming",
        "'\(container.name)' does not tell the delay of '\(piece.track.codec)' as the source does",
        at: piece.pointer)
    }
    return nil
  }

  private func parameters(
    _ pieces: [CopyPiece], _ sound: AssetTrack.Sound, _ container: Container,
    _ wanted: AudioExport
  ) -> [CopyObstacle] {
    var obstacles: [CopyObstacle] = []
    func refuse(_ reason: String, _ message: String, _ pointer: String) {
      obstacles.append(CopyObstacle(.passthroughSettings, reason, message, at: pointer))
    }
    let codec = wanted.codec == "pcm" ? "pcm_s16le" : wanted.codec
    obstacles += codingObstacles(
      pieces, codec: codec, bitrate: wanted.bitrate, .audio(container), container)
    if let rate = document.timeline.sampleRate, rate != sound.sampleRate {
      refuse(
        "rate.differs", "the timeline has \(rate) Hz, the source \(sound.sampleRate) Hz",
        "/timeline/sampleRate")
    }
    if let layout = document.timeline.channelLayout, layout != sound.channelLayout {
      refuse(
        "layout.differs", "the timeline is \(layout), the source \(sound.channelLayout)",
        "/timeline/channelLayout")
    }
    return obstacles
  }
}
