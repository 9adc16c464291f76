import CutroomMedia
import CutroomModel

extension Planner {
  /// Says which languages, titles and dispositions of sound the container does not hold.
  mutating func noteLabels(_ plan: ExportPlan) {
    guard ["mov", "m4v", "m4a", "mpegts"].contains(plan.container.name) else { return }
    var labels = plan.furtherSounds.map { plan.playing($0.stream).label(.audio) }
    if let audio = plan.audio {
      var label = plan.label(.audio)
      label.language = audio.language ?? label.language
      labels.insert(label, at: 0)
    }
    for label in labels {
      var lost: [String] = []
      if let language = label.language, plan.container.name == "mov",
        !Self.quickTimeLanguages.contains(language)
      {
        lost.append("language '\(language)'")
      }
      if let title = label.title, plan.container.name != "mov" { lost.append("title '\(title)'") }
      let flags = label.dispositions.subtracting(.isDefault).names
      if !flags.isEmpty { lost.append("disposition " + flags.joined(separator: ", ")) }
      guard !lost.isEmpty else { continue }
      note(
        .capabilityContainer,
        "of the sound's label '\(plan.container.name)' does not hold: "
          + lost.joined(separator: "; "), at: "/export")
    }
  }

  /// The codes that libavformat writes into QuickTime files and reads again.
  private static let quickTimeLanguages: Set = [
    "eng", "fra", "ita", "spa", "dan", "por", "nor", "heb", "jpn", "ara", "fin", "gre", "ice",
    "tur", "chi", "urd", "hin", "tha", "kor", "lit", "pol", "hun", "est", "lav", "rus", "ces",
    "dut", "sve", "ger", "ron", "slv", "ukr", "bul", "mac", "geo", "arm", "vie", "ind", "may",
  ]
}
