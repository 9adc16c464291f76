import CutroomMetadata
public import CutroomModel
import Foundation

/// What `cutroom probe` says about files.
public struct ProbeReport: Sendable {
  /// What is known of one file.
  public struct File: Sendable {
    /// The path as given.
    public var path: String
    /// What is wrong with it; `nil` if it could be examined.
    public var problem: Diagnostic?
    package var info: AssetInfo?
    /// The items of its metadata, as `cutroom tag --json` prints them.
    public var metadata: [JSONValue] = []
    /// Why its metadata could not be read, though the file could.
    public var metadataProblem: String?
  }

  /// The files in the order given.
  public var files: [File]

  /// Whether every file could be examined.
  public var isComplete: Bool { files.allSatisfy { $0.problem == nil } }

  /// The report as `cutroom probe --json` prints it.
  public var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("ok", .bool(isComplete)), .init("files", .array(files.map(\.jsonValue))),
    ]
    let problems = files.compactMap(\.problem)
    if !problems.isEmpty {
      members.append(.init("diagnostics", .array(problems.map(\.jsonValue))))
    }
    return .object(members)
  }

  /// The report for people.
  public var text: String { files.map(\.text).joined(separator: "\n") }
}

extension Engine {
  /// Examines media files: their tracks, exact times, keyframes and codec signatures.
  ///
  /// Reads packets where counts need it, so it may take as long as reading the files.
  public static func probe(paths: [String]) -> ProbeReport {
    var distinct: [String] = []
    var seen: Set<String> = []
    for path in paths where seen.insert(path).inserted { distinct.append(path) }
    let prober = SourceProber { path throws(AssetError) in
      try AssetInfo.open(path, countsAll: true)
    }
    let results = prober.probe(distinct)
    let files = paths.map { path -> ProbeReport.File in
      var file = ProbeReport.File(path: path)
      switch results[path] {
      case .success(let info):
        file.info = info
        file.readMetadata()
      case .failure(let error): file.problem = error.diagnostic
      case nil: break
      }
      return file
    }
    return ProbeReport(files: files)
  }
}

extension ProbeReport.File {
  fileprivate mutating func readMetadata() {
    do throws(MetadataError) {
      guard case .object(let members) = try TagStore.read(path).json(file: path),
        case .array(let items)? = members.first(where: { $0.key == "items" })?.value
      else { return }
      metadata = items
    } catch  where error.code == .unsupported {
      // A container without metadata of a known kind has none.
      metadata = []
    } catch {
      metadataProblem = error.description
    }
  }
}

extension AssetError {
  /// The finding's code for this reason.
  var code: DiagnosticCode {
    switch reason {
    case .missing: .mediaMissing
    case .unsupported, .encrypted: .unsupported
    case .empty: .mediaNoStream
    case .directory, .notAFile, .permission, .unreadable: .mediaUnreadable
    }
  }

  /// The error as a finding without a place in a composition.
  var diagnostic: Diagnostic { Diagnostic(.error, code, message, at: "") }
}
