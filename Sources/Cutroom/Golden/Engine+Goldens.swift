import CutroomMedia
import CutroomModel
import Foundation

extension Engine {
  /// Exports compositions and records what came out.
  ///
  /// Each gets `NAME.golden.json` in the folder, in place of one that is there; `NAME` is its file
  /// name without the ending. Nothing is written beside the compositions.
  ///
  /// - Parameters:
  ///   - compositions: The files' paths.
  ///   - directory: The folder, which is made where it is missing.
  ///   - cancellation: Checked at every packet.
  ///   - scratch: The folder for temporary files; `nil` for the system's.
  ///   - progress: Called with a line for each step.
  /// - Returns: The files that were written.
  /// - Throws: ``CutroomError`` for the first composition that does not export; those before it
  ///   are recorded.
  public static func recordGoldens(
    compositions: [String], directory: String, cancellation: Cancellation = Cancellation(),
    scratch: String? = nil, progress: (String) -> Void = { _ in }
  ) throws(CutroomError) -> GoldenRecordReport {
    guard !compositions.isEmpty else {
      throw CutroomError(.input, "golden.none", "there is no composition to record")
    }
    let names = compositions.map(Golden.name(ofComposition:))
    if let twice = names.first(where: { name in names.filter { $0 == name }.count > 1 }) {
      throw CutroomError(
        .input, "golden.twice", "two compositions would have the golden '\(twice)'; rename one")
    }
    try SampleWorkshop.createFolder(directory)
    var files: [String] = []
    for (name, composition) in zip(names, compositions) {
      progress("\(name): exporting")
      let golden = try SampleWorkshop.with(parent: scratch, cancellation: cancellation) {
        (workshop) throws(CutroomError) in
        let report = try workshop.export(composition)
        return try Golden(
          name: name, composition: SampleWorkshop.relative(composition, from: directory),
          report: report, cancellation: cancellation)
      }
      let file = "\(directory)/\(name)\(Golden.suffix)"
      try golden.write(to: file)
      progress("\(name): recorded")
      files.append(file)
    }
    return GoldenRecordReport(files: files)
  }

  /// Exports the compositions of all goldens in a folder again, and compares.
  ///
  /// A golden that is damaged, and a composition that no longer exports, is a result that differs.
  ///
  /// - Parameters:
  ///   - directory: The folder.
  ///   - cancellation: Checked at every packet.
  ///   - scratch: The folder for temporary files; `nil` for the system's.
  ///   - progress: Called with a line for each golden.
  /// - Returns: A report for each golden.
  /// - Throws: ``CutroomError`` where there are no goldens, or somebody cancelled.
  public static func checkGoldens(
    directory: String, cancellation: Cancellation = Cancellation(), scratch: String? = nil,
    progress: (String) -> Void = { _ in }
  ) throws(CutroomError) -> GoldenCheckReport {
    var results: [ComparisonReport] = []
    for file in try Golden.files(in: directory) {
      let name = String(file.dropLast(Golden.suffix.count))
      progress("\(name): exporting")
      let path = "\(directory)/\(file)"
      var report: ComparisonReport
      do throws(CutroomError) {
        report = try check(path, directory, cancellation, scratch)
      } catch {
        if error.code == .cancelled { throw error }
        report = ComparisonReport(name: name, output: path, failure: error)
      }
      progress("\(name): \(report.isEqual ? "as recorded" : "differs")")
      results.append(report)
    }
    return GoldenCheckReport(directory: directory, results: results)
  }

  private static func check(
    _ path: String, _ directory: String, _ cancellation: Cancellation, _ scratch: String?
  ) throws(CutroomError) -> ComparisonReport {
    let golden = try Golden.read(path)
    let composition = SampleWorkshop.joined(directory, golden.composition)
    return try SampleWorkshop.with(parent: scratch, cancellation: cancellation) {
      (workshop) throws(CutroomError) in
      let report = try workshop.export(composition)
      return try compare(
        report.output, golden, plan: report.plan, named: composition, cancellation)
    }
  }

  /// Compares a finished file with a golden.
  ///
  /// - Parameters:
  ///   - output: The file.
  ///   - golden: A golden's file, or a folder with one golden in it.
  ///   - cancellation: Checked at every packet.
  /// - Returns: How each tier stands.
  /// - Throws: ``CutroomError`` with code `input` where the golden is missing or damaged, with
  ///   `media` where the output does not read. Neither ever counts as equal.
  public static func compare(
    output: String, golden: String, cancellation: Cancellation = Cancellation()
  ) throws(CutroomError) -> ComparisonReport {
    var path = golden
    if FileStatus(path: golden)?.kind == .directory {
      let files = try Golden.files(in: golden)
      guard files.count == 1 else {
        throw CutroomError(
          .input, "golden.several",
          "'\(golden)' has \(files.count) goldens; name one of \(files.joined(separator: ", "))")
      }
      path = "\(golden)/\(files[0])"
    }
    return try compare(output, Golden.read(path), plan: nil, named: output, cancellation)
  }

  private static func compare(
    _ output: String, _ golden: Golden, plan: ExportPlan?, named name: String,
    _ cancellation: Cancellation
  ) throws(CutroomError) -> ComparisonReport {
    let fingerprint = try FingerprintReader(path: output, cancellation: cancellation)
      .read(plan: plan)
    let tiers = Comparison(golden: golden, output: fingerprint).results()
    let frames = try WorstFrames(golden: golden, output: fingerprint, path: output).pairs()
    return ComparisonReport(name: golden.name, output: name, tiers: tiers, frames: frames)
  }
}

extension Golden {
  static func name(ofComposition path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(".json") ? String(file.dropLast(5)) : file
  }

  /// The goldens' file names in a folder, in order.
  static func files(in directory: String) throws(CutroomError) -> [String] {
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: directory) } catch {
      throw CutroomError(
        .input, "golden.unreadable",
        "the folder '\(directory)' cannot be read: \(error.localizedDescription)")
    }
    let files = names.filter { $0.hasSuffix(suffix) && $0.count > suffix.count }.sorted()
    guard !files.isEmpty else {
      throw CutroomError(
        .input, "golden.none",
        "there is no golden in '\(directory)'; make one with 'cutroom golden record'")
    }
    return files
  }

  /// Records an export.
  init(
    name: String, composition: String, report: ExportReport, cancellation: Cancellation
  ) throws(CutroomError) {
    let plan = report.plan
    let fingerprint = try FingerprintReader(path: report.output, cancellation: cancellation)
      .read(plan: plan)
    guard fingerprint.streams.allSatisfy({ $0.damage == 0 && $0.content.count > 0 }) else {
      throw CutroomError(
        .media, "golden.damaged", "the export of '\(name)' does not decode; nothing is recorded")
    }
    let kinds = [plan.video?.isCopied].compactMap(\.self) + plan.sounds.map(\.isCopied)
    let copied = fingerprint.streams.indices.filter { $0 < kinds.count && kinds[$0] }
    self.init(
      name: name, composition: composition, container: plan.containerName,
      libraries: LibraryVersions.all, processor: LibraryVersions.processor, copied: Set(copied),
      fingerprint: fingerprint)
  }

  /// Writes the file under another name first, so that there is never half a golden.
  func write(to path: String) throws(CutroomError) {
    do {
      try Data(encoded.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CutroomError(
        .output, "golden.write", "'\(path)' cannot be written: \(error.localizedDescription)")
    }
  }
}
