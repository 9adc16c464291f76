import CLibAV

/// Draws the lines of a script that are shown at a time, by libass.
///
/// What is drawn depends on the time alone, not on what was drawn before. Used by one thread.
@safe package final class SubtitleRenderer {
  private let track: SubtitleTrack
  private let renderer: OpaquePointer
  private let schedule: SubtitleSchedule
  private let width: Int
  private let height: Int
  private let colors: ScriptColors?
  /// The change drawn last.
  private var position: (origin: Int, change: Int)?
  /// The runs whose lines have places since the last reset.
  private var placedRuns: Set<Int> = []
  private var last: Frame?

  private static let action = "draw subtitles"

  /// Prepares to draw a script on a canvas of that size.
  ///
  /// `matrix` is FFmpeg's name of the matrix by which the canvas becomes luma and chroma; where the
  /// script states another one, its colours are made for that. `nil` leaves them as they are.
  ///
  /// - Throws: Where libass does not take the script.
  package init(
    _ script: SubtitleScript, width: Int, height: Int, matrix: String? = nil
  ) throws(LibAVError) {
    guard (1...32768).contains(width), (1...32768).contains(height) else {
      throw .invalid(Self.action, "sizes are 1 to 32768")
    }
    let track = try SubtitleTrack(script)
    guard let renderer = unsafe ass_renderer_init(track.library) else {
      throw .outOfMemory(Self.action)
    }
    self.track = track
    unsafe self.renderer = unsafe renderer
    schedule = SubtitleSchedule(script)
    (self.width, self.height) = (width, height)
    let header = unsafe track.pointer.pointee.YCbCrMatrix
    colors = matrix.flatMap { ScriptColors(header, on: $0) }
    unsafe ass_set_storage_size(renderer, Int32(width), Int32(height))
    unsafe ass_set_frame_size(renderer, Int32(width), Int32(height))
    unsafe ass_set_hinting(renderer, ASS_HINTING_NONE)
    unsafe ass_set_shaper(renderer, ASS_SHAPING_COMPLEX)
    unsafe ass_set_fonts(
      renderer, nil, SubtitleScript.usualFamily,
      Int32(ASS_FONTPROVIDER_FONTCONFIG.rawValue), nil, 1)
  }

  deinit {
    // The track, which has the library, goes after this.
    unsafe ass_renderer_done(renderer)
  }

  /// What is shown at a time in whole milliseconds, in "rgba" with straight alpha and of the
  /// canvas's size; `nil` where nothing is.
  ///
  /// The same frame as before where nothing has changed; it is not to be changed.
  package func picture(at time: Int64) throws(LibAVError) -> Frame? {
    guard let change = schedule.change(at: time) else { return nil }
    let origin = schedule.origin(of: change)
    var begin = origin
    var isChanged = false
    if let position, position.origin == origin, position.change <= change,
      !schedule.isMoving(origin)
    {
      begin = position.change + 1
    } else {
      if placedRuns.contains(origin) || !schedule.beginsFromNothing(origin) { forgetPlaces() }
      placedRuns.insert(origin)
    }
    if begin < change {
      for earlier in begin..<change {
        let drawn = unsafe draw(at: schedule.changes[earlier])
        if unsafe drawn.isChanged { isChanged = true }
      }
    }
    position = (origin, change)
    let drawn = unsafe draw(at: time)
    if unsafe isChanged || drawn.isChanged {
      last =
        unsafe drawn.images == nil
        ? nil
        : try SubtitlePixels.frame(
          drawn.images, width: width, height: height, colors: colors)
    }
    return last
  }

  private func draw(
    at time: Int64
  ) -> (images: UnsafeMutablePointer<ASS_Image>?, isChanged: Bool) {
    var change: Int32 = 0
    let images = unsafe ass_render_frame(renderer, track.pointer, time, &change)
    return unsafe (images, change != 0)
  }

  /// libass keeps the places of lines for as long as the canvas keeps its size.
  private func forgetPlaces() {
    unsafe ass_set_frame_size(renderer, Int32(width), Int32(height) + 1)
    unsafe ass_set_frame_size(renderer, Int32(width), Int32(height))
    placedRuns = []
  }
}
