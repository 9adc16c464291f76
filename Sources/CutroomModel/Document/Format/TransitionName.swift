/// The names that transitions have.
package enum TransitionName {
  /// The names of the format, which are libavfilter's for `xfade` with capitals.
  ///
  /// `dissolve` is what `xfade` calls `fade`: a cross-fade. The dissolve by random pixels, which
  /// `xfade` calls `dissolve`, has no name.
  package static let all = [
    "dissolve", "fade", "fadeBlack", "fadeWhite", "fadeGrays", "fadeFast", "fadeSlow",
    "wipeLeft", "wipeRight", "wipeUp", "wipeDown", "wipeTL", "wipeTR", "wipeBL", "wipeBR",
    "slideLeft", "slideRight", "slideUp", "slideDown", "smoothLeft", "smoothRight", "smoothUp",
    "smoothDown", "circleCrop", "rectCrop", "circleOpen", "circleClose", "vertOpen", "vertClose",
    "horzOpen", "horzClose", "distance", "radial", "pixelize", "diagTL", "diagTR", "diagBL",
    "diagBR", "hlSlice", "hrSlice", "vuSlice", "vdSlice", "hBlur", "squeezeH", "squeezeV", "zoomIn",
  ]

  /// The same without capitals, as `xfade` has them; they are read too.
  static let spelledByXfade = all.map { $0.lowercased() }.filter { !all.contains($0) }

  /// The name of the format for one that was read, whichever way it was spelt.
  static func canonical(_ name: String) -> String {
    all.first { $0 == name } ?? all.first { $0.lowercased() == name } ?? name
  }

  /// libavfilter's name for a transition of the format.
  package static func xfade(_ name: String) -> String {
    name == "dissolve" ? "fade" : name.lowercased()
  }
}
