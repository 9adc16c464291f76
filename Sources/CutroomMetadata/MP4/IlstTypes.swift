/// What the values of iTunes atoms look like.
package enum IlstTypes {
  /// Atoms that hold a whole number, and in how many bytes it is written.
  package static let integerWidth: [String: Int] = [
    "cpil": 1, "pgap": 1, "pcst": 1, "shwm": 1, "hdvd": 1, "stik": 1, "rtng": 1, "akID": 1,
    "tmpo": 2, "©mvi": 2, "©mvc": 2,
    "tvsn": 4, "tves": 4, "atID": 4, "cmID": 4, "geID": 4, "sfID": 4, "cnID": 4, "plID": 8,
    "itnu": 1,
  ]

  /// Atoms that hold a number and a total.
  package static let pairs: Set<String> = ["trkn", "disk"]

  /// The genres of ID3v1, which `gnre` counts from 1.
  package static let genres: [String] = """
    Blues,Classic Rock,Country,Dance,Disco,Funk,Grunge,Hip-Hop,Jazz,Metal,New Age,Oldies,Other,Pop,\
    R&B,Rap,Reggae,Rock,Techno,Industrial,Alternative,Ska,Death Metal,Pranks,Soundtrack,Euro-Techno,\
    Ambient,Trip-Hop,Vocal,Jazz+Funk,Fusion,Trance,Classical,Instrumental,Acid,House,Game,\
    Sound Clip,Gospel,Noise,Alternative Rock,Bass,Soul,Punk,Space,Meditative,Instrumental Pop,\
    Instrumental Rock,Ethnic,Gothic,Darkwave,Techno-Industrial,Electronic,Pop-Folk,Eurodance,Dream,\
    Southern Rock,Comedy,Cult,Gangsta,Top 40,Christian Rap,Pop/Funk,Jungle,Native US,Cabaret,\
    New Wave,Psychedelic,Rave,Showtunes,Trailer,Lo-Fi,Tribal,Acid Punk,Acid Jazz,Polka,Retro,\
    Musical,Rock & Roll,Hard Rock
    """.split(separator: ",").map(String.init)
}
