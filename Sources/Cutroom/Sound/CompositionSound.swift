import CutroomMedia
import CutroomModel

/// The sum of all sound of a composition within another one, at its own rate and layout.
final class CompositionSound: SoundDecoder {
  let sampleRate: Int
  let channelLayout: String
  let end: Int64?
  private let timeline: Timeline
  private let assets: [String: AssetInfo]
  private let declick: Rational
  private let concealsDamage: Bool
  private var tracks: [TrackMixer] = []
  private var position: Int64 = 0

  init(
    timeline: Timeline, assets: [String: AssetInfo], declick: Rational, concealsDamage: Bool
  ) {
    self.timeline = timeline
    self.assets = assets
    self.declick = declick
    self.concealsDamage = concealsDamage
    sampleRate = timeline.sampleRate
    channelLayout = timeline.channelLayout
    end = Int64(clamping: (timeline.duration * Rational(timeline.sampleRate)).floor)
    seekMixers(to: 0)
  }

  func seek(to position: Int64) throws(CutroomError) { seekMixers(to: max(0, position)) }

  private func seekMixers(to position: Int64) {
    self.position = position
    tracks = timeline.tracks.indices.filter { timeline.tracks[$0].kind == .audio }.map { index in
      TrackMixer(
        timeline: timeline, track: index, assets: assets, rate: sampleRate, layout: channelLayout,
        declick: declick, concealsDamage: concealsDamage, from: position)
    }
  }

  func next() throws(CutroomError) -> (position: Int64, sound: PlanarAudio)? {
    guard let end, position < end else { return nil }
    let count = Int(min(8192, end - position))
    let mix = PlanarAudio(channels: ChannelLayout.channels(of: channelLayout), count: count)
    for track in tracks { try track.add(to: mix, at: position) }
    defer { position += Int64(count) }
    return (position, mix)
  }
}
