import CutroomMedia
import CutroomModel
import Foundation

extension Resolver {
  /// Checks that filters are there, take one stream and give one, and take their options.
  ///
  /// The result has whole paths where options name files.
  mutating func checkFilters(
    _ filters: [FilterSetting], _ input: FilterTrial.Input, at pointer: String
  ) -> [FilterSetting] {
    guard !filters.isEmpty else { return filters }
    let kind: MediaKind = if case .picture = input { .video } else { .audio }
    var resolved = filters
    var isUsable = true
    for (index, filter) in filters.enumerated() {
      let place = "\(pointer)/\(index)"
      guard !isFlawed(place), let info = usableFilter(filter.name, kind, at: place),
        let options = checkOptions(filter, info, at: "\(place)/\(filter.name.pointerEscaped)")
      else {
        isUsable = false
        continue
      }
      resolved[index].options = options
      if FilterTraits.dependsOnProcessor(filter.name) {
        findings.add(
          .capability, .warning, .capabilityProcessor,
          "the filter '\(filter.name)' gives slightly different pictures on different processors: "
            + "an export elsewhere may have other bytes", at: place)
      }
    }
    guard isUsable, let problem = problem(FilterTrial(filters: resolved, input: input)) else {
      return resolved
    }
    let name = filters[problem.index].name
    findings.add(
      .capability, .error, .capabilityFilter,
      "the filter '\(name)' cannot be made: "
        + problem.message, at: "\(pointer)/\(problem.index)/\(name.pointerEscaped)")
    return resolved
  }

  private mutating func problem(_ trial: FilterTrial) -> FilterTrial.Problem? {
    if let known = triedFilters[trial] { return known }
    let problem = trial.problem()
    triedFilters[trial] = .some(problem)
    return problem
  }

  /// What libavfilter says about a filter that a clip can have.
  private mutating func usableFilter(
    _ name: String, _ kind: MediaKind, at place: String
  ) -> FilterInfo? {
    var fix: String?
    let complaint: String
    let info = FilterGraph.filterInfo(name: name)
    if let refusal = FilterPolicy.refusal(of: name) {
      complaint = "the filter '\(name)' cannot be used: it \(refusal.reason)"
      fix = refusal.fix
    } else if let info {
      if info.takesAndGivesOne(kind) { return info }
      let (word, key) = kind == .video ? ("picture", "audio") : ("sound", "video")
      if info.takesAndGivesOne(kind == .video ? .audio : .video) {
        complaint = "the filter '\(name)' is none for \(kind == .video ? "pictures" : "sound")"
        fix = "put it into the \"filters\" of \"\(key)\""
      } else {
        complaint = "the filter '\(name)' does not take one \(word) and give one"
      }
    } else {
      complaint = "libavfilter has no filter '\(name)'"
      let known = FilterGraph.filterNames { $0.takesAndGivesOne(kind) }
        .filter { FilterPolicy.refusal(of: $0) == nil }
      fix = Suggestion.nearest(to: name, in: known).map { "did you mean '\($0)'?" }
    }
    findings.add(.capability, .error, .capabilityFilter, complaint, at: place, fix: fix)
    return nil
  }

  /// The options with whole paths; `nil` where one is wrong.
  private mutating func checkOptions(
    _ filter: FilterSetting, _ info: FilterInfo, at place: String
  ) -> [CodecOption]? {
    var options = filter.options
    var isRight = true
    var seen: [Int: String] = [:]
    for index in options.indices {
      let option = options[index]
      let pointer = "\(place)/\(option.name.pointerEscaped)"
      // This one is of every filter that can be switched on and off, and tried with the filter.
      if option.name == "enable", info.hasTimeline { continue }
      guard let known = info.options.first(where: { $0.name == option.name }) else {
        reportUnknownOption(option.name, info, at: pointer)
        isRight = false
        continue
      }
      if let field = known.field, let other = seen.updateValue(option.name, forKey: field) {
        findings.add(
          .capability, .error, .shapeExclusiveKeys,
          "'\(option.name)' and '\(other)' are names of the same option of '\(info.name)'",
          at: pointer)
        isRight = false
      }
      if let complaint = complaint(about: option, known, of: filter.name) {
        findings.add(.capability, .error, .capabilityOption, complaint, at: pointer)
        isRight = false
      } else if FilterPolicy.readOptions(of: filter.name).contains(option.name) {
        guard let path = readableFile(option.value, at: pointer) else {
          isRight = false
          continue
        }
        options[index].value = path
      }
    }
    return isRight ? options : nil
  }

  /// What is wrong with the value of an option.
  private func complaint(
    about option: CodecOption, _ known: FilterInfo.Option, of filter: String
  ) -> String? {
    let subject = "the option '\(option.name)' of the filter '\(filter)'"
    if FilterPolicy.writtenOptions(of: filter).contains(option.name) {
      return subject + " writes a file beside the composition; leave it out"
    }
    if let problem = Self.doubleRateComplaint(option, filter) { return problem }
    guard let reason = FilterGraph.problem(setting: option.name, to: option.value, of: filter)
    else { return nil }
    let value = "\(subject) is \"\(Excerpt.of(option.value))\""
    if known.isFlag { return value + ", but must be true or false" }
    var allowed: [String] = []
    if let bounds = known.bounds { allowed.append(bounds) }
    if !known.constants.isEmpty {
      allowed.append(FilterInfo.listed(known.constants))
    }
    return allowed.isEmpty
      ? "\(value), which it does not take: \(reason)"
      : "\(value), but must be " + allowed.joined(separator: ", or ")
  }

  /// Deinterlacers may give two pictures for each that they take.
  private static func doubleRateComplaint(_ option: CodecOption, _ filter: String) -> String? {
    let doubling = ["1", "3", "send_field", "send_field_nospatial", "field"]
    guard option.name == "mode", ["yadif", "bwdif", "w3fdif", "estdif"].contains(filter),
      doubling.contains(option.value)
    else { return nil }
    return "the mode '\(option.value)' of '\(filter)' gives two pictures for each that it takes; "
      + "use one that gives a picture for each frame"
  }

  private mutating func reportUnknownOption(
    _ name: String, _ info: FilterInfo, at pointer: String
  ) {
    let known = info.options.map(\.name) + (info.hasTimeline ? ["enable"] : [])
    let fix: String? =
      if let nearest = Suggestion.nearest(to: name, in: known) {
        "did you mean '\(nearest)'?"
      } else {
        known.isEmpty ? nil : "it has " + FilterInfo.listed(known)
      }
    findings.add(
      .capability, .error, .capabilityOption,
      known.isEmpty
        ? "the filter '\(info.name)' has no options"
        : "the filter '\(info.name)' has no option '\(name)'", at: pointer, fix: fix)
  }

  /// The whole path of a file that a filter reads.
  private mutating func readableFile(_ text: String, at pointer: String) -> String? {
    guard let path = Self.filePath(of: text, in: baseDirectory) else {
      findings.add(
        .media, .error, .unsupported, "'\(text)' is a URL, which is not read yet", at: pointer)
      return nil
    }
    let manager = FileManager.default
    guard manager.fileExists(atPath: path) else {
      findings.add(.media, .error, .mediaMissing, "there is no file '\(path)'", at: pointer)
      return nil
    }
    // A pipe would be waited for, for ever.
    let isFile = FileStatus(path: path)?.kind == .regular
    guard isFile, manager.isReadableFile(atPath: path) else {
      findings.add(
        .media, .error, .mediaUnreadable,
        "'\(path)' " + (isFile ? "may not be read" : "is no file but a folder or a device"),
        at: pointer)
      return nil
    }
    return path
  }
}

extension FilterInfo.Option {
  /// The numbers that it takes, for a sentence; `nil` where there are no bounds.
  fileprivate var bounds: String? {
    guard isNumber, minimum < maximum else { return nil }
    func text(_ bound: Double) -> String? {
      abs(bound) < 2e9 ? JSONValue.decimal(bound).encoded() : nil
    }
    return switch (text(minimum), text(maximum)) {
    case (let least?, let most?): "\(least) to \(most)"
    case (let least?, nil): "at least \(least)"
    case (nil, let most?): "at most \(most)"
    case (nil, nil): "a number"
    }
  }
}

extension FilterInfo {
  fileprivate func takesAndGivesOne(_ kind: MediaKind) -> Bool {
    inputs == [kind] && outputs == [kind] && !hasDynamicInputs && !hasDynamicOutputs
  }

  /// The first of `words` for a sentence, and how many are left.
  fileprivate static func listed(_ words: [String]) -> String {
    let limit = 16
    let shown = words.prefix(limit).map { "'\($0)'" }.joined(separator: ", ")
    return words.count > limit ? "\(shown) and \(words.count - limit) more" : shown
  }
}
