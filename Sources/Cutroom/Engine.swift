/// The operations of Cutroom: check, plan, export, probe, compare.
///
/// Each takes values and returns values; nothing is shared between calls.
public enum Engine {}
