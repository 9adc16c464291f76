/// The vocabulary that an item's key belongs to.
///
/// The raw value is the prefix of an identifier: `itsk/©nam`.
public enum KeySpace: String, Hashable, Sendable, CaseIterable {
  /// Keys that every container knows under another name.
  case common
  /// Frames of ID3v2.
  case id3
  /// Four-character atoms of an iTunes `ilst`.
  case itsk
  /// Freeform atoms (`----`) of an iTunes `ilst`; the key is `mean.name`.
  case itlk
  /// Named keys of QuickTime metadata.
  case mdta
  /// Four-character items of QuickTime user data.
  case udta
  /// Four-character items of ISO and 3GPP user data.
  case uiso
  /// Names of a streaming server.
  case icy
  /// Date ranges of HTTP live streaming.
  case lsdr
  /// Keys of Core Audio files.
  case caaf
  /// Fields of a Vorbis comment.
  case vorb
  /// Fields of WAV and AIFF files: of the INFO list, such as `INAM`, of the broadcast extension, such
  /// as `bext.Description`, the text chunks of AIFF, and `iXML`.
  case riff
  /// Names of Matroska tags.
  case matroska

  /// Finds a key space by its prefix or by AVFoundation's name for it.
  public init?(name: String) {
    switch name {
    case "comn": self = .common
    case "org.id3": self = .id3
    default: self.init(rawValue: name)
    }
  }

  /// Whether keys are codes of exactly four Latin-1 characters.
  var hasFourCharacterKeys: Bool { self == .itsk || self == .udta || self == .uiso }
}
