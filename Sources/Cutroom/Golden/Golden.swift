import CutroomMedia
import CutroomModel

/// What an export is compared with: a small text file.
struct Golden: Sendable {
  static let format = "cutroom-golden/1"
  static let suffix = ".golden.json"

  /// The composition's file name without its ending.
  var name: String
  /// The composition's path, seen from the golden's folder.
  var composition: String
  /// The container's name in the composition file.
  var container: String
  var libraries: [KeyValue]
  var processor: String
  /// The streams whose packets are copied, by their places.
  var copied: Set<Int>
  var fingerprint: Fingerprint

  /// The tiers that say something about this export.
  var tiers: [Tier] {
    Tier.allCases.filter { tier in
      switch tier {
      case .plan: fingerprint.plan != nil
      case .structure, .metadata: true
      case .packets: !copied.isEmpty
      case .frames, .picture: fingerprint.streams.contains(where: \.isVideo)
      case .samples, .sound: !fingerprint.streams.allSatisfy(\.isVideo)
      }
    }
  }

  /// Whether this machine's libraries are those that made the golden.
  var isOfTheseLibraries: Bool { libraries == LibraryVersions.all }
  /// Whether this machine's processor computes like the one that made the golden.
  var isOfThisProcessor: Bool { processor == LibraryVersions.processor }
}

extension Golden {
  /// The text of the golden's file.
  var encoded: String { json.encoded(pretty: true) + "\n" }

  private var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("format", .string(Self.format)), .init("name", .string(name)),
      .init("composition", .string(composition)), .init("container", .string(container)),
      .init("libraries", .object(libraries.map { .init($0.key, .string($0.value)) })),
      .init("processor", .string(processor)),
      .init("tiers", .array(tiers.map { .string($0.rawValue) })),
    ]
    members += tiers.map { .init($0.rawValue, section($0)) }
    return .object(members)
  }

  private func section(_ tier: Tier) -> JSONValue {
    switch tier {
    case .plan: fingerprint.plan ?? .null
    case .structure: structure
    case .metadata: fingerprint.metadata
    case .packets: sections { copied.contains($0) ? $1.packets.members : nil }
    case .frames: sections { $1.isVideo ? $1.content.members : nil }
    case .samples: sections { $1.isVideo ? nil : $1.content.members }
    case .picture: sections { $1.thumbnails?.members }
    case .sound: sections { $1.levels?.members }
    }
  }

  private var structure: JSONValue {
    let streams = fingerprint.streams.map { stream in
      JSONValue.object(
        stream.facts + [.init("shown", stream.shown.json), .init("decoded", stream.decoded.json)])
    }
    return .object(fingerprint.facts + [.init("streams", .array(streams))])
  }

  private func sections(
    _ members: (Int, Fingerprint.Stream) -> [JSONValue.Member]?
  ) -> JSONValue {
    .array(
      fingerprint.streams.enumerated().compactMap { place, stream in
        members(place, stream).map {
          .object([.init("stream", .integer(Int64(place)))] + $0)
        }
      })
  }
}
