import CLibAV

/// What is known about a stream after its container was opened.
package struct StreamInfo: Sendable {
  package var index: Int
  package var kind: MediaKind
  /// FFmpeg's name of the codec.
  package var codecName: String
  /// The container's four characters, empty where it has none.
  package var codecTag: String
  package var timeBase: TimeBase
  /// Ticks of the time base.
  package var startTime: Int64?
  /// Ticks of the time base.
  package var duration: Int64?
  /// The container's count of frames, 0 where it has none.
  package var frameCount: Int64
  package var averageFrameRate: (Int32, Int32)?
  package var realFrameRate: (Int32, Int32)?
  package var width: Int
  package var height: Int
  /// (0, 1) where unknown.
  package var sampleAspectRatio: (Int32, Int32)
  package var pixelFormat: PixelFormat?
  package var profile: Int32
  package var level: Int32
  package var profileName: String
  package var colorTags: ColorTags
  /// The pictures that decoding order runs ahead of presentation order.
  package var videoDelay: Int
  package var fieldOrder: String
  package var extradata: [UInt8]
  package var sampleRate: Int
  package var channelCount: Int
  package var channelLayout: String
  package var sampleFormat: String
  package var frameSize: Int
  package var initialPadding: Int
  package var trailingPadding: Int
  package var bitRate: Int64
  /// The nine values of the display matrix, as libav keeps them.
  package var displayMatrix: [Int32]?
  package var language: String?
  package var isAttachedPicture: Bool
  package var dispositions: StreamDisposition
  package var isDefault: Bool { dispositions.contains(.isDefault) }
  package var metadata: [(key: String, value: String)]
  package var sideDataTypes: [String]
  /// About the brightness of pictures of a high dynamic range.
  package var light: LightMetadata

  init(_ stream: UnsafePointer<AVStream>, _ parameters: CodecParameters) {
    let raw = unsafe stream.pointee
    index = unsafe Int(raw.index)
    kind = parameters.kind
    codecName = parameters.codecName
    codecTag = parameters.codecTag
    timeBase = unsafe TimeBase(raw.time_base)
    startTime = unsafe raw.start_time.known
    duration = unsafe raw.duration.known
    frameCount = unsafe raw.nb_frames
    averageFrameRate = unsafe raw.avg_frame_rate.known
    realFrameRate = unsafe raw.r_frame_rate.known
    width = parameters.width
    height = parameters.height
    let ratio = unsafe raw.sample_aspect_ratio.num > 0 ? raw.sample_aspect_ratio : nil
    sampleAspectRatio = ratio.map { ($0.num, $0.den) } ?? parameters.sampleAspectRatio
    pixelFormat = parameters.pixelFormat
    profile = parameters.profile
    level = parameters.level
    profileName = parameters.profileName
    colorTags = parameters.colorTags
    videoDelay = parameters.videoDelay
    fieldOrder = parameters.fieldOrder
    extradata = parameters.extradata
    sampleRate = parameters.sampleRate
    channelCount = parameters.channelCount
    channelLayout = parameters.channelLayout
    sampleFormat = parameters.sampleFormat
    frameSize = parameters.frameSize
    initialPadding = parameters.initialPadding
    trailingPadding = parameters.trailingPadding
    bitRate = parameters.bitRate
    displayMatrix = Self.displayMatrix(in: parameters.sideData)
    metadata = unsafe Options.pairs(of: raw.metadata).map { (key: $0.0, value: $0.1) }
    language = metadata.first { $0.key == "language" }?.value
    isAttachedPicture = unsafe raw.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
    dispositions = unsafe StreamDisposition(rawValue: raw.disposition).intersection(.lasting)
    sideDataTypes = parameters.sideData.map(\.name)
    light = LightMetadata(parameters.sideData)
  }

  private static func displayMatrix(in sideData: [StreamSideData]) -> [Int32]? {
    guard
      let bytes = sideData.first(where: { $0.type == AV_PKT_DATA_DISPLAYMATRIX.rawValue })?.bytes,
      bytes.count >= 36
    else { return nil }
    return unsafe bytes.withUnsafeBytes { bytes in
      (0..<9).map { unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
    }
  }
}
