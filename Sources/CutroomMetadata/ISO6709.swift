/// A place as `+48.8577+002.2950+035.000/`, in the 16.16 fixed point of `loci`.
package struct ISO6709: Hashable, Sendable {
  package var latitude: Int32
  package var longitude: Int32
  package var altitude: Int32

  /// Parses degrees with a decimal fraction; `nil` if the text is something else.
  package init?(_ text: String) {
    var parts: [Substring] = []
    var rest = text[...]
    while let sign = rest.first, sign == "+" || sign == "-" {
      let end = rest.dropFirst().firstIndex { $0 == "+" || $0 == "-" || $0 == "/" || $0 == "C" }
      parts.append(rest[..<(end ?? rest.endIndex)])
      rest = rest[(end ?? rest.endIndex)...]
    }
    let isEnd = rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("CRS")
    guard (2...3).contains(parts.count), isEnd,
      let latitude = Self.fixed(parts[0], limit: 90),
      let longitude = Self.fixed(parts[1], limit: 180),
      let altitude = parts.count == 3 ? Self.fixed(parts[2], limit: 32767) : 0
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  package init(latitude: Int32, longitude: Int32, altitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  private static func fixed(_ text: Substring, limit: Double) -> Int32? {
    guard let degrees = Double(text), abs(degrees) <= limit else { return nil }
    return Int32((degrees * 65536).rounded(.towardZero))
  }

  /// The text form, to four places.
  package var text: String {
    let place = Self.decimal(latitude, digits: 2) + Self.decimal(longitude, digits: 3)
    return place + (altitude == 0 ? "" : Self.decimal(altitude, digits: 3)) + "/"
  }

  private static func decimal(_ value: Int32, digits: Int) -> String {
    let scaled = (Int64(value).magnitude * 10000 + 32768) / 65536
    let whole = String(scaled / 10000)
    let fraction = String(scaled % 10000)
    return (value < 0 ? "-" : "+") + String(repeating: "0", count: max(0, digits - whole.count))
      + whole + "." + String(repeating: "0", count: 4 - fraction.count) + fraction
  }
}
