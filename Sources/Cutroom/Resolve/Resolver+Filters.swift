import CutroomMedia
import CutroomModel

extension Resolver {
  /// Checks that filters are there, take one stream and give one, and know their options.
  mutating func checkFilters(
    _ filters: [FilterSetting], _ kind: MediaKind, at pointer: String
  ) {
    for (index, filter) in filters.enumerated() {
      let place = "\(pointer)/\(index)"
      guard !isFlawed(place) else { continue }
      if GeneratedSources.refused.contains(filter.name) {
        findings.add(
          .capability, .error, .capabilityOption,
          "the filter '\(filter.name)' reads or writes beside the composition", at: place)
        continue
      }
      guard let info = FilterGraph.filterInfo(name: filter.name) else {
        let nearest = Suggestion.nearest(to: filter.name, in: Self.usualFilters)
        findings.add(
          .capability, .error, .capabilityOption, "libavfilter has no filter '\(filter.name)'",
          at: place, fix: nearest.map { "did you mean '\($0)'?" })
        continue
      }
      let word = kind == .video ? "picture" : "sound"
      guard info.inputs == [kind], info.outputs == [kind], !info.hasDynamicInputs,
        !info.hasDynamicOutputs
      else {
        findings.add(
          .capability, .error, .capabilityOption,
          "the filter '\(filter.name)' does not take one \(word) and give one", at: place)
        continue
      }
      checkOptions(filter, info, at: place)
    }
  }

  private mutating func checkOptions(
    _ filter: FilterSetting, _ info: FilterInfo, at place: String
  ) {
    // These are of every filter that can be switched on and off.
    let known = info.options.map(\.name) + (info.hasTimeline ? ["enable"] : [])
    for option in filter.options where !known.contains(option.name) {
      let nearest = Suggestion.nearest(to: option.name, in: known)
      findings.add(
        .capability, .error, .capabilityOption,
        "the filter '\(filter.name)' has no option '\(option.name)'",
        at: "\(place)/\(filter.name.pointerEscaped)/\(option.name.pointerEscaped)",
        fix: nearest.map { "did you mean '\($0)'?" })
    }
  }

  /// The filters that people use, for suggestions.
  private static let usualFilters = [
    "eq", "hue", "colorbalance", "curves", "lut", "lutrgb", "lutyuv", "negate", "gblur", "boxblur",
    "unsharp", "hflip", "vflip", "noise", "vignette", "drawbox", "drawgrid", "fade", "crop", "pad",
    "scale", "rotate", "colorchannelmixer", "chromakey", "colorkey", "format", "gradfun", "hqdn3d",
    "nlmeans", "deband", "deblock", "yadif", "bwdif", "setsar", "saturation", "exposure",
    "vibrance",
    "volume", "highpass", "lowpass", "bandpass", "equalizer", "bass", "treble", "acompressor",
    "alimiter", "aecho", "aphaser", "chorus", "flanger", "tremolo", "vibrato", "afade", "pan",
    "loudnorm", "dynaudnorm", "agate", "anequalizer", "firequalizer", "compand", "stereowiden",
  ]
}
