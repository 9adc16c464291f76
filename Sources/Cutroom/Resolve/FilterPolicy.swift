import CutroomModel

/// What a filter of libavfilter may do in a clip or a generator.
///
/// A composition names all that it reads, and each of its pictures has one place in time: what
/// reads or writes beside it, needs a device, or gives other pictures than it takes is refused.
enum FilterPolicy {
  /// Why a filter is refused, as the end of a sentence that begins with its name.
  static func refusal(of name: String) -> (reason: String, fix: String?)? {
    if let fix = outside[name] {
      return ("reads or writes beside the composition", fix.isEmpty ? nil : fix)
    }
    if let fix = retiming[name] {
      return ("changes which pictures there are, or when", fix.isEmpty ? nil : fix)
    }
    if let fix = resounding[name] {
      return ("changes how long the sound lasts, or when", fix.isEmpty ? nil : fix)
    }
    if deviceEndings.contains(where: name.hasSuffix) || name.hasPrefix("hw") || name == "libplacebo"
    {
      return ("needs a device of this computer", nil)
    }
    return nil
  }

  /// The options of a filter that name files which it reads.
  static func readOptions(of filter: String) -> Set<String> { reading[filter] ?? [] }

  /// The options of a filter that name files which it writes.
  static func writtenOptions(of filter: String) -> Set<String> { writing[filter] ?? [] }

  /// Why a filter is refused in a generator, whose text is not taken apart: it can name no file.
  static func refusalInGenerator(
    of name: String, options: [(name: String?, value: String)]
  ) -> String? {
    if let refused = refusal(of: name), retiming[name] == nil, resounding[name] == nil {
      return refused.reason
    }
    let files = readOptions(of: name).union(writtenOptions(of: name))
    let isNamed = options.contains { $0.name.map(files.contains) ?? !files.isEmpty }
    return isNamed ? "reads or writes beside the composition" : nil
  }

  /// Filters that read files, plug-ins, sockets or devices, or write them; and what helps.
  private static let outside: [String: String] = [
    "movie": "declare the file in \"sources\"", "amovie": "declare the file in \"sources\"",
    "subtitles": "put a clip of the file on a video track above",
    "ass": "put a clip of the file on a video track above",
    "drawtext": "use a source with \"text\" on a track above", "buffer": "", "abuffer": "",
    "sendcmd": "use keyframes", "asendcmd": "use keyframes", "zmq": "", "azmq": "",
    "metadata": "", "ametadata": "", "asr": "", "flite": "", "frei0r": "", "frei0r_src": "",
    "ladspa": "", "lv2": "", "openclsrc": "", "signature": "", "dnn_processing": "",
    "dnn_detect": "", "dnn_classify": "", "derain": "", "sr": "", "libvmaf": "",
    "vidstabdetect": "", "vidstabtransform": "use \"deshake\"", "psnr": "", "ssim": "", "ocr": "",
    "xpsnr": "", "buffersink": "", "abuffersink": "", "nullsink": "", "anullsink": "",
  ]

  /// Filters for which a picture does not come out when it went in, or not once.
  private static let retiming: [String: String] = {
    let speed = "use the clip's \"speed\", \"in\" and \"out\""
    let rate = "the timeline's \"frameRate\" decides which pictures are shown"
    let whole = "use \"deinterlace\""
    return [
      "setpts": speed, "settb": rate, "trim": speed, "fps": rate, "framerate": rate,
      "framestep": rate, "minterpolate": rate, "decimate": rate, "mpdecimate": rate,
      "dejudder": rate, "reverse": "use the clip's \"reverse\"", "loop": "use \"fill\": \"loop\"",
      "tpad": "use \"freeze\", or \"fill\": \"freeze\"", "freezeframes": "use \"freeze\"",
      "zoompan": "use keyframes of \"scale\" and \"position\"", "select": "", "random": "",
      "shuffleframes": "", "thumbnail": "", "tile": "", "untile": "", "palettegen": "",
      "detelecine": whole, "pullup": whole, "repeatfields": whole, "weave": whole,
      "doubleweave": whole, "separatefields": whole, "fieldhint": whole, "telecine": "",
      "tinterlace": "", "cue": "", "realtime": "", "graphmonitor": "", "latency": "",
    ]
  }()

  /// The same for sound.
  private static let resounding: [String: String] = [
    "atempo": "use the clip's \"speed\" with \"pitch\": \"keep\"",
    "asetrate": "use the clip's \"speed\" with \"pitch\": \"shift\"",
    "rubberband": "use the clip's \"speed\" and \"pitch\"", "asetpts": "use the clip's \"at\"",
    "aresample": "set the timeline's \"sampleRate\"", "asettb": "",
    "atrim": "use the clip's \"in\" and \"out\"",
    "areverse": "use the clip's \"reverse\"", "aloop": "use \"fill\": \"loop\"", "apad": "",
    "silenceremove": "", "aselect": "", "acue": "", "arealtime": "", "agraphmonitor": "",
    "alatency": "",
  ]

  private static let deviceEndings = ["_vaapi", "_qsv", "_cuda", "_vulkan", "_opencl", "_npp"]

  private static let reading: [String: Set<String>] = [
    "lut1d": ["file"], "lut3d": ["file"], "curves": ["psfile"], "selectivecolor": ["psfile"],
    "arnndn": ["model", "m"], "removelogo": ["filename", "f"], "cover_rect": ["cover"],
    "find_rect": ["object"], "nnedi": ["weights"], "sofalizer": ["sofa"],
    "life": ["filename", "f"], "cellauto": ["filename", "f"],
  ]

  private static let writing: [String: Set<String>] = [
    "curves": ["plot"], "deshake": ["filename"], "firequalizer": ["dumpfile"],
    "vmafmotion": ["stats_file"],
  ]
}
