internal import CutroomModel

/// A key that has a twin in most containers; `Mapping` says which.
public enum CommonKey: String, Hashable, Sendable, CaseIterable {
  case title, artist, albumArtist, album, composer, author, contributor, genre, creationDate
  case lastModifiedDate, comment, description, longDescription, subject, lyrics, copyright
  case publisher, software, encodedBy, grouping, work, subtitle, movementName, movementNumber
  case movementCount, trackNumber, discNumber, compilation, gapless, bpm, musicalKey, isrc
  case barcode, catalogNumber, sortTitle, sortArtist, sortAlbumArtist, sortAlbum, sortComposer
  case sortShow, tvShow, tvSeason, tvEpisode, tvEpisodeID, tvNetwork, mediaKind, contentRating
  case isHD, isPodcast, podcastURL, podcastID, podcastCategory, keywords, location, make, model
  case language, conductor, lyricist, remixer, source, format, identifier
  case accessibilityDescription, relation
  case replayGainTrackGain, replayGainTrackPeak, replayGainAlbumGain, replayGainAlbumPeak
  case artwork

  /// Finds a key by its name or by AVFoundation's name for it.
  public init?(name: String) {
    switch name {
    case "albumName": self = .album
    case "copyrights": self = .copyright
    case "creator": self = .composer
    case "type": self = .genre
    default: self.init(rawValue: name)
    }
  }

  /// The key that somebody means who writes `word`: what other programs call it, or nearly.
  package static func meant(by word: String) -> CommonKey? {
    let folded = word.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    if let key = synonyms[folded] { return key }
    return Suggestion.nearest(to: word, in: allCases.map(\.rawValue)).flatMap { Self(rawValue: $0) }
  }

  private static let synonyms: [String: CommonKey] = [
    "year": .creationDate, "date": .creationDate, "releasedate": .creationDate, "name": .title,
    "track": .trackNumber, "tracktotal": .trackNumber, "number": .trackNumber,
    "disc": .discNumber, "disk": .discNumber, "disctotal": .discNumber, "cover": .artwork,
    "picture": .artwork, "image": .artwork, "performer": .artist, "band": .albumArtist,
    "tempo": .bpm, "key": .musicalKey, "label": .publisher, "encoder": .software,
    "tool": .software, "rating": .contentRating, "show": .tvShow, "season": .tvSeason,
    "episode": .tvEpisode, "network": .tvNetwork, "synopsis": .longDescription, "gps": .location,
    "place": .location, "camera": .model, "part": .movementNumber, "lyric": .lyrics,
    "text": .lyricist, "tags": .keywords, "gain": .replayGainTrackGain,
    "replaygain": .replayGainTrackGain, "writer": .composer,
  ]
}
