/// The value of a metadata item.
public enum MetadataValue: Hashable, Sendable {
  /// One or several texts in order; dates are kept as their text.
  case texts([String])
  /// A whole number stored in this many bytes.
  case integer(Int64, width: Int)
  /// A number out of a total, such as track 3 of 12; 0 stands for "not given".
  case pair(Int, of: Int)
  /// Bytes: a picture, or a value that is not understood.
  case data([UInt8])
}

/// One piece of metadata with its identifier, as AVFoundation's `AVMetadataItem`.
public struct MetadataItem: Hashable, Sendable {
  /// What the item is.
  public var identifier: MetadataIdentifier
  /// Its value.
  public var value: MetadataValue
  /// The type code of an `ilst` or `mdta` value, where the file gave one.
  public var dataType: UInt32?
  /// Country and language of an `ilst` or `mdta` value; 0 is any.
  public var locale: UInt32
  /// Further attributes: `pictureType`, `language`, `mean`, `description` of a picture.
  public var extraAttributes: [String: String]

  /// Creates an item.
  public init(
    _ identifier: MetadataIdentifier, _ value: MetadataValue, dataType: UInt32? = nil,
    locale: UInt32 = 0, extraAttributes: [String: String] = [:]
  ) {
    self.identifier = identifier
    self.value = value
    self.dataType = dataType
    self.locale = locale
    self.extraAttributes = extraAttributes
  }

  /// Creates an item with one text.
  public init(_ identifier: MetadataIdentifier, _ text: String) {
    self.init(identifier, .texts([text]))
  }

  /// Creates an item of a common key with texts.
  public init(_ key: CommonKey, _ texts: String...) {
    self.init(MetadataIdentifier(key), .texts(texts))
  }

  /// The common key that the identifier stands for, if the mapping table has one.
  public var commonKey: CommonKey? { Mapping.commonKey(of: identifier) }

  /// The values as texts: numbers in decimal, pairs as `3/12`; none for bytes.
  public var values: [String] {
    switch value {
    case .texts(let texts): texts
    case .integer(let number, _): [String(number)]
    case .pair(let number, let total): [total == 0 ? "\(number)" : "\(number)/\(total)"]
    case .data: []
    }
  }

  /// The media type of a picture, found from its first bytes; `nil` for other values.
  public var mediaType: String? {
    guard case .data(let bytes) = value else { return nil }
    return PictureFormat(sniffing: bytes)?.mediaType
  }
}

/// The format of a picture, known by its first bytes.
package enum PictureFormat: UInt32, Sendable {
  // The raw values are the type codes of an `ilst` value.
  case gif = 12
  case jpeg = 13
  case png = 14
  case bmp = 27
  case webp = 0

  package init?(sniffing bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(26))
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.starts(with: Array("GIF8".utf8)) {
      self = .gif
    } else if head.starts(with: Array("BM".utf8)), head.count == 26,
      head[6..<10].allSatisfy({ $0 == 0 }),
      [12, 40, 52, 56, 64, 108, 124].contains(head[14])
    {
      self = .bmp
    } else if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else {
      return nil
    }
  }

  package var mediaType: String {
    switch self {
    case .gif: "image/gif"
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .bmp: "image/bmp"
    case .webp: "image/webp"
    }
  }
}

extension PictureFormat {
  /// Width and height from the header of a PNG or JPEG picture.
  package static func size(of bytes: [UInt8]) -> (Int, Int)? {
    switch PictureFormat(sniffing: bytes) {
    case .png:
      guard let width = bytes.u32(16), let height = bytes.u32(20) else { return nil }
      return (Int(width), Int(height))
    case .jpeg: return jpegSize(bytes)
    default: return nil
    }
  }

  private static func jpegSize(_ bytes: [UInt8]) -> (Int, Int)? {
    var position = 2
    while let marker = bytes.u16(position), let length = bytes.u16(position + 2), length >= 2,
      marker >> 8 == 0xFF
    {
      let isFrame =
        (0xFFC0...0xFFCF).contains(marker) && ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker)
      if isFrame, let height = bytes.u16(position + 5), let width = bytes.u16(position + 7) {
        return (width, height)
      }
      position += 2 + length
    }
    return nil
  }
}
