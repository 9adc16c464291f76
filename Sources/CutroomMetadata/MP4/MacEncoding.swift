/// The text encodings of QuickTime user data with a Macintosh language code.
///
/// Scripts of several bytes a character, and those that run from right to left, are not among
/// them: their texts stay bytes.
enum MacEncoding: String, Sendable, CaseIterable {
  case roman, centralEuropean, cyrillic, greek, turkish, croatian, icelandic, romanian

  /// The encoding of texts in the language with this code; 0x7FFF states none.
  init?(language code: Int) {
    switch code {
    case 0...9, 13, 16, 29, 34...36, 81...83, 88...94, 128...132, 138, 0x7FFF: self = .roman
    case 24...28, 38, 39: self = .centralEuropean
    case 32, 42...49, 54...56: self = .cyrillic
    case 14: self = .greek
    case 17: self = .turkish
    case 18, 40: self = .croatian
    case 15, 30: self = .icelandic
    case 37: self = .romanian
    default: return nil
    }
  }

  private static let tables: [MacEncoding: [Unicode.Scalar]] = [
    .roman: table(
      """
      ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
      ¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ
      """),
    .centralEuropean: table(
      """
      ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅ\
      ņŃ¬√ńŇ∆«»…\u{A0}ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ
      """),
    .cyrillic: table(
      """
      АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ†°Ґ£§•¶І®©™Ђђ≠Ѓѓ∞±≤≥іµґЈЄєЇїЉљЊњ\
      јЅ¬√ƒ≈∆«»…\u{A0}ЋћЌќѕ–—“”‘’÷„ЎўЏџ№Ёёяабвгдежзийклмнопрстуфхцчшщъыьэю€
      """),
    .greek: table(
      """
      Ä¹²É³ÖÜ΅àâä΄¨çéèêë£™îï•½‰ôö¦€ùûü†ΓΔΘΛΞΠß®©ΣΪ§≠°·Α±≤≥¥ΒΕΖΗΙΚΜΦΫΨΩ\
      άΝ¬ΟΡ≈Τ«»…\u{A0}ΥΧΆΈœ–―“”‘’÷ΉΊΌΎέήίόΏύαβψδεφγηιξκλμνοπώρστθωςχυζϊϋΐΰ\u{AD}
      """),
    .turkish: table(
      """
      ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
      ¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸĞğİıŞş‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙ\u{F8A0}ˆ˜¯˘˙˚¸˝˛ˇ
      """),
    .croatian: table(
      """
      ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®Š™´¨≠ŽØ∞±≤≥∆µ∂∑∏š∫ªºΩžø\
      ¿¡¬√ƒ≈Ć«Č…\u{A0}ÀÃÕŒœĐ—“”‘’÷◊\u{F8FF}©⁄€‹›Æ»–·‚„‰ÂćÁčÈÍÎÏÌÓÔđÒÚÛÙıˆ˜¯πË˚¸Êæˇ
      """),
    .icelandic: table(
      """
      ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûüÝ°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
      ¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€ÐðÞþý·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ
      """),
    .romanian: table(
      """
      ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ĂȘ∞±≤≥¥µ∂∑∏π∫ªºΩăș\
      ¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›Țț‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ
      """),
  ]

  private static func table(_ upper: String) -> [Unicode.Scalar] { Array(upper.unicodeScalars) }

  func decode(_ bytes: some Sequence<UInt8>) -> String {
    let upper = Self.tables[self] ?? []
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let index = Int(byte) - 128
      text.append(
        index < 0 ? Unicode.Scalar(byte) : index < upper.count ? upper[index] : "\u{FFFD}")
    }
    return String(text)
  }

  /// The bytes of a text; `nil` if a character is not in the encoding.
  func encode(_ text: String) -> [UInt8]? {
    let upper = Self.tables[self] ?? []
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else if let index = upper.firstIndex(of: scalar) {
        bytes.append(UInt8(128 + index))
      } else {
        return nil
      }
    }
    return bytes
  }
}

/// The language codes of QuickTime: Macintosh numbers below 0x400, else three packed letters.
enum MacLanguage {
  static let undetermined = 0x55C4

  /// ISO 639-2 codes by Macintosh number.
  private static let names = """
    eng fra deu ita nld swe spa dan por nor heb jpn ara fin ell isl mlt tur hrv zho urd hin tha kor \
    lit pol hun est lav sme fao fas rus zho nld gle sqi ron ces slk slv yid srp mkd bul ukr bel uzb \
    kaz aze aze hye kat ron kir tgk tuk mon mon pus kur kas snd bod nep san mar ben asm guj pan ori \
    mal kan tam tel sin mya khm lao vie ind tgl msa msa amh tir orm som swa kin run nya mlg epo
    """.split(separator: " ").map(String.init)

  static func isMacintosh(_ code: Int) -> Bool { code < 0x400 || code == 0x7FFF }

  /// The three letters of a code; `nil` where it states no language.
  static func name(_ code: Int) -> String? {
    if isMacintosh(code) { return names.indices.contains(code) ? names[code] : nil }
    var text = String.UnicodeScalarView()
    for shift in [10, 5, 0] { text.append(Unicode.Scalar(UInt8((code >> shift & 31) + 0x60))) }
    return String(text) == "und" ? nil : String(text)
  }

  /// The packed form of three letters.
  static func packed(_ name: String?) -> Int {
    let letters = Array((name ?? "und").utf8)
    guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else {
      return undetermined
    }
    return letters.reduce(0) { $0 << 5 | Int($1 & 31) }
  }
}
