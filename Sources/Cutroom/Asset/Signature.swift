import CutroomMedia
import CutroomModel

/// What must agree for the packets of two tracks to be joined by copying.
enum Signature {
  /// The signature as text: `key=value` parts that a person can compare.
  static func of(_ stream: StreamInfo, _ track: AssetTrack) -> String {
    var parts = [stream.codecName]
    func add(_ key: String, _ value: String?) {
      if let value, !value.isEmpty { parts.append("\(key)=\(value)") }
    }
    add("profile", stream.profile < 0 ? nil : String(stream.profile))
    if let picture = track.picture {
      add("level", stream.level < 0 ? nil : String(stream.level))
      add("size", "\(picture.size.width)x\(picture.size.height)")
      add("format", picture.pixelFormat)
      add("sar", picture.sampleAspectRatio.description)
      add("primaries", picture.colorPrimaries)
      add("transfer", picture.colorTransfer)
      add("matrix", picture.colorMatrix)
      add("range", picture.colorRange)
      add("rotation", picture.rotation == 0 ? nil : String(picture.rotation))
      add("flipped", picture.isFlipped ? "yes" : nil)
      add("spherical", stream.sideDataTypes.contains("Spherical Mapping") ? "yes" : nil)
      add("stereo", stream.sideDataTypes.contains("Stereo 3D") ? "yes" : nil)
    }
    if let sound = track.sound {
      add("rate", String(sound.sampleRate))
      add("layout", sound.channelLayout)
      add("format", stream.codecName.hasPrefix("pcm_") ? nil : stream.sampleFormat)
      add("frame", String(sound.frameSize))
    }
    add("parameters", digest(of: stream.extradata))
    return parts.joined(separator: " ")
  }

  private static func digest(of bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty else { return nil }
    do throws(LibAVError) {
      return try Packet(bytes: bytes).digest()
    } catch {
      // Without memory for a packet, nothing is equal to anything.
      return "unknown"
    }
  }
}
