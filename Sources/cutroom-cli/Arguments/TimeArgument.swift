import Cutroom

extension ParsedArguments {
  /// The times that a repeatable option gives, in order.
  func times(of option: Option) throws(UsageError) -> [TimeExpression] {
    var times: [TimeExpression] = []
    for text in values(of: option) { times.append(try Self.time(text, "--\(option.name)")) }
    return times
  }

  /// A time in one of the forms of composition files.
  static func time(_ text: String, _ spelling: String) throws(UsageError) -> TimeExpression {
    do {
      return try TimeText.parse(text)
    } catch {
      throw UsageError(code: "usage.invalid-value", message: "'\(spelling)': \(error.message)")
    }
  }
}
