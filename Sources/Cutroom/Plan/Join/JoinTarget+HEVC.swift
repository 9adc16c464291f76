import CutroomMedia
import CutroomModel

extension JoinTarget {
  /// x265 numbers all its sets 0: they get other numbers, also where pictures name them.
  static func joiningHEVC(_ request: JoinRequest) -> Result<JoinTarget, JoinFailure> {
    guard let stream = request.track.stream, let sets = HEVCParameterSets(stream.extradata),
      let parameters = sets.parameters, let numbers = HEVCNumbers(besides: sets)
    else { return .failure("join.parameters") }
    guard !parameters.mayBeInterlaced || stream.fieldOrder == "progressive" else {
      return .failure("join.interlaced")
    }
    if let size = sets.lengthSize, size < 3 { return .failure("join.length") }
    guard let profile = profile(parameters),
      var encoding = request.encoding(options(request, parameters, profile))
    else { return .failure("join.parameters") }
    encoding.light = stream.light
    return opened(encoding).flatMap { encoder in
      let own = encoder.parameters.extradata
      let units = NALUnits.separatedByStartCodes(own).compactMap { numbers.renumbered($0) }
      guard let joined = NALUnits.joined(units, lengthSize: nil),
        let added = HEVCParameterSets(joined), let depth = added.parameters?.reorderDepth,
        added.parameters?.profile == parameters.profile,
        let settings = sets.settings(adding: added)
      else { return .failure("join.parameters") }
      let form = PacketForm.renumberedUnits(
        lengthSize: sets.lengthSize, sets: added.sets, numbers: numbers)
      return .success(
        JoinTarget(
          encoding: encoding,
          join: VideoJoin(settings: settings, encoderSettings: own, form: form),
          reorderDepth: depth))
    }
  }

  /// The encoder's name of the source's profile, which nothing rendered may go beyond.
  private static func profile(_ parameters: HEVCSequenceParameters) -> String? {
    switch (parameters.profile, parameters.chromaFormat, parameters.bitDepth) {
    case (1, 1, 8): "main"
    case (2, 1, 10): "main10"
    case (4, 1, 12): "main12"
    case (4, 2, 8...10): "main422-10"
    case (4, 3, 8): "main444-8"
    case (4, 3, 10): "main444-10"
    default: nil
    }
  }

  private static func options(
    _ request: JoinRequest, _ parameters: HEVCSequenceParameters, _ profile: String
  ) -> [CodecOption] {
    var list = [
      "log-level=error", "info=0", "pools=none", "frame-threads=1", "wpp=0", "open-gop=0",
      "rc-lookahead=4", "ref=1", "b-adapt=0", "high-tier=\(parameters.isHighTier ? 1 : 0)",
      // What counts is likeness to what is copied, not looks.
      "aq-mode=0", "cutree=0", "psy-rd=0", "psy-rdoq=0",
    ]
    switch parameters.reorderDepth {
    case 0: list.append("bframes=0")
    case 1: list += ["bframes=1", "b-pyramid=0"]
    default: list += ["bframes=3", "b-pyramid=1"]
    }
    list += request.bounds
    return [
      CodecOption(name: "x265-params", value: list.joined(separator: ":")),
      CodecOption(name: "profile", value: profile),
    ] + request.quality(14, preset: "veryfast")
  }
}
