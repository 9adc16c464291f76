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
}
