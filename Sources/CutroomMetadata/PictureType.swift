/// What a picture shows, by its number in ID3 and FLAC.
package enum PictureType {
  private static let labels = [
    "Other", "File icon", "Other file icon", "Cover (front)", "Cover (back)", "Leaflet page",
    "Media", "Lead artist", "Artist", "Conductor", "Band", "Composer", "Lyricist",
    "Recording location", "During recording", "During performance", "Video capture",
    "A bright coloured fish", "Illustration", "Band logotype", "Publisher logotype",
  ]

  /// The words for a number; those for 0 where it is none.
  package static func label(_ number: Int) -> String {
    labels.indices.contains(number) ? labels[number] : labels[0]
  }

  /// The number of a label, whatever its case.
  package static func number(_ label: String) -> Int? {
    labels.firstIndex { $0.lowercased() == label.lowercased() }
  }
}
