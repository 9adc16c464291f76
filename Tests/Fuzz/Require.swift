/// Ends a fuzzer with a sentence; `precondition` says none where code is optimised.
func require(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { fatalError(what()) }
}
