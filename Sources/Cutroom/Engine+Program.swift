import CutroomMedia

extension Engine {
  /// For a program that does nothing else: memory of pictures goes back to the system at once.
  ///
  /// It changes the allocator of the whole process; call it first, before other threads are there.
  ///
  /// With `usesPlainCode`, libav runs without vector instructions: slow, for finding out whether a
  /// result depends on the processor.
  public static func prepareProgram(usesPlainCode: Bool = false) {
    ProcessMemory.returnsLargeBlocks()
    if usesPlainCode { ProcessorFeatures.usePlainCode() }
  }
}
