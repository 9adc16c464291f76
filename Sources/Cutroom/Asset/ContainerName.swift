/// The format's word for a container.
enum ContainerName {
  /// The word for libavformat's `formatName`, told apart by brand, document type and extension.
  static func of(_ formatName: String, brand: String?, path: String) -> String {
    let names = formatName.split(separator: ",").map(String.init)
    if names.contains("mov") { return movie(brand: brand) }
    if names.contains("matroska") { return isWebM(path) ? "webm" : "mkv" }
    if isStillFormat(formatName) { return "image" }
    switch names.first {
    case "w64": return "wav"
    case "mpegts", "mp3", "flac", "wav", "ogg", "avi", "aac", "gif": return names[0]
    default: return names.first ?? ""
    }
  }

  /// Whether the format holds one picture.
  static func isStillFormat(_ formatName: String) -> Bool {
    formatName == "image2" || formatName.hasSuffix("_pipe")
  }

  private static func movie(brand: String?) -> String {
    switch brand {
    case let brand? where brand.hasPrefix("qt"): "mov"
    case let brand? where brand.hasPrefix("M4A") || brand.hasPrefix("M4B"): "m4a"
    case let brand? where brand.hasPrefix("3g"): "3gp"
    default: "mp4"
    }
  }

  private static func isWebM(_ path: String) -> Bool {
    // The document type stands in the EBML header, which begins the file.
    let head = FilePart.read(path, count: 64)
    return head.firstRange(of: [0x42, 0x82, 0x84] + Array("webm".utf8)) != nil
  }
}
