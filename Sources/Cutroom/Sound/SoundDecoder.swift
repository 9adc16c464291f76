import CutroomMedia
import CutroomModel

/// Decoded sound of a source at its own rate and layout, in order.
///
/// Positions are samples of the source's rate, counted from source time 0. Used by one thread.
protocol SoundDecoder: AnyObject {
  var sampleRate: Int { get }
  var channelLayout: String { get }
  /// The position after the last sample; `nil` for no end.
  var end: Int64? { get }
  /// Moves so that ``next()`` gives sound at or before `position`, with enough before it for the
  /// decoder to have settled.
  func seek(to position: Int64) throws(CutroomError)
  /// The next run of samples; `nil` at the end.
  func next() throws(CutroomError) -> (position: Int64, sound: PlanarAudio)?
}
