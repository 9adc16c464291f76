import CutroomModel

/// What is known about how libavfilter's filters of pictures work.
enum FilterTraits {
  /// Whether each picture that comes out depends on the one that went in, and on its time, alone.
  ///
  /// A filter that is not known counts as one that remembers.
  static func isPure(_ filters: [FilterSetting]) -> Bool {
    filters.allSatisfy { filter in
      (pure.contains(filter.name) || isUndithered(filter))
        && !filter.options.contains { option in
          remembering.contains { words(option.value).contains($0) }
            || option.name == "eval" && option.value == "init"
              && filter.options.contains { words($0.value).contains("t") }
        }
    }
  }

  /// A vignette draws lots to hide its steps, unless told not to.
  private static func isUndithered(_ filter: FilterSetting) -> Bool {
    filter.name == "vignette"
      && filter.options.contains { $0.name == "dither" && ["0", "false"].contains($0.value) }
  }

  /// The options of a filter, with a seed where it would draw lots anew each time.
  static func options(of filter: FilterSetting) -> [(String, String)] {
    let given = filter.options.map { ($0.name, $0.value) }
    let isSeeded = given.contains { $0.0 == "seed" || $0.0 == "s" && filter.name == "elbg" }
    return drawingLots.contains(filter.name) && !isSeeded ? given + [("seed", "0")] : given
  }

  private static let drawingLots: Set = ["elbg", "shufflepixels"]

  /// Whether the time of a picture may matter.
  static func usesTime(_ filters: [FilterSetting]) -> Bool {
    filters.contains { filter in
      filter.options.contains { words($0.value).contains { $0 == "t" || $0 == "T" } }
    }
  }

  /// Whether results are known to depend on the processor.
  static func dependsOnProcessor(_ name: String) -> Bool { name == "gblur" || name == "zoompan" }

  /// Whether the filter changes each pixel by its own colour, and none by the place it is at.
  static func changesColorsOnly(_ name: String) -> Bool { coloring.contains(name) }

  /// The names in an expression.
  private static func words(_ text: String) -> [Substring] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// Names of expressions whose values depend on the pictures before: their number, and what was
  /// stored or drawn by lot.
  private static let remembering: Set<Substring> = ["n", "N", "st", "ld", "random", "pos"]

  private static let coloring: Set = [
    "eq", "hue", "lut", "lutrgb", "lutyuv", "negate", "colorbalance", "colorchannelmixer",
    "colorcorrect", "colorize", "colorcontrast", "colorlevels", "colortemperature", "curves",
    "exposure", "huesaturation", "limiter", "lut1d", "lut3d", "monochrome", "pseudocolor",
    "selectivecolor", "vibrance", "grayworld", "tonemap",
  ]

  private static let keying: Set = [
    "chromahold", "chromakey", "colorhold", "colorkey", "despill", "hsvhold", "hsvkey", "lumakey",

  ]

  private static let shaping: Set = [
    "crop", "hflip", "vflip", "transpose", "rotate", "pad", "scale", "zscale", "shear",
    "lenscorrection", "perspective", "v360", "swaprect", "scroll", "fillborders", "stereo3d",
    "hqx", "xbr", "super2xsai", "epx", "pixelize", "il", "drawbox", "drawgrid",
    "delogo", "removelogo", "floodfill", "field", "phase",
  ]

  private static let neighbouring: Set = [
    "avgblur", "bilateral", "boxblur", "cas", "convolution", "dblur", "dctdnoiz", "deband",
    "deblock", "deflate", "dilation", "edgedetect", "erosion", "fftfilt", "gblur",
    "gradfun", "inflate", "kirsch", "maskfun", "median", "nlmeans", "owdenoise", "prewitt",
    "removegrain", "roberts", "sab", "scharr", "smartblur", "sobel", "unsharp", "vaguedenoiser",
    "yaepblur", "chromanr", "chromashift", "rgbashift", "fspp", "pp", "pp7", "spp", "greyedge",
  ]

  private static let describing: Set = [
    "format", "noformat", "null", "copy", "setsar", "setdar", "setparams", "setrange", "setfield",
    "colormatrix", "colorspace", "shuffleplanes", "swapuv", "geq", "histogram", "waveform",
    "vectorscope", "ciescope", "datascope", "showinfo", "showpalette",
    "signalstats", "entropy", "bbox", "blockdetect", "blurdetect", "bitplanenoise", "perms",
  ]

  /// The filters without memory.
  static let pure = coloring.union(keying).union(shaping).union(neighbouring)
    .union(describing)
}
