import CutroomMedia
import CutroomModel

extension AssetProbe {
  /// The description of what was measured.
  var info: AssetInfo {
    let starts = streams.compactMap { stream in
      Self.kind(of: stream).isMedia ? extents[stream.index]?.start : nil
    }
    let origin = isMovie || isStill ? .zero : starts.min() ?? .zero
    let header = isMovie && startsLate ? MovieHeader(path: path) : nil
    var counts: [AssetTrack.Kind: Int] = [:]
    var tracks: [AssetTrack] = []
    for stream in streams {
      var track = track(stream, origin)
      track.indexOfKind = counts[track.kind, default: 0]
      counts[track.kind, default: 0] += 1
      if track.kind == .video, !hasEditList(stream, header) { extendFirstFrame(&track) }
      track.signature = Signature.of(stream, track)
      tracks.append(track)
    }
    return AssetInfo(
      path: path, formatName: demuxer.formatName, container: container, isStill: isStill,
      origin: origin, tracks: tracks, chapters: chapters(origin),
      formatTags: demuxer.metadata.map { AssetInfo.Tag(key: $0.0, value: $0.1) })
  }

  private static let reorderingDelay = Rational(1, 10)

  private var startsLate: Bool {
    streams.contains { stream in
      guard stream.kind == .video, let start = extents[stream.index]?.start else { return false }
      return start > .zero && start < Self.reorderingDelay
    }
  }

  private func hasEditList(_ stream: StreamInfo, _ header: MovieHeader?) -> Bool {
    guard isMovie else { return false }
    guard let header, header.hasEditList.count == demuxer.streams.count,
      header.hasEditList.indices.contains(stream.index)
    else { return header?.hasEditList.contains(true) ?? false }
    return header.hasEditList[stream.index]
  }

  private func extendFirstFrame(_ track: inout AssetTrack) {
    guard track.start > .zero, track.start < Self.reorderingDelay else { return }
    track.start = .zero
    track.extendsFirstFrame = true
  }

  /// The chapters; where tags hold them, as those say it: libavformat misses titles of WAV files,
  /// long titles of ID3, and moves those of Opus.
  private func chapters(_ origin: Rational) -> [AssetChapter] {
    let all = demuxedChapters(origin)
    guard ["wav", "aiff", "mp3", "flac", "ogg"].contains(container) else { return all }
    do {
      let chapters = try TagStore.read(path).chapters
      let end = demuxer.duration.map { Rational($0, 1_000_000) }
      return chapters.indices.map { index in
        let start = chapters[index].start
        let next = index + 1 < chapters.count ? chapters[index + 1].start : end ?? start
        return AssetChapter(start: start, end: max(start, next), title: chapters[index].title)
      }
    } catch { return all }  // a tag that is refused is no reason to refuse the sound
  }

  private func demuxedChapters(_ origin: Rational) -> [AssetChapter] {
    let all = demuxer.chapters.compactMap { chapter -> AssetChapter? in
      let tick = Rational(chapter.timeBase.numerator, chapter.timeBase.denominator)
      let start = Rational(chapter.start) * tick - origin
      let end = Rational(chapter.end) * tick - origin
      guard start.isValid, end.isValid, end >= start else { return nil }
      return AssetChapter(start: max(.zero, start), end: end, title: chapter.title ?? "")
    }
    return all.sorted { $0.start < $1.start }
  }

  private func track(_ stream: StreamInfo, _ origin: Rational) -> AssetTrack {
    let kind = Self.kind(of: stream)
    let extent = extents[stream.index] ?? (origin, origin)
    var track = AssetTrack(
      kind: kind, streamIndex: stream.index, codec: stream.codecName,
      timeBase: Rational(stream.timeBase.numerator, stream.timeBase.denominator),
      start: extent.start - origin, end: extent.end - origin)
    track.stream = stream
    track.language = stream.language.flatMap { $0 == "und" || $0.isEmpty ? nil : $0 }
    track.isDefault = stream.isDefault
    track.frameCount = isStill ? 1 : frameCounts[stream.index]
    track.keyframeCount = isStill ? 1 : keyframeCounts[stream.index]
    track.seekPoints = seekPoints[stream.index] ?? []
    if kind == .video {
      track.picture = picture(stream)
      track.picture?.roundedGridStart = track.start
    }
    if kind == .audio {
      var sound = AssetTrack.Sound(
        sampleRate: stream.sampleRate, channelCount: stream.channelCount,
        channelLayout: layout(stream))
      sound.frameSize = stream.frameSize
      track.sound = sound
    }
    return track
  }

  /// The stated layout, or the usual one where only a number of channels is stated.
  private func layout(_ stream: StreamInfo) -> String {
    let stated = stream.channelLayout
    guard stated.isEmpty || stated.hasSuffix("channels") else { return stated }
    let usual = [
      1: "mono", 2: "stereo", 3: "2.1", 4: "4.0", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1",
    ]
    return usual[stream.channelCount] ?? stated
  }

  private func picture(_ stream: StreamInfo) -> AssetTrack.Picture {
    let size = PixelSize(width: stream.width, height: stream.height)
    var picture = AssetTrack.Picture(size: size)
    let (across, down) = stream.sampleAspectRatio
    let aspect = across > 0 && down > 0 ? Rational(across, down) : .one
    // A pixel twenty times as wide as high is a mistake in the file.
    picture.sampleAspectRatio = aspect * 20 < .one || aspect > 20 ? .one : aspect
    let transform = transform(of: stream)
    picture.rotation = transform.rotation
    picture.isFlipped = transform.isFlipped
    picture.displayMatrix = transform.isIdentity ? nil : stream.displayMatrix
    picture.displaySize = transform.displaySize(of: size, aspect: picture.sampleAspectRatio)
    picture.pixelFormat = stream.pixelFormat?.name
    picture.hasAlpha = stream.pixelFormat?.hasAlpha == true || statesAlpha(stream)
    picture.colorPrimaries = stream.colorTags.primaries
    picture.colorTransfer = stream.colorTags.transfer
    picture.colorMatrix = stream.colorTags.matrix
    picture.colorRange = stream.colorTags.range
    picture.isInterlaced = ["tt", "bb", "tb", "bt"].contains(stream.fieldOrder)
    guard !isStill, let grid = grids[stream.index] else { return picture }
    picture.frameRate = grid.average
    picture.nominalFrameRate = grid.rate
    picture.isVariableFrameRate = grid.isVariable
    picture.roundedGrid = grid.isRounded ? grid.rate : nil
    picture.roundedGridGrain = grid.grain
    picture.roundedGridOffsets = grid.offsets
    return picture
  }

  private func statesAlpha(_ stream: StreamInfo) -> Bool {
    stream.metadata.contains { $0.key.lowercased() == "alpha_mode" && $0.value == "1" }
  }

  private func transform(of stream: StreamInfo) -> DisplayTransform {
    if let matrix = stream.displayMatrix { return DisplayTransform(matrix: matrix) }
    if isStill, stream.codecName == "mjpeg", let value = JPEGOrientation.read(path: path) {
      return DisplayTransform(exifOrientation: value)
    }
    return DisplayTransform()
  }
}
