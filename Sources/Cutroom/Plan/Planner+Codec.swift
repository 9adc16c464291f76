import CutroomMedia
import CutroomModel

/// What choosing a codec of one kind needs to know.
struct CodecChoice {
  /// `video codec` or `audio codec`.
  var kind: String
  /// The JSON pointer of the stream's settings.
  var pointer: String
  /// The codecs that can be written.
  var known: [Codec]
  /// The container's codecs of the kind.
  var held: [String]
  /// Which of a container's codecs are of the kind.
  var codecs: @Sendable (Container) -> [String]

  /// The choice for the picture.
  static func video(_ container: Container) -> CodecChoice {
    CodecChoice(
      kind: "video codec", pointer: "/export/video", known: Codec.video,
      held: container.videoCodecs, codecs: { $0.videoCodecs })
  }

  /// The choice for the sound.
  static func audio(_ container: Container) -> CodecChoice {
    CodecChoice(
      kind: "audio codec", pointer: "/export/audio", known: Codec.audio,
      held: container.audioCodecs, codecs: { $0.audioCodecs })
  }
}

extension Planner {
  /// The codec called `name`, made by `encoder` where one is named; `nil` after a finding.
  mutating func codec(
    _ name: String, encoder: String?, _ choice: CodecChoice, in container: Container
  ) -> Codec? {
    guard var codec = Codec.named(name), choice.known.contains(codec) else {
      error(
        .capabilityEncoder,
        "the \(choice.kind) '\(name)' is not known; known are "
          + choice.known.map(\.name).joined(separator: ", "), at: choice.pointer + "/codec")
      return nil
    }
    guard choice.held.contains(codec.name) else {
      let other = Container.all.first { choice.codecs($0).contains(codec.name) }
      error(
        .capabilityCodecContainer,
        "'\(container.name)' cannot hold the \(choice.kind) '\(codec.name)'; it holds "
          + choice.held.joined(separator: ", "), at: choice.pointer + "/codec",
        fix: other.map { "export to \($0.name), or use \(choice.held[0])" })
      return nil
    }
    guard let encoder else { return isRateTaken(codec, choice) ? codec : nil }
    guard let info = Encoder.info(encoder: encoder), info.isAvailable,
      info.codecName == codec.name
    else {
      error(
        .capabilityEncoder, "'\(encoder)' is no encoder for \(codec.name) here",
        at: choice.pointer + "/encoder", fix: "use '\(codec.encoder)'")
      return nil
    }
    codec.encoder = encoder
    return isRateTaken(codec, choice) ? codec : nil
  }

  private mutating func isRateTaken(_ codec: Codec, _ choice: CodecChoice) -> Bool {
    choice.pointer == "/export/audio" || takesRate(codec)
  }

  /// The mode, where it rules out copying a stream whose codec the author calls `wanted`.
  func modeObstacle(_ wanted: String?) -> CopyObstacle? {
    if settings.damaged == .conceal {
      return CopyObstacle(
        .passthroughSettings, "damage.concealed",
        "damage is to be concealed, which takes decoding", at: "/export/damaged")
    }
    guard settings.mode == .render, wanted != "copy" else { return nil }
    return CopyObstacle(
      .passthroughSettings, "mode.render", "the mode is render", at: "/export/mode")
  }

  /// What the codec, the bit rate, the container and other pieces have against copying.
  func codingObstacles(
    _ pieces: [CopyPiece], codec: String?, bitrate: Int?, _ choice: CodecChoice,
    _ container: Container
  ) -> [CopyObstacle] {
    var obstacles: [CopyObstacle] = []
    let first = pieces[0]
    if let codec, codec != "copy", codec != first.track.codec {
      obstacles.append(
        CopyObstacle(
          .passthroughSettings, "codec.differs",
          "the \(choice.kind) is to be \(codec), the source is \(first.track.codec)",
          at: choice.pointer + "/codec"))
    }
    if let bitrate {
      obstacles.append(
        CopyObstacle(
          .passthroughSettings, "bitrate",
          "the bit rate is to be \(bitrate) bits per second", at: choice.pointer + "/bitrate"))
    }
    if !choice.held.contains(first.track.codec) {
      let other = Container.all.first { choice.codecs($0).contains(first.track.codec) }
      obstacles.append(
        CopyObstacle(
          .capabilityCodecContainer, "codec.container",
          "'\(container.name)' cannot hold the codec '\(first.track.codec)'", at: first.pointer,
          fix: other.map { "export to \($0.name)" }))
    }
    obstacles += likenessObstacles(pieces)
    for piece in pieces.dropFirst() where piece.track.signature != first.track.signature {
      obstacles.append(
        CopyObstacle(
          .passthroughParameters, "signature.differs",
          "'\(piece.path)' is coded differently from '\(first.path)': "
            + Signature.differences(first.track.signature, piece.track.signature),
          at: piece.pointer))
    }
    return obstacles
  }
}
