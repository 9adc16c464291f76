import CutroomMedia
import CutroomModel

/// The sum of all sound of a composition within another one, at its own rate and layout.
final class CompositionSound: SoundDecoder {
  let sampleRate: Int
  let channelLayout: String
  let end: Int64?
  private let timeline: Timeline
  private let settings: TrackMixer.Settings
  private var tracks: [TrackMixer] = []
  private var position: Int64 = 0

  /// The sound of `timeline`; of `settings`, the rate and the layout are those around it.
  init(timeline: Timeline, settings: TrackMixer.Settings) {
    self.timeline = timeline
    var own = settings
    (own.rate, own.layout) = (timeline.sampleRate, timeline.channelLayout)
    self.settings = own
    sampleRate = timeline.sampleRate
    channelLayout = timeline.channelLayout
    end = Int64(clamping: (timeline.duration * Rational(timeline.sampleRate)).floor)
    seekMixers(to: 0)
  }

  func seek(to position: Int64) throws(CutroomError) { seekMixers(to: max(0, position)) }

  private func seekMixers(to position: Int64) {
    self.position = position
    tracks = TrackMixer.all(of: timeline, settings: settings, from: position)
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
