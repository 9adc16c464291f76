import CutroomMedia
import CutroomMetadata
public import CutroomModel

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
      return boxes + TagLint.findings(try TagStore.read(path).items)
    } catch {
      throw CutroomError(error)
    }
  }
}
