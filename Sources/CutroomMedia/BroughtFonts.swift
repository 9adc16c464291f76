import CLibAV
import Glibc

/// What the fonts are called that a script brings, and which characters they have.
@safe final class BroughtFonts {
  private var families: Set<String> = []
  private var sets: [OpaquePointer] = unsafe []
  /// The names of those that cannot be read.
  private(set) var unreadable: [String] = []

  private static let faceLimit: UInt32 = 64

  /// Reads all fonts.
  ///
  /// Wraps `FcFreeTypeQuery`, which reads files: each lies in one without a name meanwhile.
  init(_ fonts: [SubtitleFont]) {
    for font in fonts where !read(font) { unreadable.append(font.name) }
  }

  deinit {
    for index in unsafe sets.indices { unsafe FcCharSetDestroy(sets[index]) }
  }

  /// Whether one of them is called so, or has that full name.
  func has(family: String) -> Bool { families.contains(family.lowercased()) }

  /// Whether one of them has a sign for the character.
  func have(_ character: Unicode.Scalar) -> Bool {
    unsafe sets.indices.contains { unsafe FcCharSetHasChar(sets[$0], character.value) != 0 }
  }

  private func read(_ font: SubtitleFont) -> Bool {
    let file = unsafe clibav_memory_file("font")
    guard file >= 0 else { return false }
    defer { close(file) }
    var written = 0
    while written < font.bytes.count {
      let count = unsafe font.bytes.withUnsafeBytes { bytes in
        unsafe write(file, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      }
      guard count > 0 else { return false }
      written += count
    }
    var faces: Int32 = 1
    var index: UInt32 = 0
    while index < min(UInt32(clamping: faces), Self.faceLimit) {
      guard
        let pattern = unsafe FcFreeTypeQuery("/proc/self/fd/\(file)", index, nil, &faces)
      else { return index > 0 }
      defer { unsafe FcPatternDestroy(pattern) }
      unsafe take(pattern)
      index += 1
    }
    return true
  }

  private func take(_ pattern: OpaquePointer) {
    for key in ["family", "fullname"] {
      var number: Int32 = 0
      var name: UnsafeMutablePointer<FcChar8>?
      while unsafe FcPatternGetString(pattern, key, number, &name) == FcResultMatch {
        if let name = unsafe name { families.insert(unsafe String(cString: name).lowercased()) }
        number += 1
      }
    }
    var letters: OpaquePointer?
    if unsafe FcPatternGetCharSet(pattern, "charset", 0, &letters) == FcResultMatch,
      let letters = unsafe FcCharSetCopy(letters)
    {
      unsafe sets.append(letters)
    }
  }
}

extension Demuxer {
  /// The fonts that the file has beside its streams, 64 MB at the most.
  package var attachedFonts: [SubtitleFont] {
    var room = 64 << 20
    return streams.filter(\.isFont).compactMap { stream in
      guard stream.extradata.count <= room else { return nil }
      room -= stream.extradata.count
      let name = stream.metadata.first { $0.key.lowercased() == "filename" }?.value
      return SubtitleFont(name: name ?? "font\(stream.index)", bytes: stream.extradata)
    }
  }
}

extension StreamInfo {
  /// Whether it is a font beside the file's other streams.
  fileprivate var isFont: Bool {
    guard kind == .attachment, !extradata.isEmpty else { return false }
    if codecName == "ttf" || codecName == "otf" { return true }
    let type = metadata.first { $0.key.lowercased() == "mimetype" }?.value.lowercased() ?? ""
    return type.hasPrefix("font/") || type.contains("font")
  }
}
