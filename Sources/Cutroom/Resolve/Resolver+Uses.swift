import CutroomMetadata
import CutroomModel
import Foundation

extension Resolver {
  /// Says which sources nothing uses.
  mutating func checkUses() {
    var used: Set<String> = []
    for track in document.tracks {
      for case .clip(let clip) in track.items { used.insert(clip.source) }
    }
    for edit in document.edits {
      if case .insert(let clip, _) = edit.operation { used.insert(clip.source) }
    }
    if let like = document.export.like { used.insert(like) }
    if case .from(let id) = document.metadata.inherit { used.insert(id) }
    // A clip that could not be read may have been the one.
    guard !isFlawed("/tracks"), !isFlawed("/edits"), !findings.has(.referenceUnknownSource) else {
      return
    }
    for source in sources where !source.isFailed && !used.contains(source.id) {
      findings.add(
        .reference, .note, .shapeNoEffect, "no clip uses the source '\(source.id)'",
        at: source.pointer)
    }
  }

  /// Checks that the pictures given as metadata are there, and are pictures.
  mutating func checkArtwork() {
    for item in document.metadata.items {
      guard case .files(let paths) = item.value else { continue }
      let pointer = "/metadata/items/" + item.key.pointerEscaped
      for (index, text) in paths.enumerated() {
        let place = pointer + (paths.count == 1 ? "/file" : "/\(index)/file")
        guard let path = Self.filePath(of: text, in: baseDirectory) else {
          findings.add(
            .media, .error, .unsupported, "'\(text)' is a URL, which is not read yet", at: place)
          continue
        }
        guard FileManager.default.fileExists(atPath: path) else {
          findings.add(.media, .error, .mediaMissing, "there is no file '\(path)'", at: place)
          continue
        }
        do throws(MetadataError) {
          _ = try MetadataMerge.picture(path)
        } catch {
          findings.add(.media, .error, .metadataValue, error.message, at: place)
        }
      }
    }
  }
}
