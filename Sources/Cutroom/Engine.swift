/// The engine: checks, plans and exports compositions, and examines media.
public enum Engine {}
