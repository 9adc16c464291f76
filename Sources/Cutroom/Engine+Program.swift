import CutroomMedia

extension Engine {
  /// For a program that does nothing else: memory of pictures goes back to the system at once.
  ///
  /// It changes the allocator of the whole process; call it first, before other threads are there.
  public static func prepareProgram() { ProcessMemory.returnsLargeBlocks() }
}
