import CutroomMedia
import CutroomModel
import Foundation

extension Golden {
  /// Reads a golden's file.
  ///
  /// - Throws: ``CutroomError`` with code `input` where it is missing, or anything in it is not
  ///   whole: a golden that says less than it should never lets anything pass.
  static func read(_ path: String) throws(CutroomError) -> Golden {
    let bytes: [UInt8]
    do throws(AssetError) { bytes = try CompositionFile.read(path) } catch {
      throw CutroomError(.input, "golden.unreadable", "no golden is read: \(error.message)")
    }
    let text = SourceText(file: path, bytes: bytes)
    guard let json = JSONValue(text) else {
      let reason = text.syntaxDiagnostics.first?.message ?? "it holds no value"
      throw CutroomError(
        .input, "golden.malformed", "the golden '\(path)' is damaged: \(reason)",
        diagnostics: text.syntaxDiagnostics)
    }
    do throws(GoldenFlaw) {
      return try Golden(json)
    } catch {
      throw CutroomError(
        .input, "golden.malformed", "the golden '\(path)' is damaged: \(error.message)")
    }
  }

  private init(_ json: JSONValue) throws(GoldenFlaw) {
    let place = "the golden"
    guard try json.string("format", place) == Self.format else {
      throw GoldenFlaw("its format is not '\(Self.format)'")
    }
    name = try json.string("name", place)
    composition = try json.string("composition", place)
    container = try json.string("container", place)
    processor = try json.string("processor", place)
    libraries = (try json.value("libraries", place).members ?? []).map {
      KeyValue($0.key, $0.value.text ?? "")
    }
    let named = try json.list("tiers", place).map { $0.text.flatMap(Tier.init(rawValue:)) }
    guard !named.isEmpty else { throw GoldenFlaw("it has no tiers") }
    let structure = try json.value("structure", place)
    var streams: [Fingerprint.Stream] = []
    for stream in try structure.list("streams", "'structure'") {
      streams.append(try Self.stream(stream, place: streams.count, of: json))
    }
    guard !streams.isEmpty else { throw GoldenFlaw("it has no streams") }
    copied = []
    if let packets = json["packets"]?.elements {
      copied = Set(packets.compactMap { $0["stream"]?.whole }.map { Int(truncatingIfNeeded: $0) })
    }
    let metadata = try json.value("metadata", place)
    _ = try metadata.list("items", "'metadata'")
    _ = try metadata.list("chapters", "'metadata'")
    fingerprint = Fingerprint(
      plan: json["plan"], facts: structure.members?.filter { $0.key != "streams" } ?? [],
      streams: streams, metadata: metadata)
    guard named == tiers else {
      throw GoldenFlaw("its tiers are not those that its streams need")
    }
  }

  private static func stream(
    _ json: JSONValue, place: Int, of golden: JSONValue
  ) throws(GoldenFlaw) -> Fingerprint.Stream {
    let name = "stream \(place)"
    let kind = try json.string("kind", name)
    guard ["video", "audio"].contains(kind) else { throw GoldenFlaw("\(name) is no media") }
    let isVideo = kind == "video"
    let shown = try TimestampTable(try json.value("shown", name), "'shown' of \(name)")
    let decoded = try TimestampTable(try json.value("decoded", name), "'decoded' of \(name)")
    let facts = (json.members ?? []).filter { !["shown", "decoded"].contains($0.key) }
    let base = try json.string("timeBase", name).split(separator: "/").compactMap { Int32($0) }
    guard base.count == 2, shown.count > 0, decoded.count >= shown.count else {
      throw GoldenFlaw("\(name) has no packets or no time base")
    }
    let parts = StreamParts(golden: golden, place: place, isVideo: isVideo)
    return Fingerprint.Stream(
      facts: facts, codec: try json.string("codec", name), isVideo: isVideo,
      timeBase: TimeBase(base[0], base[1]), shown: shown, decoded: decoded,
      packets: try parts.packets(count: decoded.count), content: try parts.content(),
      thumbnails: try parts.thumbnails(), levels: try parts.levels())
  }
}

/// What a golden has of one stream beside its structure.
private struct StreamParts {
  let golden: JSONValue
  let place: Int
  let isVideo: Bool

  private var name: String { "stream \(place)" }

  /// Empty where the stream is not copied.
  func packets(count: Int) throws(GoldenFlaw) -> HashList {
    guard let section = try section(.packets) else { return HashList([]) }
    let packets = try HashList(section, "the packets of \(name)")
    guard packets.count == count else {
      throw GoldenFlaw("\(name) has another number of packets than times")
    }
    return packets
  }

  func content() throws(GoldenFlaw) -> HashList {
    guard let section = try section(isVideo ? .frames : .samples) else {
      throw GoldenFlaw("\(name) has no sums of its content")
    }
    let content = try HashList(section, "the content of \(name)")
    guard content.count > 0 else { throw GoldenFlaw("\(name) has no content") }
    return content
  }

  func thumbnails() throws(GoldenFlaw) -> Thumbnails? {
    guard isVideo else { return nil }
    guard let section = try section(.picture) else { throw GoldenFlaw("\(name) has no pictures") }
    return try Thumbnails(section, frames: content().count, "the pictures of \(name)")
  }

  func levels() throws(GoldenFlaw) -> SoundLevels? {
    guard !isVideo else { return nil }
    guard let section = try section(.sound) else { throw GoldenFlaw("\(name) has no levels") }
    let levels = try SoundLevels(section, "the levels of \(name)")
    let seconds = (levels.count + levels.sampleRate - 1) / levels.sampleRate
    guard try content().count == seconds else {
      throw GoldenFlaw("\(name) has levels of another length than its sums")
    }
    return levels
  }

  private func section(_ tier: Tier) throws(GoldenFlaw) -> JSONValue? {
    guard let section = golden[tier.rawValue] else { return nil }
    guard let elements = section.elements else {
      throw GoldenFlaw("'\(tier.rawValue)' is no array")
    }
    return elements.first { $0["stream"]?.whole == Int64(place) }
  }
}
