internal import CutroomModel

/// What version 2.3 of ID3 has in the place of frames that came with version 2.4.
package enum ID3Downgrade {
  /// The descriptions of texts that stand for frames of texts.
  static let descriptions = [
    "TMOO": "MOOD", "TSST": "SETSUBTITLE", "TDRL": "RELEASETIME", "TDTG": "TAGGINGTIME",
    "TPRO": "PRODUCEDNOTICE", "TDEN": "ENCODINGTIME",
  ]

  /// Frames without any likeness.
  static let lost: Set<String> = ["RVA2", "EQU2", "ASPI", "SEEK", "SIGN"]

  /// Items of a tag of version 2.4 that change when it becomes one of version 2.3.
  package static func changed(
    _ items: [MetadataItem], separator: String
  ) -> [(old: MetadataItem, new: Translation)] {
    items.compactMap { item in
      guard item.identifier.keySpace == .id3 else { return nil }
      var new = Translation(item, for: .mp3)
      let old = new
      if lost.contains(item.identifier.key) {
        new = Translation(dropping: item, "version 2.3 of ID3 has no such frame")
      } else {
        new.downgrade(separator: separator)
      }
      return new == old ? nil : (item, new)
    }
  }
}

extension Translation {
  /// Puts frames that are new in version 2.4 in the words of version 2.3, and says what is lost.
  ///
  /// Readers of version 2.3 take a text to end at its first NUL, so that several become one.
  package mutating func downgrade(separator: String) {
    guard var written = items.first, written.identifier.keySpace == .id3 else { return }
    let frame = written.identifier.key
    if case .texts(let texts) = written.value, texts.count > 1, !ID3Frames.holdsList(frame) {
      written.value = .texts([texts.joined(separator: separator)])
      items[0] = written
      outcome.outcome = .truncated
      outcome.detail = "version 2.3 of ID3 has one text; the values are joined by '\(separator)'"
    }
    if let description = ID3Downgrade.descriptions[frame] {
      let identifier = MetadataIdentifier(.id3, "TXXX", qualifier: description)
      items[0].identifier = identifier
      outcome.identifier = identifier
      if outcome.outcome == .exact { outcome.outcome = .rekeyed }
    } else if frame == "TDRC", written.values.contains(where: { hasSeconds($0) }) {
      outcome.outcome = .truncated
      outcome.detail = "version 2.3 of ID3 keeps no seconds"
    } else if frame == "TDOR", written.values.contains(where: { $0.utf8.count > 4 }) {
      items[0].value = .texts(written.values.map { String($0.prefix(4)) })
      outcome.outcome = .truncated
      outcome.detail = "version 2.3 of ID3 keeps only the year"
    }
  }

  private func hasSeconds(_ text: String) -> Bool {
    guard let date = MetadataDate(text) else { return text.utf8.count > 16 }
    return date.precision == .second && !(date.time / Rational(60)).isInteger
  }
}
