public import CutroomModel

/// A date as tags have it: a year at least, and as much more as is known.
public struct MetadataDate: Hashable, Sendable {
  /// How much of a date is known.
  public enum Precision: Int, Hashable, Sendable, Comparable {
    case year, month, day, hour, minute, second

    /// Whether less is known.
    public static func < (left: Precision, right: Precision) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The year, from 0 to 9999.
  public let year: Int
  /// From 1; 1 where it is not known.
  public let month: Int
  /// From 1; 1 where it is not known.
  public let day: Int
  /// Since the beginning of the day; zero where no time is known.
  public let time: Rational
  /// How much of it is known.
  public let precision: Precision
  /// Minutes east of Greenwich; `nil` where no zone is given.
  public let zone: Int?

  /// Parses ISO 8601: `2023`, `2023-10`, `2023-10-25`, `2023-10-25T10:09:10.5+02:00`.
  ///
  /// A space may stand for the `T`, and the zone may be `Z`, `+02`, `+0200` or `+02:00`; anything
  /// else, and a day or a time that does not exist, is `nil`.
  public init?(_ text: String) {
    guard text.utf8.count <= 40 else { return nil }
    let parts = text.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "T" || $0 == " " })
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard let year = Self.number(date[0], digits: 4), date.count <= 3 else { return nil }
    var numbers = [year, 1, 1]
    for (index, part) in date.dropFirst().enumerated() {
      guard let number = Self.number(part, digits: 2) else { return nil }
      numbers[index + 1] = number
    }
    guard (1...12).contains(numbers[1]),
      (1...Self.days(in: numbers[1], of: year)).contains(numbers[2])
    else { return nil }
    guard parts.count == 2 else {
      self.init(numbers, .zero, [.year, .month, .day][date.count - 1], nil)
      return
    }
    guard date.count == 3, let (clock, zone) = Self.zone(parts[1]),
      let (time, precision) = Self.time(clock)
    else { return nil }
    self.init(numbers, time, precision, zone)
  }

  private init(_ date: [Int], _ time: Rational, _ precision: Precision, _ zone: Int?) {
    (year, month, day) = (date[0], date[1], date[2])
    (self.time, self.precision, self.zone) = (time, precision, zone)
  }

  private static func number(_ text: Substring, digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  /// Takes the zone off a time; `nil` if what stands there is none.
  private static func zone(_ text: Substring) -> (Substring, Int?)? {
    guard let start = text.firstIndex(where: { "Z+-".contains($0) }) else { return (text, nil) }
    let zone = text[text.index(after: start)...]
    if text[start] == "Z" { return zone.isEmpty ? (text[..<start], 0) : nil }
    let digits = zone.filter { $0 != ":" }
    let isShaped = zone.count == digits.count || zone.dropFirst(2).first == ":" && zone.count == 5
    let hours = number(Substring(digits.prefix(2)), digits: 2)
    let rest = Substring(digits.dropFirst(2))
    guard isShaped, let hours, let minutes = rest.isEmpty ? 0 : number(rest, digits: 2), hours < 24,
      minutes < 60
    else { return nil }
    return (text[..<start], (text[start] == "-" ? -1 : 1) * (hours * 60 + minutes))
  }

  private static func time(_ text: Substring) -> (Rational, Precision)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let hours = number(parts[0], digits: 2), hours < 24 else {
      return nil
    }
    var time = Rational(Int64(hours * 3600))
    if parts.count > 1 {
      guard let minutes = number(parts[1], digits: 2), minutes < 60 else { return nil }
      time += Rational(Int64(minutes * 60))
    }
    if parts.count > 2 {
      let seconds = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard let whole = number(seconds[0], digits: 2), whole <= 60 else { return nil }
      time += Rational(Int64(whole))
      if seconds.count == 2 {
        let digits = seconds[1]
        guard (1...9).contains(digits.utf8.count),
          let fraction = number(digits, digits: digits.utf8.count)
        else { return nil }
        time += Rational(Int64(fraction), digits.reduce(Int64(1)) { scale, _ in scale * 10 })
      }
    }
    return (time, [.hour, .minute, .second][parts.count - 1])
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}

extension MetadataDate {
  /// The same moment this much later; `nil` where no second is known, or the year leaves 0...9999.
  public func adding(_ duration: Rational) -> MetadataDate? {
    precision == .second ? moved(by: duration, to: zone) : nil
  }

  /// The same moment at Greenwich, without a zone as ID3 has it; itself where no zone is known.
  package var universal: MetadataDate? {
    guard let zone else { return self }
    return moved(by: Rational(Int64(-zone * 60)), to: nil)
  }

  /// Seconds since the beginning of 1904 at Greenwich, as movie headers count them; `nil` where no
  /// day is known, or before that year.
  package var secondsSince1904: Int64? {
    guard precision >= .day, let moment = universal else { return nil }
    let days = Self.dayNumber(moment.year, moment.month, moment.day) - Self.dayNumber(1904, 1, 1)
    guard days >= 0, let seconds = Int64(exactly: moment.time.floor) else { return nil }
    return Int64(days) * 86400 + seconds
  }

  private func moved(by duration: Rational, to zone: Int?) -> MetadataDate? {
    let total = time + duration
    let days = (total / Rational(86400)).floor
    guard let count = Int64(exactly: days), abs(count) < 4_000_000 else { return nil }
    let civil = Self.civil(Self.dayNumber(year, month, day) + Int(count))
    guard (0...9999).contains(civil[0]) else { return nil }
    return MetadataDate(civil, total - Rational(count) * Rational(86400), precision, zone)
  }

  /// Days since the first of March of the year 0, so that a leap day ends its year.
  private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let (era, inEra) = (year >= 0 ? year / 400 : (year - 399) / 400, (year % 400 + 400) % 400)
    let inYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + inEra * 365 + inEra / 4 - inEra / 100 + inYear
  }

  private static func civil(_ number: Int) -> [Int] {
    let era = number >= 0 ? number / 146_097 : (number - 146_096) / 146_097
    let inEra = number - era * 146_097
    let years = (inEra - inEra / 1460 + inEra / 36524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * years + years / 4 - years / 100)
    let month = (5 * inYear + 2) / 153
    let day = inYear - (153 * month + 2) / 5 + 1
    let year = years + era * 400 + (month >= 10 ? 1 : 0)
    return [year, month >= 10 ? month - 9 : month + 3, day]
  }
}

extension MetadataDate: CustomStringConvertible {
  /// ISO 8601 to the precision that is known, with the zone as `+0200` or `Z`.
  public var description: String {
    var text = padded(year, 4)
    if precision >= .month { text += "-" + padded(month, 2) }
    if precision >= .day { text += "-" + padded(day, 2) }
    guard precision >= .hour else { return text }
    let seconds = Int(clamping: time.floor)
    text += "T" + padded(seconds / 3600, 2)
    if precision >= .minute { text += ":" + padded(seconds / 60 % 60, 2) }
    if precision >= .second { text += ":" + padded(seconds % 60, 2) + fraction }
    guard let zone else { return text }
    if zone == 0 { return text + "Z" }
    return text + (zone < 0 ? "-" : "+") + padded(abs(zone) / 60, 2) + padded(abs(zone) % 60, 2)
  }

  /// Whether it falls between two seconds.
  package var isFractional: Bool { !time.isInteger }

  /// As a frame of ID3v2.4 spells it: without a zone, and in whole seconds.
  package var id3Text: String {
    let whole = Rational(Int64(clamping: time.floor))
    return MetadataDate([year, month, day], whole, precision, nil).description
  }

  private var fraction: String {
    let rest = time - Rational(Int64(clamping: time.floor))
    guard rest > .zero else { return "" }
    let digits = padded(Int(clamping: (rest * Rational(1_000_000_000)).floor), 9)
    return "." + String(digits.reversed().drop { $0 == "0" }.reversed())
  }

  private func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
