import CLibAV
import Glibc

/// Draws lettering, shaped by libass, into a picture of its own.
@safe package final class TextRenderer {
  private let library: OpaquePointer
  private let renderer: OpaquePointer
  private let track: UnsafeMutablePointer<ASS_Track>
  private let messages: TextMessages
  private static let action = "draw text"
  private static let maximalSize = 16384

  /// A line around letters: red, green, blue, alpha, and how wide it is in pixels.
  package struct Outline {
    var color: (UInt8, UInt8, UInt8, UInt8)
    var width: Double

    package init(color: (UInt8, UInt8, UInt8, UInt8), width: Double) {
      (self.color, self.width) = (color, width)
    }
  }

  /// Draws `text` and returns a picture in "rgba" with straight alpha, just as large as needed.
  ///
  /// Lines break at newlines, and where one gets wider than `maxWidth` between words, or between the
  /// characters of Chinese and Japanese; nothing in the text has a special meaning. Each paragraph
  /// runs the way its first letters do. The size is the height of a line in pixels (ascent and
  /// descent of the font). Colours are red, green, blue, alpha. A box is a quarter of the size
  /// larger on each side than the letters. The alignment is "left", "center" or "right".
  /// Throws where the family is not installed, characters are in no font, or nothing is drawn.
  package static func render(
    text: String, font: String, size: Double, color: (UInt8, UInt8, UInt8, UInt8),
    alignment: String, box: (UInt8, UInt8, UInt8, UInt8)?, outline: Outline? = nil, maxWidth: Int
  ) throws(LibAVError) -> Frame {
    guard (1...2000).contains(size), (1...maximalSize).contains(maxWidth) else {
      throw .invalid(action, "sizes are 1 to 2000 and widths 1 to \(maximalSize) pixels")
    }
    guard text.utf8.count <= 20_000 else { throw .invalid(action, "it is over 20000 bytes long") }
    guard hasFont(font) else { throw .invalid(action, "there is no font family '\(font)' here") }
    guard
      let side = ["left": HALIGN_LEFT, "center": HALIGN_CENTER, "right": HALIGN_RIGHT][alignment]
    else { throw .invalid(action, "the alignment '\(alignment)' is not left, center or right") }
    let renderer = try TextRenderer(maxWidth: maxWidth, font: font)
    try renderer.addText(
      escaped(text), font: font, size: size, side: side, outline: outline?.width ?? 0)
    let padding = box == nil ? 0 : max(1, Int((size / 4).rounded()))
    let drawn = try renderer.draw(padding: padding)
    return try drawn.coverage.frame(
      color: color, box: box, outline: outline.map { (drawn.outline, $0.color) })
  }

  /// Prepares to draw many single lines in one font.
  ///
  /// Throws where the family is not installed.
  package convenience init(linesIn font: String) throws(LibAVError) {
    guard Self.hasFont(font) else {
      throw .invalid(Self.action, "there is no font family '\(font)' here")
    }
    try self.init(maxWidth: 4096, font: font)
    lineFont = font
  }

  /// Draws a line, with the place of its picture from the top left of the line.
  ///
  /// The size is the height of the line in pixels. Only after ``init(linesIn:)``. Throws where
  /// characters are in no font, or nothing is drawn.
  package func line(
    _ text: String, size: Double, color: (UInt8, UInt8, UInt8, UInt8)
  ) throws(LibAVError) -> (picture: Frame, x: Int, y: Int) {
    guard (1...200).contains(size), text.utf8.count <= 2000 else {
      throw .invalid(Self.action, "a line is 1 to 200 pixels high and at most 2000 bytes long")
    }
    messages.forget()
    let time = lineTime
    lineTime += 1000
    try addText(
      Self.escaped(text), font: lineFont, size: size, side: HALIGN_LEFT, from: time)
    let (coverage, _, bounds) = try draw(padding: 0, at: time)
    return (
      try coverage.frame(color: color, box: nil), bounds.left - Int(margin),
      bounds.top - Int(Self.topMargin)
    )
  }

  /// A canvas wide enough to see that a word is wider than `maxWidth`.
  private init(maxWidth: Int, font: String) throws(LibAVError) {
    guard let library = unsafe ass_library_init() else { throw .outOfMemory(Self.action) }
    let messages = TextMessages()
    unsafe ass_set_message_cb(
      library,
      { level, format, arguments, opaque in
        guard let opaque = unsafe opaque, let format = unsafe format,
          let arguments = unsafe arguments
        else { return }
        let owner = unsafe Unmanaged<TextMessages>.fromOpaque(opaque).takeUnretainedValue()
        unsafe owner.add(level, format, arguments)
      }, Unmanaged.passUnretained(messages).toOpaque())
    guard let renderer = unsafe ass_renderer_init(library) else {
      unsafe ass_library_done(library)
      throw .outOfMemory(Self.action)
    }
    guard let track = unsafe ass_new_track(library) else {
      unsafe ass_renderer_done(renderer)
      unsafe ass_library_done(library)
      throw .outOfMemory(Self.action)
    }
    unsafe self.library = unsafe library
    unsafe self.renderer = unsafe renderer
    unsafe self.track = unsafe track
    self.messages = messages
    let margin = Int32(maxWidth)
    let width = Int32(maxWidth) + 2 * margin
    let height = Int32(Self.maximalSize)
    unsafe ass_set_storage_size(renderer, width, height)
    unsafe ass_set_frame_size(renderer, width, height)
    unsafe ass_set_hinting(renderer, ASS_HINTING_NONE)
    unsafe ass_set_shaper(renderer, ASS_SHAPING_COMPLEX)
    unsafe ass_set_fonts(
      renderer, nil, font, Int32(ASS_FONTPROVIDER_FONTCONFIG.rawValue), nil, 1)
    unsafe track.pointee.PlayResX = width
    unsafe track.pointee.PlayResY = height
    unsafe track.pointee.WrapStyle = 1
    unsafe track.pointee.ScaledBorderAndShadow = 1
    // Brackets around words that run the other way; where libass cannot, they stay as they are.
    unsafe _ = ass_track_set_feature(track, ASS_FEATURE_BIDI_BRACKETS, 1)
    self.margin = margin
  }

  private var margin: Int32 = 0
  private static let topMargin: Int32 = 16
  private var lineFont = ""
  private var lineTime: Int64 = 0

  deinit {
    unsafe ass_free_track(track)
    unsafe ass_renderer_done(renderer)
    unsafe ass_library_done(library)
  }

  private func addText(
    _ text: String, font: String, size: Double, side: Int32, from start: Int64 = 0,
    outline: Double = 0
  ) throws(LibAVError) {
    let style = unsafe ass_alloc_style(track)
    let event = unsafe ass_alloc_event(track)
    guard style >= 0, event >= 0, let styles = unsafe track.pointee.styles,
      let events = unsafe track.pointee.events
    else { throw .outOfMemory(Self.action) }
    let look = unsafe styles + Int(style)
    unsafe look.pointee.Name = unsafe strdup("Default")
    unsafe look.pointee.FontName = unsafe strdup(font)
    unsafe look.pointee.FontSize = size
    unsafe look.pointee.PrimaryColour = 0xffff_ff00
    unsafe look.pointee.ScaleX = 1
    unsafe look.pointee.ScaleY = 1
    unsafe look.pointee.BorderStyle = 1
    unsafe look.pointee.Outline = outline
    // Each paragraph's direction is found from its letters.
    unsafe look.pointee.Encoding = -1
    unsafe look.pointee.Alignment = VALIGN_TOP | side
    unsafe look.pointee.MarginL = margin
    unsafe look.pointee.MarginR = margin
    unsafe look.pointee.MarginV = Self.topMargin
    let line = unsafe events + Int(event)
    unsafe line.pointee.Start = start
    unsafe line.pointee.Duration = 1000
    unsafe line.pointee.Style = style
    unsafe line.pointee.Name = unsafe strdup("")
    unsafe line.pointee.Effect = unsafe strdup("")
    unsafe line.pointee.Text = unsafe strdup(text)
  }

  private func draw(
    padding: Int, at time: Int64 = 0
  ) throws(LibAVError) -> (
    coverage: TextCoverage, outline: TextCoverage, bounds: TextBounds
  ) {
    var change: Int32 = 0
    let images = unsafe ass_render_frame(renderer, track, time, &change)
    let missing = messages.missingCharacters
    guard missing.isEmpty else {
      let list = missing.map { "'\($0)' (U+\(hexadecimal($0.value)))" }.joined(separator: ", ")
      throw .invalid(Self.action, "no font has the characters \(list)")
    }
    guard !messages.replacedFont else {
      throw .invalid(Self.action, "the font family cannot be loaded")
    }
    guard let bounds = unsafe TextBounds(images) else {
      throw .invalid(Self.action, "it has no visible character")
    }
    let width = unsafe Int(track.pointee.PlayResX)
    guard bounds.left > 0, bounds.right < width, bounds.top > 0,
      bounds.bottom < Self.maximalSize
    else {
      throw .invalid(Self.action, "it does not fit: use a smaller size, or break the text")
    }
    return (
      unsafe TextCoverage(images, bounds, padding: padding, areOutlines: false),
      unsafe TextCoverage(images, bounds, padding: padding, areOutlines: true), bounds
    )
  }
}

// MARK: - Text and fonts

extension TextRenderer {
  /// Whether a family of that name is installed.
  ///
  /// Wraps `FcFontList`.
  package static func hasFont(_ family: String) -> Bool {
    guard !family.isEmpty, !family.utf8.contains(0) else { return false }
    return ["family", "fullname"].contains { key in
      guard let pattern = unsafe FcPatternCreate() else { return false }
      defer { unsafe FcPatternDestroy(pattern) }
      guard let set = unsafe FcObjectSetCreate() else { return false }
      defer { unsafe FcObjectSetDestroy(set) }
      unsafe FcPatternAddString(pattern, key, Array(family.utf8) + [0])
      unsafe FcObjectSetAdd(set, key)
      guard let fonts = unsafe FcFontList(nil, pattern, set) else { return false }
      defer { unsafe FcFontSetDestroy(fonts) }
      return unsafe fonts.pointee.nfont > 0
    }
  }
}

private func hexadecimal(_ value: UInt32) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}

/// What libass said while drawing.
private final class TextMessages {
  /// Whether another family stands in for the one asked for.
  private(set) var replacedFont = false
  private(set) var missingCharacters: [Unicode.Scalar] = []

  func forget() {
    replacedFont = false
    missingCharacters = []
  }

  func add(_ level: Int32, _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer) {
    guard level <= 2 else { return }
    let line = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
      guard let base = buffer.baseAddress else { return "" }
      unsafe base.pointee = 0
      unsafe vsnprintf(base, 512, format, arguments)
      return unsafe String(cString: base)
    }
    if line.contains("Using default font") { replacedFont = true }
    guard line.contains("failed to find any fallback") || line.contains("not found in font"),
      let start = line.firstRange(of: "0x")?.upperBound,
      let value = UInt32(line[start...].prefix { $0.isHexDigit }, radix: 16),
      let scalar = Unicode.Scalar(value), !scalar.properties.isDefaultIgnorableCodePoint,
      !missingCharacters.contains(scalar)
    else { return }
    missingCharacters.append(scalar)
  }
}
