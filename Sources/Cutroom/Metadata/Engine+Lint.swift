import CutroomMedia
import CutroomMetadata
public import CutroomModel

extension Diagnostic {
  /// Says that an MP3 file has an APE tag, too.
  static let oldTag = Diagnostic(
    .warning, .lintAPE,
    "an APE tag stands at the end of the file; it is kept as it is, and players that prefer it show "
      + "what it says", at: "")
}

extension Engine {
  /// What is doubtful about the metadata of a file, which is only read.
  ///
  /// Dates that are not ISO 8601, places that are not ISO 6709, pictures of a wrong kind, ID3 in
  /// MP4, repetitions and contradictions are warnings; what tells about persons is a note.
  ///
  /// - Throws: ``CutroomError`` if the metadata cannot be read.
  public static func lintTags(path: String) throws(CutroomError) -> [Diagnostic] {
    do throws(MetadataError) {
      let (reader, container) = try TagStore.open(path)
      let boxes = container.isMP4Family ? TagLint.findings(try MP4File(reader)) : []
      let tags = try TagStore.read(path)
      return boxes + (tags.hasAPE ? [.oldTag] : []) + TagLint.findings(tags.items)
    } catch {
      throw CutroomError(error)
    }
  }
}
