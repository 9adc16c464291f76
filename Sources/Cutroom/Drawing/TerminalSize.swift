import CutroomMedia

/// The size of the terminal that standard output may be.
public enum TerminalSize {
  /// How many letters a line has; `nil` where standard output is no terminal.
  public static var columns: Int? { Terminal.columns }
}
