import Cutroom

/// Splits a command's arguments into options and operands by its declared options.
///
/// Options may stand anywhere and `--` ends them. A value follows its option as the next argument,
/// after `=`, or directly after the letter. An argument that is itself an option of the command is
/// never taken for a value, so that a forgotten value is noticed.
struct ArgumentParser {
  /// The options of the command.
  let options: [Option]

  /// Reads `arguments`, which do not include the command's name.
  func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
    var result = ParsedArguments()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        result.operands += rest
        break
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        result.operands.append(argument)
        continue
      }
      let occurrence = try self.occurrence(of: argument, rest: &rest)
      if !occurrence.option.isRepeatable, occurrence.option.takesValue,
        result.has(occurrence.option)
      {
        throw .repeated(occurrence.spelling)
      }
      result.occurrences.append(occurrence)
    }
    return result
  }

  private func occurrence(
    of argument: String, rest: inout ArraySlice<String>
  ) throws(UsageError) -> ParsedArguments.Occurrence {
    var (spelling, attached) = split(argument)
    guard let option = self.option(spelledAs: spelling) else {
      throw .unknownOption(spelling, of: options)
    }
    guard let placeholder = option.value else {
      if let attached { throw .unexpectedValue(spelling, attached) }
      return .init(option: option, spelling: spelling, value: "")
    }
    if attached == nil, let next = rest.first, next != "--",
      self.option(spelledAs: split(next).spelling) == nil
    {
      attached = rest.removeFirst()
    }
    guard let value = attached else { throw .missingValue(spelling, placeholder) }
    if !option.choices.isEmpty && !option.choices.contains(value) {
      throw .invalidValue(
        spelling, value, expected: option.choices.joined(separator: ", "),
        fix: Suggestion.nearest(to: value, in: option.choices).map { "did you mean '\($0)'?" })
    }
    return .init(option: option, spelling: spelling, value: value)
  }

  /// The option's spelling and what is attached to it: `--opt=value`, `-oVALUE`, `-o=VALUE`.
  private func split(_ argument: String) -> (spelling: String, attached: String?) {
    if argument.hasPrefix("--") {
      guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
      return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }
    let spelling = String(argument.prefix(2))
    guard argument.count > 2, self.option(spelledAs: spelling)?.takesValue == true else {
      return (argument, nil)
    }
    let attached = argument.dropFirst(2)
    return (spelling, String(attached.hasPrefix("=") ? attached.dropFirst() : attached))
  }

  private func option(spelledAs spelling: String) -> Option? {
    if spelling.hasPrefix("--") { return options.first { $0.name == spelling.dropFirst(2) } }
    guard spelling.count == 2, spelling.hasPrefix("-") else { return nil }
    return options.first { $0.short == spelling.last }
  }
}

/// What stood on a command line.
struct ParsedArguments {
  /// An option as it was given.
  struct Occurrence {
    var option: Option
    /// As the user wrote it: `-o` or `--output`.
    var spelling: String
    /// Its value; empty for an option without one.
    var value: String
  }

  /// The options in the order in which they were given.
  var occurrences: [Occurrence] = []
  /// Everything else, in order.
  var operands: [String] = []

  /// Whether the option was given.
  func has(_ option: Option) -> Bool { occurrences.contains { $0.option == option } }

  /// The value of an option that may be given once.
  func value(of option: Option) -> String? { occurrences.last { $0.option == option }?.value }

  /// The values of an option that may be repeated, in order.
  func values(of option: Option) -> [String] {
    occurrences.filter { $0.option == option }.map(\.value)
  }

  /// The value of an option that must be given.
  func required(_ option: Option) throws(UsageError) -> String {
    guard let value = value(of: option) else {
      let spelling = option.short.map { "-\($0)" } ?? "--\(option.name)"
      throw .missingOption(spelling, option.value ?? "")
    }
    if value.isEmpty { throw .invalidValue("--\(option.name)", value, expected: "a path") }
    return value
  }

  /// A whole number of at least 1.
  func count(of option: Option) throws(UsageError) -> Int? {
    guard let text = value(of: option) else { return nil }
    guard let number = Int(text), number >= 1 else {
      throw .invalidValue("--\(option.name)", text, expected: "a whole number of at least 1")
    }
    return number
  }
}
