import CLibAV

extension Muxer {
  /// A file inside the file, such as a cover in Matroska.
  package struct Attachment: Hashable, Sendable {
    /// Its name; players take `cover.jpg` and `cover.png` for covers.
    package var fileName: String
    package var mediaType: String
    /// What it is, for people; empty for nothing.
    package var description: String
    package var bytes: [UInt8]

    package init(fileName: String, mediaType: String, description: String, bytes: [UInt8]) {
      self.fileName = fileName
      self.mediaType = mediaType
      self.description = description
      self.bytes = bytes
    }
  }

  /// Adds a file, before `begin`; the container must have room for files.
  package func attach(_ attachment: Attachment) throws(LibAVError) {
    let parameters = try CodecParameters(attachment: attachment.bytes)
    var settings = StreamSettings(timeBase: TimeBase(1, 1000), dispositions: [])
    settings.metadata = [
      ("filename", attachment.fileName), ("mimetype", attachment.mediaType),
    ]
    if !attachment.description.isEmpty {
      settings.metadata.append(("title", attachment.description))
    }
    _ = try addStream(parameters, settings)
  }
}
