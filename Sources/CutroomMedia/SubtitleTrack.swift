import CLibAV
import Glibc

/// A script in libass, with the fonts in which it can be drawn here.
@safe final class SubtitleTrack {
  let library: OpaquePointer
  let pointer: UnsafeMutablePointer<ASS_Track>
  /// The families that the lines are set in but that are not installed, in order of their use.
  private(set) var missingFamilies: [String] = []
  /// The fonts that the script brings.
  let fonts: BroughtFonts
  private var isInstalled: [String: Bool] = [:]

  private static let action = "read subtitles"
  private static let styleLimit = 2000

  /// Gives libass all lines of a script, with families that are not installed replaced.
  init(_ script: SubtitleScript) throws(LibAVError) {
    guard let library = unsafe ass_library_init() else { throw .outOfMemory(Self.action) }
    // What it says goes nowhere: fonts and characters are looked up before.
    unsafe ass_set_message_cb(library, { _, _, _, _ in }, nil)
    fonts = BroughtFonts(script.fonts)
    for font in script.fonts {
      var bytes = font.bytes
      unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe ass_add_font(
          library, font.name, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(clamping: bytes.count))
      }
    }
    guard let track = unsafe ass_new_track(library) else {
      unsafe ass_library_done(library)
      throw .outOfMemory(Self.action)
    }
    unsafe self.library = unsafe library
    unsafe pointer = unsafe track
    var header = script.header.utf8CString
    unsafe header.withUnsafeMutableBufferPointer { bytes in
      unsafe ass_process_codec_private(track, bytes.baseAddress, Int32(clamping: bytes.count - 1))
    }
    guard unsafe track.pointee.n_styles <= Self.styleLimit else {
      throw .invalid(Self.action, "there are more than \(Self.styleLimit) styles")
    }
    unsafe ass_set_check_readorder(track, 0)
    for (number, index) in Self.order(script.lines).enumerated() {
      add(script.lines[index], number, script)
    }
    guard unsafe Int(track.pointee.n_events) == script.lines.count else {
      throw .invalid(Self.action, "there are lines that are none for libass")
    }
    unsafe _ = ass_track_set_feature(
      track, ASS_FEATURE_BIDI_BRACKETS, script.isStyled ? 0 : 1)
    setFamilies(script)
  }

  deinit {
    unsafe ass_free_track(pointer)
    unsafe ass_library_done(library)
  }

  /// The lines as they were written, which decides what lies over what.
  private static func order(_ lines: [SubtitleScript.Line]) -> [Int] {
    lines.indices.sorted { (lines[$0].order, $0) < (lines[$1].order, $1) }
  }

  private func add(_ line: SubtitleScript.Line, _ number: Int, _ script: SubtitleScript) {
    var text = SubtitleText.replacingFamilies(in: line.text) { standIn(for: $0) }
    if !script.isStyled { text = SubtitleText.breakable(text) }
    let time = script.milliseconds(line)
    var chunk = "\(number),\(line.settings),\(text)".utf8CString
    unsafe chunk.withUnsafeMutableBufferPointer { bytes in
      unsafe ass_process_chunk(
        pointer, bytes.baseAddress, Int32(clamping: bytes.count - 1), time.lowerBound,
        time.upperBound - time.lowerBound)
    }
  }

  /// Another family where that one is not installed.
  private func standIn(for family: String) -> String? {
    let plain = family.hasPrefix("@") ? String(family.dropFirst()) : family
    let known = isInstalled[plain]
    let isThere = known ?? (fonts.has(family: plain) || TextRenderer.hasFont(plain))
    isInstalled[plain] = isThere
    if !isThere, known == nil { missingFamilies.append(plain) }
    return isThere ? nil : SubtitleScript.usualFamily
  }

  /// Sets the families of styles that are used; nothing may be added after that.
  private func setFamilies(_ script: SubtitleScript) {
    var used: Set<Int> = []
    for index in 0..<Int(unsafe pointer.pointee.n_events) {
      guard let event = unsafe pointer.pointee.events?[index] else { continue }
      unsafe used.insert(Int(event.Style))
    }
    let usesAll = script.lines.contains { SubtitleText.namesStyles($0.text) }
    for index in 0..<Int(unsafe pointer.pointee.n_styles) where usesAll || used.contains(index) {
      guard let style = unsafe pointer.pointee.styles?.advanced(by: index) else { continue }
      let family = unsafe text(style.pointee.FontName) ?? ""
      // The name that libavcodec gives to text without a font.
      let isUnset = !script.isStyled && family == "Arial"
      if let other = isUnset ? SubtitleScript.usualFamily : standIn(for: family) {
        unsafe free(style.pointee.FontName)
        unsafe style.pointee.FontName = unsafe strdup(other)
      }
      // Each paragraph's direction is found from its letters.
      if !script.isStyled { unsafe style.pointee.Encoding = -1 }
    }
  }
}

/// What a script needs that is neither installed nor brought along.
package struct SubtitleFonts: Sendable {
  /// The families for which another one stands in.
  package var missingFamilies: [String]
  /// The characters that no font has.
  package var missingCharacters: [Unicode.Scalar]
  /// The names of the fonts that the script brings but that cannot be read.
  package var unreadableFonts: [String]

  /// Looks for what the lines of a script need.
  ///
  /// - Throws: Where libass does not take the script.
  package init(_ script: SubtitleScript) throws(LibAVError) {
    let track = try SubtitleTrack(script)
    missingFamilies = track.missingFamilies
    var seen: Set<Unicode.Scalar> = []
    var characters: [Unicode.Scalar] = []
    for line in script.lines {
      for character in SubtitleText.characters(in: line.text) where seen.insert(character).inserted
      {
        characters.append(character)
      }
    }
    missingCharacters = TextRenderer.withoutFont(characters.filter { !track.fonts.have($0) })
    unreadableFonts = track.fonts.unreadable
  }
}

extension TextRenderer {
  /// Those of `characters` that are seen and that no installed font has.
  ///
  /// Wraps `FcFontList`.
  package static func withoutFont(_ characters: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard let pattern = unsafe FcPatternCreate() else { return [] }
    defer { unsafe FcPatternDestroy(pattern) }
    guard let set = unsafe FcObjectSetCreate() else { return [] }
    defer { unsafe FcObjectSetDestroy(set) }
    unsafe FcObjectSetAdd(set, "charset")
    guard let fonts = unsafe FcFontList(nil, pattern, set) else { return [] }
    defer { unsafe FcFontSetDestroy(fonts) }
    return characters.filter { character in
      let properties = character.properties
      guard !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint,
        properties.generalCategory != .control
      else { return false }
      for index in 0..<Int(unsafe fonts.pointee.nfont) {
        var letters: OpaquePointer?
        if unsafe FcPatternGetCharSet(fonts.pointee.fonts[index], "charset", 0, &letters)
          == FcResultMatch, unsafe FcCharSetHasChar(letters, character.value) != 0
        {
          return false
        }
      }
      return true
    }
  }
}
