import Cutroom
import CutroomModel
import Foundation
import Synchronization
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// Runs only where ffmpeg and ffprobe can check what was made.
  static var needsFFmpeg: Self {
    .enabled(if: Program.hasFFmpeg, "needs the programs ffmpeg and ffprobe")
  }

  /// Runs only where the folder of sample files is.
  static var needsSamples: Self { .enabled(if: ProbeFolder.isThere, ProbeFolder.note) }
}

/// A composition's text that tests put together from its parts.
struct Text {
  var json: String

  /// One `av` track with these clips; `more` are further members at the top.
  init(clips: String, timeline: String = "", export: String = "", more: String = "") {
    self.init(
      tracks: "{\"id\": \"main\", \"clips\": [\(clips)]}", timeline: timeline, export: export,
      more: more)
  }

  /// Tracks of any kind.
  init(tracks: String, timeline: String = "", export: String = "", more: String = "") {
    json = """
      {"format": "cutroom/1", "timeline": {\(timeline)},
       "tracks": [\(tracks)],
       \(more.isEmpty ? "" : more + ",")
       "export": {\(export)}}
      """
  }

  /// A text as it stands.
  init(json: String) { self.json = json }

  /// Export settings that lose nothing of the picture.
  static let lossless = #""mode": "render", "video": {"codec": "ffv1"}, "audio": {"codec": "flac"}"#
  /// Export settings that are quick and nearly lossless.
  static let quick =
    #""mode": "render", "video": {"codec": "h264", "crf": 12, "preset": "ultrafast"}"#
  /// Export settings that copy, or fail.
  static let passthrough = #""mode": "passthrough""#
}

/// A clip's text: the fixture or file, and further members.
func clip(_ name: String, _ more: String = "") throws -> String {
  let path = name.hasPrefix("/") ? name : try Fixtures.file(name).path
  return "{\"source\": \(JSONValue.string(path).encoded())\(more.isEmpty ? "" : ", " + more)}"
}

/// A clip of samples of sound at 48 kHz.
func clip(_ name: String, samples: Range<Int>) throws -> String {
  try clip(
    name, "\"in\": \"\(samples.lowerBound)/48000\", \"out\": \"\(samples.upperBound)/48000\"")
}

/// Two chirps at 48 kHz, which are alike at no two times, in a file encoded with these options.
func chirps(
  _ name: String, _ codec: [String], seconds: Int = 4, in folder: URL
) throws -> URL {
  let url = folder.appending(path: name)
  let source = "aevalsrc='0.4*sin(900*t*t)|0.3*sin(2000*t+3*sin(5*t))':s=48000:d=\(seconds)"
  try Program.ffmpeg(["-f", "lavfi", "-i", source, "-c:a"] + codec + [url.path])
  return url
}

/// A clip of a sample file.
func sample(_ name: String, _ more: String = "") throws -> String {
  try clip(try ProbeFolder.path(name), more)
}

/// What an export gave.
struct Exported {
  var url: URL
  var report: ExportReport
  /// Findings of all severities.
  var diagnostics: [Diagnostic]
  /// `copy` or `render` of every chunk, by kind of stream.
  var actions: [String: Set<String>]
}

/// Findings that prevented an export.
struct Refusal: Error, CustomStringConvertible {
  var diagnostics: [Diagnostic]
  var description: String {
    diagnostics.map { "\($0.severity)[\($0.code)] \($0.pointer): \($0.message)" }
      .joined(separator: "\n")
  }
  /// `code pointer` of each error.
  var errors: [String] {
    diagnostics.filter { $0.severity == .error }.map { "\($0.code) \($0.pointer)" }
  }
}

extension Text {
  /// Checks, plans and exports to `name` in `folder`.
  ///
  /// - Throws: ``Refusal`` where checking or planning finds errors, else what exporting throws.
  func export(
    to name: String, in folder: URL, overwrite: Bool = false, jobs: Int? = nil
  ) throws -> Exported {
    let url = folder.appending(path: name)
    let plan = try plan(url.path)
    let report = try Engine.export(plan, overwrite: overwrite, jobs: jobs)
    return Exported(
      url: url, report: report, diagnostics: plan.diagnostics, actions: Self.actions(plan))
  }

  /// The plan, or the findings that prevent it.
  func plan(_ output: String) throws -> ExportPlan {
    let checked = Engine.check(
      text: SourceText(file: "t.json", text: json), baseDirectory: Fixtures.folder.path)
    guard !checked.hasErrors else { throw Refusal(diagnostics: checked.diagnostics) }
    let planned = Engine.plan(checked, output: output)
    guard let plan = planned.plan else { throw Refusal(diagnostics: planned.diagnostics) }
    return plan
  }

  /// The errors that prevent an export, as `code pointer`; also that there is no file.
  func refusal(to name: String = "x.mp4", in folder: URL) throws -> [String] {
    do {
      _ = try export(to: name, in: folder)
      return ["none"]
    } catch let refusal as Refusal {
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      return refusal.errors
    } catch let error as CutroomError {
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      return [error.stableCode + " " + (error.diagnostics.first?.pointer ?? "")]
    }
  }

  private static func actions(_ plan: ExportPlan) -> [String: Set<String>] {
    func names(_ chunks: [Chunk]) -> Set<String> {
      Set(chunks.map { if case .copy = $0.action { "copy" } else { "render" } })
    }
    var actions: [String: Set<String>] = [:]
    if let video = plan.video { actions["video"] = names(video.chunks) }
    if let audio = plan.audio { actions["audio"] = names(audio.chunks) }
    return actions
  }
}
