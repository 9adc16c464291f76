/// The texts of `--help`.
enum Help {
  /// The version of the program.
  static let version = "0.1.0"

  /// The help of the program.
  static func program(_ commands: [any Command.Type]) -> String {
    let rows = commands.map { ("\($0.name) \($0.usage)", $0.summary) }
    return """
      cutroom \(version): compose, export and compare media, exactly.

      usage: cutroom COMMAND [ARGUMENTS] [OPTIONS]

      commands:
      \(table(rows))

      options of every command:
      \(table(Option.common.map(row)))

      'cutroom COMMAND --help' explains a command, 'cutroom --version' prints the version.
      Options may stand anywhere; '--' ends them. Results go to standard output, messages and
      progress to standard error.

      exit status:
        0    done
        1    failed while working: reading, decoding, encoding, writing
        2    the command line or the composition is invalid
        3    the comparison differs
        130  interrupted
      """
  }

  /// The help of a command.
  static func command(_ command: any Command.Type) -> String {
    var parts = [
      "usage: cutroom \(command.name)\(command.usage.isEmpty ? "" : " ")\(command.usage) [OPTIONS]",
      command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".",
    ]
    if !command.details.isEmpty { parts.append(command.details) }
    parts.append("options:\n" + table(command.allOptions.filter { !$0.isHidden }.map(row)))
    return parts.joined(separator: "\n\n")
  }

  private static func row(_ option: Option) -> (String, String) {
    let short = option.short.map { "-\($0), " } ?? "    "
    let value = option.value.map { " \($0)" } ?? ""
    let again = option.isRepeatable ? " (repeatable)" : ""
    return ("\(short)--\(option.name)\(value)", option.help + again)
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = min(34, rows.map(\.0.count).max() ?? 0)
    return rows.map { left, right in
      if left.count > width {
        return "  \(left)\n  \(String(repeating: " ", count: width))  \(right)"
      }
      return "  \(left)\(String(repeating: " ", count: width - left.count))  \(right)"
    }.joined(separator: "\n")
  }
}
