/// The one table between common keys and what each container calls them.
///
/// The first name of a cell is written, all are read. In the `itsk` column `----:NAME` is a freeform
/// item of `com.apple.iTunes`; in the `mdta` column names stand without `com.apple.quicktime.`.
package enum Mapping {
  /// How a common key's value is stored where the container has numbers.
  package enum Kind: Hashable, Sendable {
    case text, pair, flag, picture
    case integer(width: Int)

    /// Whether there is one value at most.
    package var isSingle: Bool { self != .text && self != .picture }
  }

  struct Row: Sendable {
    let key: CommonKey
    let kind: Kind
    let cells: [KeySpace: [MetadataIdentifier]]
  }

  static let rows: [Row] = [
    row(
      .title, itsk: "©nam", id3: "TIT2", mdta: "title", vorb: "TITLE", riff: "INAM NAME",
      matroska: "TITLE", udta: "©nam", uiso: "titl"),
    row(
      .artist, itsk: "©ART", id3: "TPE1", mdta: "artist", vorb: "ARTIST", riff: "IART AUTH",
      matroska: "ARTIST", udta: "©ART", uiso: "perf"),
    row(
      .albumArtist, itsk: "aART", id3: "TPE2", vorb: "ALBUMARTIST", matroska: "ALBUM_ARTIST"),
    row(
      .album, itsk: "©alb", id3: "TALB", mdta: "album", vorb: "ALBUM", riff: "IPRD",
      matroska: "ALBUM", udta: "©alb", uiso: "albm"),
    row(
      .composer, itsk: "©wrt", id3: "TCOM", mdta: "composer", vorb: "COMPOSER", riff: "IMUS",
      matroska: "COMPOSER", udta: "©com"),
    row(
      .lyricist, itsk: "----:LYRICIST", id3: "TEXT", vorb: "LYRICIST", riff: "IWRI",
      matroska: "LYRICIST"),
    row(
      .author, itsk: "©aut", id3: "TEXT", mdta: "author", vorb: "AUTHOR", matroska: "WRITTEN_BY",
      udta: "©aut", uiso: "auth"),
    row(.contributor, vorb: "CONTRIBUTOR"),
    row(
      .genre, itsk: "©gen gnre", id3: "TCON", mdta: "genre", vorb: "GENRE", riff: "IGNR",
      matroska: "GENRE", udta: "©gen", uiso: "gnre"),
    row(
      .creationDate, itsk: "©day", id3: "TDRC TYER", mdta: "creationdate", vorb: "DATE YEAR",
      riff: "ICRD bext.OriginationDate", matroska: "DATE_RELEASED DATE_RECORDED DATE", udta: "©day",
      uiso: "date yrrc"),
    row(.lastModifiedDate, id3: "TDTG", vorb: "LASTMODIFIED"),
    row(
      .comment, itsk: "©cmt", id3: "COMM", mdta: "comment", vorb: "COMMENT", riff: "ICMT ANNO",
      matroska: "COMMENT", udta: "©cmt"),
    row(
      .description, itsk: "desc ©des", id3: "TDES", mdta: "description", vorb: "DESCRIPTION",
      riff: "bext.Description", matroska: "DESCRIPTION", udta: "©des", uiso: "dscp"),
    row(
      .longDescription, itsk: "ldes", id3: "TXXX:LONGDESCRIPTION", vorb: "LONGDESCRIPTION",
      matroska: "SYNOPSIS"),
    row(.subject, vorb: "SUBJECT", riff: "ISBJ", matroska: "SUBJECT"),
    row(
      .lyrics, itsk: "©lyr", id3: "USLT", vorb: "LYRICS UNSYNCEDLYRICS", matroska: "LYRICS"),
    row(
      .copyright, itsk: "cprt", id3: "TCOP", mdta: "copyright", vorb: "COPYRIGHT", riff: "ICOP (c)",
      matroska: "COPYRIGHT", udta: "©cpy", uiso: "cprt"),
    row(
      .publisher, itsk: "©pub", id3: "TPUB", mdta: "publisher",
      vorb: "PUBLISHER LABEL ORGANIZATION", matroska: "PUBLISHER LABEL", udta: "©pub"),
    row(
      .software, itsk: "©too ©swr", id3: "TSSE", mdta: "software", vorb: "ENCODER", riff: "ISFT",
      matroska: "ENCODER", udta: "©swr"),
    row(.encodedBy, itsk: "©enc", id3: "TENC", vorb: "ENCODED-BY ENCODEDBY", riff: "ITCH"),
    row(.grouping, itsk: "©grp", id3: "GRP1", vorb: "GROUPING"),
    row(.work, itsk: "©wrk", id3: "TIT1", vorb: "WORK"),
    row(
      .subtitle, itsk: "©st3 ----:SUBTITLE", id3: "TIT3", vorb: "SUBTITLE", matroska: "SUBTITLE"),
    row(.movementName, itsk: "©mvn", id3: "MVNM", vorb: "MOVEMENTNAME"),
    row(.movementNumber, .integer(width: 2), itsk: "©mvi", id3: "MVIN", vorb: "MOVEMENT"),
    row(
      .movementCount, .integer(width: 2), itsk: "©mvc", id3: "TXXX:MOVEMENTTOTAL",
      vorb: "MOVEMENTTOTAL"),
    row(
      .trackNumber, .pair, itsk: "trkn", id3: "TRCK", vorb: "TRACKNUMBER", riff: "ITRK IPRT",
      matroska: "PART_NUMBER TRACK"),
    row(.discNumber, .pair, itsk: "disk", id3: "TPOS", vorb: "DISCNUMBER", matroska: "DISC"),
    row(.compilation, .flag, itsk: "cpil", id3: "TCMP", vorb: "COMPILATION"),
    row(.gapless, .flag, itsk: "pgap"),
    row(
      .bpm, .integer(width: 2), itsk: "tmpo", id3: "TBPM", vorb: "BPM", matroska: "BPM"),
    row(
      .musicalKey, itsk: "----:initialkey", id3: "TKEY", vorb: "INITIALKEY KEY",
      matroska: "INITIAL_KEY"),
    row(.isrc, itsk: "----:ISRC", id3: "TSRC", vorb: "ISRC", matroska: "ISRC"),
    row(.barcode, itsk: "----:BARCODE", id3: "TXXX:BARCODE", vorb: "BARCODE", matroska: "BARCODE"),
    row(
      .catalogNumber, itsk: "----:CATALOGNUMBER", id3: "TXXX:CATALOGNUMBER",
      vorb: "CATALOGNUMBER", matroska: "CATALOG_NUMBER"),
    row(.sortTitle, itsk: "sonm", id3: "TSOT", vorb: "TITLESORT"),
    row(.sortArtist, itsk: "soar", id3: "TSOP", vorb: "ARTISTSORT"),
    row(.sortAlbumArtist, itsk: "soaa", id3: "TSO2", vorb: "ALBUMARTISTSORT"),
    row(.sortAlbum, itsk: "soal", id3: "TSOA", vorb: "ALBUMSORT"),
    row(.sortComposer, itsk: "soco", id3: "TSOC", vorb: "COMPOSERSORT"),
    row(.sortShow, itsk: "sosn", id3: "TXXX:SHOWSORT", vorb: "SHOWSORT"),
    row(.tvShow, itsk: "tvsh", id3: "TXXX:SHOW", vorb: "SHOW"),
    row(.tvSeason, .integer(width: 4), itsk: "tvsn", id3: "TXXX:SEASON", vorb: "SEASON"),
    row(.tvEpisode, .integer(width: 4), itsk: "tves", id3: "TXXX:EPISODE", vorb: "EPISODE"),
    row(.tvEpisodeID, itsk: "tven", id3: "TXXX:EPISODE_ID", vorb: "EPISODE_ID"),
    row(.tvNetwork, itsk: "tvnn", id3: "TXXX:NETWORK", vorb: "NETWORK"),
    row(.mediaKind, .integer(width: 1), itsk: "stik"),
    row(.contentRating, .integer(width: 1), itsk: "rtng", matroska: "LAW_RATING"),
    row(.isHD, .integer(width: 1), itsk: "hdvd"),
    row(.isPodcast, .flag, itsk: "pcst", id3: "PCST", vorb: "PODCAST"),
    row(.podcastURL, itsk: "purl", id3: "WFED", vorb: "PODCASTURL"),
    row(.podcastID, itsk: "egid", id3: "TGID", vorb: "PODCASTID"),
    row(.podcastCategory, itsk: "catg", id3: "TCAT", vorb: "PODCASTCATEGORY"),
    row(
      .keywords, itsk: "keyw", id3: "TKWD", mdta: "keywords", vorb: "KEYWORDS", riff: "IKEY",
      matroska: "KEYWORDS", udta: "©key", uiso: "kywd"),
    row(
      .location, itsk: "©xyz", id3: "TXXX:LOCATION", mdta: "location.ISO6709", vorb: "LOCATION",
      matroska: "RECORDING_LOCATION LOCATION", udta: "©xyz", uiso: "loci"),
    row(.make, itsk: "©mak", id3: "TXXX:MAKE", mdta: "make", vorb: "MAKE", udta: "©mak"),
    row(.model, itsk: "©mod", id3: "TXXX:MODEL", mdta: "model", vorb: "MODEL", udta: "©mod"),
    row(
      .language, itsk: "----:LANGUAGE", id3: "TLAN", vorb: "LANGUAGE", riff: "ILNG",
      matroska: "LANGUAGE"),
    row(
      .conductor, itsk: "©con ----:CONDUCTOR", id3: "TPE3", vorb: "CONDUCTOR",
      matroska: "CONDUCTOR"),
    row(
      .remixer, itsk: "----:REMIXER", id3: "TPE4", vorb: "REMIXER", matroska: "REMIXED_BY"),
    row(.source, vorb: "SOURCE", riff: "ISRC", udta: "©src"),
    row(.format, id3: "TFLT", riff: "IMED", udta: "©fmt"),
    row(.identifier, mdta: "content.identifier"),
    row(.accessibilityDescription, mdta: "accessibility.description", udta: "©ade"),
    row(.relation, id3: "WXXX"),
    gain(.replayGainTrackGain, "REPLAYGAIN_TRACK_GAIN"),
    gain(.replayGainTrackPeak, "REPLAYGAIN_TRACK_PEAK"),
    gain(.replayGainAlbumGain, "REPLAYGAIN_ALBUM_GAIN"),
    gain(.replayGainAlbumPeak, "REPLAYGAIN_ALBUM_PEAK"),
    row(
      .artwork, .picture, itsk: "covr", id3: "APIC", mdta: "artwork",
      vorb: "METADATA_BLOCK_PICTURE"),
  ]

  private static func gain(_ key: CommonKey, _ name: String) -> Row {
    row(key, itsk: "----:" + name, id3: "TXXX:" + name, vorb: name, matroska: name)
  }

  private static func row(
    _ key: CommonKey, _ kind: Kind = .text, itsk: String = "", id3: String = "",
    mdta: String = "", vorb: String = "", riff: String = "", matroska: String = "",
    udta: String = "", uiso: String = ""
  ) -> Row {
    let names: [(KeySpace, String)] = [
      (.itsk, itsk), (.id3, id3), (.mdta, mdta), (.vorb, vorb), (.riff, riff),
      (.matroska, matroska), (.udta, udta), (.uiso, uiso),
    ]
    var cells: [KeySpace: [MetadataIdentifier]] = [:]
    for (space, list) in names where !list.isEmpty {
      cells[space] = list.split(separator: " ").map { identifier(space, String($0)) }
    }
    return Row(key: key, kind: kind, cells: cells)
  }

  private static func identifier(_ space: KeySpace, _ name: String) -> MetadataIdentifier {
    if space == .itsk, name.hasPrefix("----:") {
      return MetadataIdentifier(mean: "com.apple.iTunes", name: String(name.dropFirst(5)))
    }
    if space == .mdta { return MetadataIdentifier(.mdta, "com.apple.quicktime." + name) }
    if space == .id3, let colon = name.firstIndex(of: ":") {
      return MetadataIdentifier(
        .id3, String(name[..<colon]), qualifier: String(name[name.index(after: colon)...]))
    }
    return MetadataIdentifier(space, name)
  }
}

extension Mapping {
  private static let rowsByKey = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0) })

  private static let keys: [MetadataIdentifier: CommonKey] = {
    var keys: [MetadataIdentifier: CommonKey] = [:]
    for row in rows {
      for identifier in row.cells.values.joined() where keys[identifier.folded] == nil {
        keys[identifier.folded] = row.key
      }
    }
    return keys
  }()

  /// The common key of an identifier.
  package static func commonKey(of identifier: MetadataIdentifier) -> CommonKey? {
    if identifier.keySpace == .common { return CommonKey(name: identifier.key) }
    if let key = keys[identifier.folded] { return key }
    // Pictures are one key, whatever their description says.
    if identifier.keySpace == .id3, identifier.key == "APIC" { return .artwork }
    // FFmpeg writes what has no frame in its tables as a text with a plain name.
    if let name = FreeformName.name(of: identifier), identifier.keySpace != .vorb {
      let field = MetadataIdentifier(.vorb, name)
      return keys[field].flatMap { natives($0, in: .vorb).first == field ? $0 : nil }
    }
    // FFmpeg's `use_metadata_tags` writes bare names.
    guard identifier.keySpace == .mdta, !identifier.key.contains(".") else { return nil }
    return keys[MetadataIdentifier(.mdta, "com.apple.quicktime." + identifier.key)]
  }

  /// The identifier under which a key is written in a key space; `itsk` may answer with `itlk`.
  package static func native(_ key: CommonKey, in space: KeySpace) -> MetadataIdentifier? {
    rowsByKey[key]?.cells[space]?.first
  }

  /// The field of RIFF that libavformat calls `name`, else the name itself.
  package static func muxerField(_ name: String) -> String {
    let keys: [String: CommonKey] = [
      "title": .title, "artist": .artist, "album": .album, "comment": .comment, "genre": .genre,
      "copyright": .copyright, "date": .creationDate, "language": .language,
      "track": .trackNumber, "encoder": .software, "encoded_by": .encodedBy,
    ]
    return keys[name.lowercased()].flatMap { native($0, in: .riff)?.key } ?? name
  }

  /// All identifiers of a key in a key space.
  package static func natives(_ key: CommonKey, in space: KeySpace) -> [MetadataIdentifier] {
    rowsByKey[key]?.cells[space] ?? []
  }

  /// How a key's value is stored.
  package static func kind(of key: CommonKey) -> Kind { rowsByKey[key]?.kind ?? .text }
}
