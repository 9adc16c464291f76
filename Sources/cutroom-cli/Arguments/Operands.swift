import Foundation

/// Checks of how many operands were given.
extension ParsedArguments {
  /// The only operand.
  func operand(_ placeholder: String) throws(UsageError) -> String {
    try operands(exactly: [placeholder])[0]
  }

  /// As many operands as there are placeholders.
  func operands(exactly placeholders: [String]) throws(UsageError) -> [String] {
    if operands.count < placeholders.count {
      throw .missingArgument(placeholders[operands.count])
    }
    if operands.count > placeholders.count {
      throw .unexpectedArgument(operands[placeholders.count])
    }
    return try checked(operands)
  }

  /// At least `count` operands.
  func operands(atLeast count: Int, _ placeholder: String) throws(UsageError) -> [String] {
    if operands.count < count { throw .missingArgument(placeholder) }
    return try checked(operands)
  }

  private func checked(_ operands: [String]) throws(UsageError) -> [String] {
    if operands.contains("") {
      throw UsageError(code: "usage.empty-argument", message: "an argument is empty")
    }
    return operands
  }
}

extension ParsedArguments {
  /// The folder that an option names; `nil` without the option.
  func folder(of option: Option) throws(UsageError) -> String? {
    guard let path = value(of: option) else { return nil }
    do {
      let values = try URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey])
      if values.isDirectory ?? false { return path }
    } catch {
      // What cannot be looked at is no folder either.
    }
    throw .invalidValue("--\(option.name)", path, expected: "a folder that is there")
  }
}
