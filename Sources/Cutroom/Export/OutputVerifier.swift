import CutroomMedia
import CutroomModel

/// Reads a written file back and compares it with the plan.
struct OutputVerifier {
  let plan: ExportPlan
  let written: [PacketWriter.Written]

  /// - Throws: ``CutroomError`` with code `internal` when the file is not what was planned.
  func verify(_ path: String) throws(CutroomError) {
    let asset: AssetInfo
    do {
      asset = try AssetInfo.open(path)
    } catch {
      throw failure("it does not read back: \(error.message)")
    }
    var written = written[...]
    if let video = plan.video { try verify(video, try next(&written), asset) }
    let tracks = asset.tracks.filter { $0.kind == .audio }
    guard tracks.count == plan.sounds.count else {
      throw failure("it has \(tracks.count) streams of sound instead of \(plan.sounds.count)")
    }
    for (audio, track) in zip(plan.sounds, tracks) {
      try verify(audio, try next(&written), track)
    }
    try verifySubtitles(&written, asset)
    for data in plan.furtherData { try verify(data, try next(&written), asset) }
  }

  private func next(
    _ written: inout ArraySlice<PacketWriter.Written>
  ) throws(CutroomError) -> PacketWriter.Written {
    guard let first = written.popFirst() else { throw failure("a stream was not written") }
    return first
  }

  private func failure(_ reason: String) -> CutroomError {
    CutroomError(
      .internal, "output.verification",
      "the written file is not what was planned: \(reason); it was removed")
  }

  private func verify(
    _ video: VideoPlan, _ written: PacketWriter.Written, _ asset: AssetInfo
  ) throws(CutroomError) {
    guard let track = asset.track(.video) else { throw failure("it has no picture") }
    guard track.codec == video.codec else {
      throw failure("its picture is \(track.codec), not \(video.codec)")
    }
    guard written.packets == video.frameCount + video.hiddenCount else {
      throw failure("\(written.packets) pictures were written instead of \(video.frameCount)")
    }
    if let count = track.frameCount, count != video.frameCount {
      throw failure("it has \(count) pictures instead of \(video.frameCount)")
    }
    try verify(track, written, kind: "picture")
  }

  private func verify(
    _ audio: AudioPlan, _ written: PacketWriter.Written, _ track: AssetTrack
  ) throws(CutroomError) {
    // Of short transport streams, libavformat takes layer II for layer III.
    let layers: Set = ["mp2", "mp3"]
    guard track.codec == audio.codec || layers.isSuperset(of: [track.codec, audio.codec]) else {
      throw failure("its sound is \(track.codec), not \(audio.codec)")
    }
    guard audio.sampleCount == 0 || written.packets > 0 else { throw failure("it has no sound") }
    try verify(track, written, kind: "sound")
  }

  /// Where a file's table says where its lines stand, they are read and their times compared.
  private func verifySubtitles(
    _ written: inout ArraySlice<PacketWriter.Written>, _ asset: AssetInfo
  ) throws(CutroomError) {
    let tracks = asset.tracks.filter { $0.kind == .subtitle }
    guard tracks.count == plan.furtherSubtitles.count else {
      throw failure(
        "it has \(tracks.count) tracks of subtitles instead of \(plan.furtherSubtitles.count)")
    }
    for (subtitles, track) in zip(plan.furtherSubtitles, tracks) {
      _ = try next(&written)
      guard track.codec == subtitles.codec else {
        throw failure("its subtitles are \(track.codec), not \(subtitles.codec)")
      }
      guard plan.container.hasEditLists else { continue }
      let script: SubtitleScript
      do { script = try asset.script(ofStream: track.streamIndex) } catch {
        throw failure("its subtitles do not read back: \(error.message)")
      }
      let found = script.lines.map { [$0.start, $0.end].map { Rational($0) * track.timeBase } }
      let expected = subtitles.cues.filter { !$0.isGap }.map { cue in
        [cue.start, cue.end].map { Rational($0, subtitles.ticksPerSecond) }
      }
      guard found == expected else { throw failure("the times of its subtitles are others") }
    }
  }

  private func verify(
    _ data: DataPlan, _ written: PacketWriter.Written, _ asset: AssetInfo
  ) throws(CutroomError) {
    let found = asset.tracks.contains { track in
      track.kind == .data && track.stream?.codecTag == data.tag
        && track.stream?.frameCount ?? 0 >= written.packets
    }
    guard found, written.packets > 0 else { throw failure("the data track \(data.tag) is missing") }
  }

  /// The track ends where its last packet ends; containers that count milliseconds round.
  private func verify(
    _ track: AssetTrack, _ written: PacketWriter.Written, kind: String
  ) throws(CutroomError) {
    let tolerance = max(Rational(5, 1000), track.timeBase * 2)
    // Elsewhere the end is that of the last packet, which may hold more than was planned.
    let packet = plan.audio.map { Rational(2 * $0.packetSize, Int64($0.encoding.sampleRate)) }
    let slack =
      plan.container.hasEditLists ? tolerance : tolerance + max(Rational(1, 10), packet ?? 0)
    guard (track.end - written.end).magnitude <= slack else {
      throw failure(
        "its \(kind) ends at \(track.end.secondsText) instead of \(written.end.secondsText)")
    }
  }
}
