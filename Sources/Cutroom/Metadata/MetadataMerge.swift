import CutroomMedia
package import CutroomMetadata
package import CutroomModel

/// The metadata of a result: what its sources have, and what the composition says.
package struct MetadataMerge {
  /// A source with its items.
  package struct Source: Hashable, Sendable {
    /// The source's name in the composition.
    package var name: String
    /// Its items in the file's order.
    package var items: [MetadataItem]
    /// Where in the source its first use begins.
    package var inPoint: Rational
    /// When the movie was made, in seconds since the beginning of 1904.
    package var creationTime: Int64?

    package init(
      name: String, items: [MetadataItem], inPoint: Rational = .zero, creationTime: Int64? = nil
    ) {
      self.name = name
      self.items = items
      self.inPoint = inPoint
      self.creationTime = creationTime
    }

    /// The items with dates that are as much later as the first use begins; a date without a time
    /// of day stays.
    fileprivate var shifted: Source {
      var source = self
      for index in items.indices where items[index].commonKey == .creationDate {
        guard case .texts(let texts) = items[index].value else { continue }
        source.items[index].value = .texts(
          texts.map { MetadataDate($0)?.adding(inPoint)?.description ?? $0 })
      }
      return source
    }
  }

  /// The items, not yet in the words of a container.
  package let items: [MetadataItem]
  /// Those of them that the composition gives, with the key as written there.
  package let given: [(key: String, item: MetadataItem)]
  /// When the result was made, in seconds since the beginning of 1904; `nil` where nobody says.
  package let creationTime: Int64?

  /// Merges; of several sources the first that has a key gives its items.
  ///
  /// - Parameters:
  ///   - sources: In the order of the timeline.
  ///   - settings: What the composition says.
  ///   - isRendered: Whether sound is encoded anew, so that facts about the old encoding are false.
  ///   - locate: Turns a path as written into one to open.
  /// - Throws: `MetadataError` for a key that is none, or a picture that cannot be used.
  package init(
    _ sources: [Source], _ settings: MetadataSettings, isRendered: Bool,
    locate: (String) -> String = { $0 }
  ) throws(MetadataError) {
    let sources = settings.dates == .shift ? sources.map(\.shifted) : sources
    var items = Self.inherited(sources, settings.inherit, isRendered: isRendered)
    for key in settings.remove {
      let identifier = try MetadataIdentifier(parsing: key)
      items.removeAll { Self.isSame($0.identifier, identifier) }
    }
    switch settings.dates {
    case .keep, .shift: break
    case .drop: items.removeAll { $0.commonKey.map(Self.isDate) ?? false }
    case .set(let date):
      items.removeAll { $0.commonKey == .creationDate }
      items.append(MetadataItem(.creationDate, date))
    }
    var given: [(key: String, item: MetadataItem)] = []
    for setting in settings.items {
      let new = try Self.items(setting, locate)
      given.removeAll { $0.key == setting.key }
      given += new.map { (setting.key, $0) }
      guard let identifier = new.first?.identifier else { continue }
      items.removeAll { Self.isSame($0.identifier, identifier) }
      items += new
    }
    self.items = items
    self.given = given
    creationTime = Self.creationTime(sources, settings)
  }

  /// What is wrong with given items in a file of this kind, found before it is made.
  ///
  /// What the container only has no place for is no mistake: it is reported as dropped.
  package func problems(for container: TagContainer) -> [(key: String, message: String)] {
    given.compactMap { key, item in
      let translation = Translation(item, for: container)
      return translation.isMisfit ? (key, "'\(key)': \(translation.problem)") : nil
    }
  }

  /// The time that movie headers say, of the first source that has one.
  private static func creationTime(
    _ sources: [Source], _ settings: MetadataSettings
  ) -> Int64? {
    switch settings.dates {
    case .drop: return nil
    case .set(let date): return MetadataDate(date)?.secondsSince1904
    case .keep, .shift: break
    }
    // A time is personal as a date is.
    let used = sources.filter { source in
      switch settings.inherit {
      case .all: true
      case .none, .sharing: false
      case .from(let name): name == source.name
      }
    }
    guard let source = used.first(where: { $0.creationTime != nil }), let time = source.creationTime
    else { return nil }
    let later = settings.dates == .shift ? Int64(clamping: source.inPoint.floor) : 0
    let (sum, overflow) = time.addingReportingOverflow(later)
    return overflow ? nil : sum
  }

  private static func inherited(
    _ sources: [Source], _ inheritance: MetadataSettings.Inheritance, isRendered: Bool
  ) -> [MetadataItem] {
    var items: [MetadataItem] = []
    for source in sources {
      switch inheritance {
      case .none: continue
      case .from(let name) where name != source.name: continue
      case .all, .sharing, .from: break
      }
      let known = Set(items.map { key($0.identifier) })
      for item in source.items {
        if known.contains(key(item.identifier)) { continue }
        if isTechnical(item, isRendered: isRendered) { continue }
        if inheritance == .sharing, item.isPersonal { continue }
        items.append(item)
      }
    }
    return withoutTwins(items)
  }

  /// What another file's items say about something else than that file.
  static func lasting(_ items: [MetadataItem]) -> [MetadataItem] {
    withoutTwins(items.filter { !isTechnical($0, isRendered: true) })
  }

  /// Of one key in several key spaces, the first is taken: a file lists the preferred one first.
  private static func withoutTwins(_ items: [MetadataItem]) -> [MetadataItem] {
    var spaces: [CommonKey: MetadataIdentifier] = [:]
    return items.filter { item in
      guard let key = item.commonKey else { return true }
      let first = spaces[key, default: item.identifier]
      spaces[key] = first
      return first == item.identifier
    }
  }

  /// What makes two items the same thing.
  private static func key(_ identifier: MetadataIdentifier) -> MetadataIdentifier {
    Mapping.commonKey(of: identifier).map { MetadataIdentifier($0) } ?? identifier.folded
  }

  private static func isSame(_ item: MetadataIdentifier, _ wanted: MetadataIdentifier) -> Bool {
    if wanted.keySpace == .common { return key(item) == key(wanted) }
    return item.folded == wanted.folded || key(item) == key(wanted)
  }

  private static func isDate(_ key: CommonKey) -> Bool {
    key == .creationDate || key == .lastModifiedDate
  }

  private static let technicalNames: Set<String> = [
    "COM.APPLE.ITUNES.ITUNSMPB", "DURATION", "BPS", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES", "TLEN",
    "MAJOR_BRAND", "MINOR_VERSION", "COMPATIBLE_BRANDS", "CREATION_TIME", "TSSE", "TSIZ", "MLLT",
    "ASPI", "SEEK", "ENCODER",
  ]

  private static let soundFacts: Set<String> = [
    "COM.APPLE.ITUNES.ITUNNORM", "COM.APPLE.ITUNES.ENCODING PARAMS", "RVA2", "RVAD",
  ]

  /// Facts about the old file that the new one does not share.
  private static func isTechnical(_ item: MetadataItem, isRendered: Bool) -> Bool {
    let name = item.identifier.key.uppercased()
    if item.commonKey == .software { return true }
    if technicalNames.contains(name) || name.hasPrefix("_STATISTICS") { return true }
    let qualifier = item.identifier.qualifier?.uppercased()
    if qualifier == "ITUNSMPB" { return true }
    return isRendered && (soundFacts.contains(name) || qualifier == "ITUNNORM")
  }

  private static func items(
    _ given: MetadataSettings.Item, _ locate: (String) -> String
  ) throws(MetadataError) -> [MetadataItem] {
    let identifier = try MetadataIdentifier(parsing: given.key)
    switch given.value {
    case .texts(let texts): return [MetadataItem(identifier, .texts(texts))]
    case .files(let paths):
      var items: [MetadataItem] = []
      for path in paths {
        var item = MetadataItem(identifier, .data(try picture(locate(path))))
        item.extraAttributes["pictureType"] = items.isEmpty ? "3" : "0"
        items.append(item)
      }
      return items
    }
  }

  private static let maximumPicture: Int64 = 64 << 20

  /// The bytes of a picture file that tags can hold.
  package static func picture(_ path: String) throws(MetadataError) -> [UInt8] {
    let bytes: [UInt8]
    do {
      let file = try TagFileAccess(path: path)
      let size = try file.size()
      guard size <= maximumPicture else {
        throw MetadataError(.artwork, "the picture '\(path)' is larger than 64 MB")
      }
      bytes = try file.read(at: 0, count: Int(size))
    } catch let error as LibAVError {
      throw MetadataError(.input, error)
    } catch let error as MetadataError {
      throw error
    } catch { throw MetadataError(.input, "\(error)") }
    if let problem = PictureFormat.problem(of: bytes) {
      throw MetadataError(.artwork, "'\(path)' is \(problem)")
    }
    return bytes
  }
}
