import Cutroom

/// A command: its flags, and one call into the engine.
protocol Command: SendableMetatype {
  /// Its name on the command line; `golden record` has two words.
  static var name: String { get }
  /// What it does, on one line.
  static var summary: String { get }
  /// Its operands and required options, as the help shows them.
  static var usage: String { get }
  /// Its own options.
  static var options: [Option] { get }
  /// More about it, for its help.
  static var details: String { get }

  /// Checks the command line.
  init(_ arguments: ParsedArguments) throws(UsageError)

  /// Does the work.
  func run(in session: Session) throws(CutroomError) -> Outcome
}

extension Command {
  static var details: String { "" }
  static var allOptions: [Option] { options + Option.common }
}

/// The commands there are.
enum CommandList {
  /// In the order of the help.
  static let all: [any Command.Type] = [
    CheckCommand.self, ResolveCommand.self, PlanCommand.self, ExportCommand.self,
    TrimCommand.self, JoinCommand.self, CompareCommand.self, GoldenRecordCommand.self,
    GoldenCheckCommand.self, ProbeCommand.self, TagCommand.self, FrameCommand.self,
    ShowCommand.self, WaveformCommand.self, FormatCommand.self, DiffCommand.self,
    SchemaCommand.self, PresetsCommand.self,
  ]

  /// The first words of all names.
  static var firstWords: [String] {
    var words: [String] = []
    for word in all.map({ String($0.name.prefix { $0 != " " }) }) where !words.contains(word) {
      words.append(word)
    }
    return words
  }

  /// Whether a command is named at all.
  static func isNamed(in arguments: [String]) -> Bool { nextWord(in: arguments, from: 0) != nil }

  /// The commands of `golden`, where no second word says which one is meant.
  static func group(in arguments: [String]) -> [any Command.Type]? {
    guard let index = nextWord(in: arguments, from: 0),
      nextWord(in: arguments, from: index + 1) == nil
    else { return nil }
    let group = all.filter { $0.name.hasPrefix(arguments[index] + " ") }
    return group.isEmpty ? nil : group
  }

  /// Finds the command in `arguments`, and what follows its name.
  ///
  /// Options may stand before the name: the first words that are no options are the name.
  static func find(
    in arguments: [String]
  ) throws(UsageError) -> (command: any Command.Type, rest: [String]) {
    guard let index = nextWord(in: arguments, from: 0) else {
      throw .missingCommand(firstWords)
    }
    var rest = arguments
    let word = rest.remove(at: index)
    if let command = all.first(where: { $0.name == word }) { return (command, rest) }
    let group = all.filter { $0.name.hasPrefix(word + " ") }
    guard !group.isEmpty else {
      throw .unknownCommand(word, of: firstWords)
    }
    let seconds = group.map { String($0.name.dropFirst(word.count + 1)) }
    guard let next = nextWord(in: rest, from: index) else {
      throw .missingCommand(seconds.map { "\(word) \($0)" })
    }
    let second = rest.remove(at: next)
    guard let command = group.first(where: { $0.name == "\(word) \(second)" }) else {
      throw .unknownCommand("\(word) \(second)", of: seconds.map { "\(word) \($0)" })
    }
    return (command, rest)
  }

  /// The place of the first word that is neither an option nor the value of one.
  private static func nextWord(in arguments: [String], from start: Int) -> Int? {
    var index = start
    while index < arguments.count, arguments[index] != "--" {
      if !arguments[index].hasPrefix("-") { return index }
      index += takesNextArgument(arguments[index]) ? 2 : 1
    }
    return nil
  }

  private static func takesNextArgument(_ argument: String) -> Bool {
    all.flatMap { $0.options }.contains { option in
      option.takesValue
        && (argument == "--\(option.name)" || argument == option.short.map { "-\($0)" })
    }
  }
}
