extension FilterGraph {
  /// The picture that pictures give, one for each input in order, each taken for the time `pts`.
  ///
  /// For graphs that give a picture for every set of pictures, at once. The pictures themselves stay
  /// as they are. `action` says in errors what was being done.
  package func picture(
    of inputs: [Frame], at pts: Int64, action: String
  ) throws(LibAVError) -> Frame {
    for (index, frame) in inputs.enumerated() {
      let input = try frame.reference()
      input.pts = pts
      try push(input, input: index)
    }
    guard case .value(let output) = try pull() else {
      throw LibAVError(code: 0, action: action, reason: "no picture came out")
    }
    return output
  }
}
