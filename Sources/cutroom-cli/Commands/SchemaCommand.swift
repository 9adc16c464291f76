import Cutroom

/// The command `cutroom schema`.
struct SchemaCommand: Command {
  static let name = "schema"
  static let summary = "print the JSON Schema of the composition file"
  static let usage = ""
  static let options: [Option] = []
  static let details = """
    The schema, by the draft 2020-12, describes compositions in strict JSON. Editors use it to
    complete and to check while typing; 'cutroom check' finds more.
    """

  init(_ arguments: ParsedArguments) throws(UsageError) {
    _ = try arguments.operands(exactly: [])
  }

  func run(in session: Session) -> Outcome {
    let schema = CompositionSchema.json
    return Outcome(.done, json: schema, text: schema.encoded(pretty: true))
  }
}
