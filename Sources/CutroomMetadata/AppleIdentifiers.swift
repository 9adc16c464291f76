/// AVFoundation's names of its public identifiers, so that code which comes from there keeps them.
///
/// Several names can stand for one identifier, as they do there.
package enum AppleIdentifiers {
  /// The identifier of a constant such as `AVMetadataIdentifieriTunesMetadataSongName`.
  package static func identifier(named name: String) -> MetadataIdentifier? { all[name] }

  /// All constants with what they stand for.
  package static let all: [String: MetadataIdentifier] = {
    var all: [String: MetadataIdentifier] = [:]
    for group in groups {
      for pair in group.names.split(whereSeparator: \.isWhitespace) {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { continue }
        all[group.prefix + parts[0]] = group.identifier(String(parts[1]))
      }
    }
    return all
  }()

  private struct Group {
    let prefix: String
    let space: KeySpace
    /// Constants without the prefix, with their keys; `~` is `com.apple.quicktime.`.
    let names: String

    init(_ prefix: String, _ space: KeySpace, _ names: String) {
      (self.prefix, self.space, self.names) = (prefix, space, names)
    }

    func identifier(_ key: String) -> MetadataIdentifier {
      if space == .common {
        return MetadataIdentifier(.common, CommonKey(name: key)?.rawValue ?? key)
      }
      let isShort = key.hasPrefix("~")
      return MetadataIdentifier(space, isShort ? "com.apple.quicktime." + key.dropFirst() : key)
    }
  }

  private static let groups = [
    Group(
      "AVMetadataCommonIdentifier", .common,
      """
      AccessibilityDescription=accessibilityDescription AlbumName=albumName Artist=artist
      Artwork=artwork AssetIdentifier=identifier Author=author Contributor=contributor
      Copyrights=copyrights CreationDate=creationDate Creator=creator Description=description
      Format=format Language=language LastModifiedDate=lastModifiedDate Location=location
      Make=make Model=model Publisher=publisher Relation=relation Software=software Source=source
      Subject=subject Title=title Type=type
      """),
    Group(
      "AVMetadataIdentifierID3Metadata", .id3,
      """
      AlbumSortOrder=TSOA AlbumTitle=TALB AttachedPicture=APIC AudioEncryption=AENC
      AudioSeekPointIndex=ASPI Band=TPE2 BeatsPerMinute=TBPM Comments=COMM Commercial=COMR
      CommercialInformation=WCOM Commerical=COMR Composer=TCOM Conductor=TPE3 ContentType=TCON
      Copyright=TCOP CopyrightInformation=WCOP Date=TDAT EncodedBy=TENC EncodedWith=TSSE
      EncodingTime=TDEN Encryption=ENCR Equalization=EQUA Equalization2=EQU2 EventTimingCodes=ETCO
      FileOwner=TOWN FileType=TFLT GeneralEncapsulatedObject=GEOB InitialKey=TKEY
      InternationalStandardRecordingCode=TSRC InternetRadioStationName=TRSN
      InternetRadioStationOwner=TRSO InvolvedPeopleList_v23=IPLS InvolvedPeopleList_v24=TIPL
      Language=TLAN LeadPerformer=TPE1 Length=TLEN Link=LINK Lyricist=TEXT
      MPEGLocationLookupTable=MLLT MediaType=TMED ModifiedBy=TPE4 Mood=TMOO MusicCDIdentifier=MCDI
      MusicianCreditsList=TMCL OfficialArtistWebpage=WOAR OfficialAudioFileWebpage=WOAF
      OfficialAudioSourceWebpage=WOAS OfficialInternetRadioStationHomepage=WORS
      OfficialPublisherWebpage=WPUB OriginalAlbumTitle=TOAL OriginalArtist=TOPE
      OriginalFilename=TOFN OriginalLyricist=TOLY OriginalReleaseTime=TDOR
      OriginalReleaseYear=TORY Ownership=OWNE PartOfASet=TPOS Payment=WPAY PerformerSortOrder=TSOP
      PlayCounter=PCNT PlaylistDelay=TDLY Popularimeter=POPM PositionSynchronization=POSS
      Private=PRIV ProducedNotice=TPRO Publisher=TPUB RecommendedBufferSize=RBUF
      RecordingDates=TRDA RecordingTime=TDRC RelativeVolumeAdjustment=RVAD
      RelativeVolumeAdjustment2=RVA2 ReleaseTime=TDRL Reverb=RVRB Seek=SEEK SetSubtitle=TSST
      Signature=SIGN Size=TSIZ SubTitle=TIT3 SynchronizedLyric=SYLT SynchronizedTempoCodes=SYTC
      TaggingTime=TDTG TermsOfUse=USER Time=TIME TitleDescription=TIT2 TitleSortOrder=TSOT
      TrackNumber=TRCK UniqueFileIdentifier=UFID UnsynchronizedLyric=USLT UserText=TXXX
      UserURL=WXXX Year=TYER
      """),
    Group(
      "AVMetadataIdentifieriTunesMetadata", .itsk,
      """
      AccountKind=akID Acknowledgement=©cak Album=©alb AlbumArtist=aART AppleID=apID Arranger=©arg
      ArtDirector=©ard Artist=©ART ArtistID=atID Author=©aut BeatsPerMin=tmpo Composer=©wrt
      Conductor=©con ContentRating=rtng Copyright=cprt CoverArt=covr Credits=©src Description=©des
      Director=©dir DiscCompilation=cpil DiscNumber=disk EQ=©equ EncodedBy=©enc EncodingTool=©too
      ExecProducer=©xpd GenreID=geID LinerNotes=©lnt Lyrics=©lyr OnlineExtras=©url
      OriginalArtist=©ope Performer=©prf PhonogramRights=©phg PlaylistID=plID PredefinedGenre=gnre
      Producer=©prd Publisher=©pub RecordCompany=©mak ReleaseDate=©day Soloist=©sol SongID=cnID
      SongName=©nam SoundEngineer=©sne Thanks=©thx TrackNumber=trkn TrackSubTitle=©st3
      UserComment=©cmt UserGenre=©gen
      """),
    Group(
      "AVMetadataIdentifierQuickTimeMetadata", .mdta,
      """
      AccessibilityDescription=~accessibility.description Album=~album Arranger=~arranger
      Artist=~artist Artwork=~artwork Author=~author AutoLivePhoto=~live-photo.auto
      CameraFrameReadoutTime=~camera.framereadouttimeinmicroseconds
      CameraIdentifier=~camera.identifier CollectionUser=~collection.user Comment=~comment
      Composer=~composer ContentIdentifier=~content.identifier Copyright=~copyright
      CreationDate=~creationdate Credits=~credits Description=~description
      DetectedCatBody=~detected-cat-body DetectedDogBody=~detected-dog-body
      DetectedFace=~detected-face DetectedHumanBody=~detected-human-body
      DetectedSalientObject=~detected-salient-object DirectionFacing=~direction.facing
      DirectionMotion=~direction.motion Director=~director DisplayName=~displayname
      EncodedBy=~encodedby Genre=~genre Information=~information IsMontage=~is-montage
      Keywords=~keywords LivePhotoVitalityScore=~live-photo.vitality-score
      LivePhotoVitalityScoringVersion=~live-photo.vitality-scoring-version
      LocationBody=~location.body LocationDate=~location.date
      LocationHorizontalAccuracyInMeters=~location.accuracy.horizontal
      LocationISO6709=~location.ISO6709 LocationName=~location.name LocationNote=~location.note
      LocationRole=~location.role Make=~make Model=~model OriginalArtist=~originalartist
      Performer=~performer PhonogramRights=~phonogramrights
      PreferredAffineTransform=~preferred-affine-transform Producer=~producer Publisher=~publisher
      RatingUser=~rating.user Software=~software
      SpatialOverCaptureQualityScore=~spatial-overcapture.quality-score
      SpatialOverCaptureQualityScoringVersion=~spatial-overcapture.quality-scoring-version
      Title=~title VideoOrientation=~video-orientation Year=~year iXML=info.ixml.xml
      """),
    Group(
      "AVMetadataIdentifierQuickTimeUserData", .udta,
      """
      AccessibilityDescription=©ade Album=©alb Arranger=©arg Artist=©ART Author=©aut Chapter=©chp
      Comment=©cmt Composer=©com Copyright=©cpy CreationDate=©day Credits=©src Description=©des
      Director=©dir Disclaimer=©dis EncodedBy=©enc FullName=©nam Genre=©gen HostComputer=©hst
      Information=©inf Keywords=©key LocationISO6709=©xyz Make=©mak Model=©mod OriginalArtist=©ope
      OriginalFormat=©fmt OriginalSource=©src Performers=©prf PhonogramRights=©phg Producer=©prd
      Product=©PRD Publisher=©pub Software=©swr SpecialPlaybackRequirements=©req
      TaggedCharacteristic=tagc Track=©trk TrackName=tnam URLLink=©url Warning=©wrn Writer=©wrt
      """),
    Group(
      "AVMetadataIdentifierISOUserData", .uiso,
      """
      AccessibilityDescription=ades Copyright=cprt Date=date TaggedCharacteristic=tagc
      """),
    Group(
      "AVMetadataIdentifier3GPUserData", .uiso,
      """
      AlbumAndTrack=albm Author=auth Collection=coll Copyright=cprt Description=dscp Genre=gnre
      KeywordList=kywd Location=loci MediaClassification=clsf MediaRating=rtng Performer=perf
      RecordingYear=yrrc Thumbnail=thmb Title=titl UserRating=urat
      """),
    Group(
      "AVMetadataIdentifierIcyMetadata", .icy,
      """
      StreamTitle=StreamTitle StreamURL=StreamUrl
      """),
  ]
}
