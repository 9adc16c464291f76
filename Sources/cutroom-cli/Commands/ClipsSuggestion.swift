import Cutroom
import Foundation

/// Suggestions of commands without a composition file: in words of their options.
enum ClipsSuggestion {
  /// What findings suggest for compositions, and the options that say the same.
  private static let options = [
    (#"use "mode": "auto""#, "use '--mode auto'"),
    ("use mode auto", "use '--mode auto'"),
    (#"use "cut": "exact" or "keyframe""#, "use '--cut exact' or '--cut keyframe'"),
    (#"use "cut": "exact""#, "use '--cut exact'"),
    ("cut with the clips' in and out", "cut with '--from' and '--to'"),
  ]
  /// What shows that a suggestion is about the text of a composition.
  private static let keys = ["\"", "timeline.", "export.", "encoder", "bitrate"]

  /// The finding with a suggestion that can be followed on the command line.
  static func reworded(_ finding: Diagnostic) -> Diagnostic {
    var finding = finding
    finding.fix = finding.fix.map(reworded)
    return finding
  }

  private static func reworded(_ fix: String) -> String {
    var text = fix
    for (key, option) in options { text = text.replacingOccurrences(of: key, with: option) }
    guard keys.contains(where: text.contains) else { return text }
    return text + ", in the composition that '--print' prints"
  }
}
