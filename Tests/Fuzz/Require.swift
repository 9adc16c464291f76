/// Ends a fuzzer with a sentence; `precondition` says none where code is optimised.
func require(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { fatalError(what()) }
}

/// A file with changes: each three bytes put a value at a position.
func damaged(_ file: [UInt8], _ input: ArraySlice<UInt8>) -> [UInt8] {
  var file = file
  var rest = input
  while rest.count >= 3 {
    let change = Array(rest.prefix(3))
    file[(Int(change[0]) << 8 | Int(change[1])) % file.count] = change[2]
    rest = rest.dropFirst(3)
  }
  return file
}
