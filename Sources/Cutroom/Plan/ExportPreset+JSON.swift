public import CutroomModel

extension ExportPreset {
  /// The preset as `cutroom presets --json` prints it, with the keys of the format.
  public var jsonValue: JSONValue {
    var settings = ExportSettings()
    settings.video = video.map { .settings($0) } ?? .none
    settings.audio = audio.map { .settings($0) } ?? .none
    settings.mode = mode
    settings.container = container
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("summary", .string(summary)),
      .init("export", CompositionWriter.export(settings)),
    ]
    if let frame {
      members.append(
        .init("fitInside", [.integer(Int64(frame.width)), .integer(Int64(frame.height))]))
    }
    return .object(members)
  }

  /// What it makes, on one line: `h264 in mp4, up to 1920×1080, aac`.
  public var makes: String {
    let streams = [video.map { $0.codec ?? "picture" }, audio.map { $0.codec ?? "sound" }]
    let codecs = streams.compactMap(\.self).joined(separator: " and ")
    let size = frame.map { ", at most \($0.width)×\($0.height)" } ?? ""
    return "\(codecs) in \(container)\(size)"
  }
}
