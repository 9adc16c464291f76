public import CutroomModel

extension Engine {
  /// The tracks of a media file, to be inserted into a `Composition`: when each begins and ends.
  ///
  /// `id` is what segments name the file by, else its path. Only the first picture and the first
  /// sound track are given, as a file that is named by its path alone has them; the default one of
  /// each kind, where the container names one. A file of subtitles has a picture. Reading the file's headers may take a while.
  ///
  /// Throws ``CutroomError`` where the file is not there or cannot be read.
  public static func sourceTracks(
    ofFile path: String, id: String? = nil
  ) throws(CutroomError) -> [SourceTrack] {
    let asset: AssetInfo
    do throws(AssetError) { asset = try AssetInfo.open(path) } catch {
      throw CutroomError(.media, error.reason.rawValue, error.message)
    }
    if asset.subtitles != nil, let track = asset.track(.subtitle) {
      // They are drawn as pictures, over the whole of the file's time.
      var source = SourceTrack(
        id ?? path, track: Int32(clamping: track.streamIndex), kind: .video,
        extent: Range(start: .zero, end: asset.duration))
      source.timescale = Int32(exactly: (Rational.one / track.timeBase).ceiling)
      return [source]
    }
    return [asset.track(.video), asset.track(.audio)].compactMap { track in
      guard let track else { return nil }
      let extent: Range<Rational>? =
        asset.isStill ? nil : Range(start: track.start, end: track.end)
      var source = SourceTrack(
        id ?? path, track: Int32(clamping: track.streamIndex),
        kind: track.kind == .video ? .video : .audio, extent: extent)
      source.naturalSize = track.picture?.displaySize
      source.frameRate = track.picture?.nominalFrameRate
      source.timescale = Int32(exactly: (Rational.one / track.timeBase).ceiling)
      return source
    }
  }
}
