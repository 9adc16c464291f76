import CutroomModel

/// How the pictures of both sides of a transition become one.
enum TransitionEffect: Hashable {
  /// A cross-fade.
  case blend
  /// A cross-fade to a colour, then one from it: the colour alone in the middle.
  case dip(Color)
  /// libavfilter's `xfade` with the transition of that name.
  case xfade(String)

  /// The effect of a transition of the format.
  init(_ name: String) {
    switch name {
    case "dissolve", "fade": self = .blend
    case "fadeBlack": self = .dip(.black)
    case "fadeWhite": self = .dip(.white)
    default: self = .xfade(TransitionName.xfade(name))
    }
  }
}
