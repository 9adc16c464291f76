/// Keys that programs make up stand for themselves in every container that has room for such keys:
/// `TXXX` with a description, a freeform atom of iTunes, a Vorbis field, a Matroska tag.
enum FreeformName {
  /// The identifier in a container of a key that the mapping table does not have.
  static func target(
    of identifier: MetadataIdentifier, in container: TagContainer
  ) -> MetadataIdentifier? {
    guard let name = name(of: identifier) else { return nil }
    for space in container.keySpaces {
      if let target = Self.identifier(name, in: space) { return target }
    }
    return nil
  }

  /// The name as Vorbis comments spell it.
  static func name(of identifier: MetadataIdentifier) -> String? {
    let name: String?
    switch identifier.keySpace {
    case .id3 where identifier.key == "TXXX": name = identifier.qualifier
    case .itlk:
      let parts = MetadataIdentifier.splitFreeform(identifier.key)
      name = parts?.mean == "com.apple.iTunes" ? parts?.name : nil
    case .vorb, .matroska: name = identifier.key
    default: name = nil
    }
    guard let name, !name.isEmpty else { return nil }
    return musicBrainz.first { $0.spoken.uppercased() == name.uppercased() }?.field ?? name
  }

  private static func identifier(_ name: String, in space: KeySpace) -> MetadataIdentifier? {
    let spoken = musicBrainz.first { $0.field == name.uppercased() }?.spoken ?? name
    switch space {
    case .id3: return MetadataIdentifier(.id3, "TXXX", qualifier: spoken)
    case .itsk: return MetadataIdentifier(mean: "com.apple.iTunes", name: spoken)
    case .vorb:
      let isField = name.utf8.allSatisfy { (0x20...0x7D).contains($0) && $0 != 0x3D }
      return isField ? MetadataIdentifier(.vorb, name) : nil
    case .matroska: return MetadataIdentifier(.matroska, name.uppercased())
    default: return nil
    }
  }

  /// Picard's names: those of Vorbis fields, and those of ID3 and iTunes.
  private static let musicBrainz: [(field: String, spoken: String)] = [
    ("MUSICBRAINZ_TRACKID", "MusicBrainz Track Id"),
    ("MUSICBRAINZ_RELEASETRACKID", "MusicBrainz Release Track Id"),
    ("MUSICBRAINZ_ALBUMID", "MusicBrainz Album Id"),
    ("MUSICBRAINZ_ARTISTID", "MusicBrainz Artist Id"),
    ("MUSICBRAINZ_ALBUMARTISTID", "MusicBrainz Album Artist Id"),
    ("MUSICBRAINZ_RELEASEGROUPID", "MusicBrainz Release Group Id"),
    ("MUSICBRAINZ_WORKID", "MusicBrainz Work Id"),
    ("MUSICBRAINZ_DISCID", "MusicBrainz Disc Id"),
    ("RELEASESTATUS", "MusicBrainz Album Status"), ("RELEASETYPE", "MusicBrainz Album Type"),
    ("RELEASECOUNTRY", "MusicBrainz Album Release Country"), ("ACOUSTID_ID", "Acoustid Id"),
  ]
}
