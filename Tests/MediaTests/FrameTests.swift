import CutroomMedia
import Foundation
import Testing

@Suite struct FrameTests {
  @Test func aNewPictureIsZeroAndHasTheSizeAskedFor() throws {
    let frame = try Frame.video(width: 33, height: 17, format: pixelFormat("yuv420p"))
    #expect(frame.planeCount == 3)
    #expect(frame.rowCount(ofPlane: 0) == 17)
    #expect(frame.rowCount(ofPlane: 1) == 9)
    #expect(frame.visibleBytes(ofPlane: 1) == 17)
    for plane in 0..<3 {
      let sum = frame.withPlane(plane) { bytes, stride in
        #expect(stride >= frame.visibleBytes(ofPlane: plane))
        return (0..<bytes.byteCount).reduce(0) { $0 + Int(bytes[$1]) }
      }
      #expect(sum == 0)
    }
  }

  @Test(arguments: [(0, 10), (10, -1), (1 << 20, 2)])
  func sizesOutOfBoundsAreRefused(width: Int, height: Int) throws {
    let format = try pixelFormat("rgba")
    #expect(throws: LibAVError.self) {
      try Frame.video(width: width, height: height, format: format)
    }
  }

  @Test func changingAReferenceLeavesTheOriginal() throws {
    let original = try Frame.solid(width: 8, height: 8, red: 1, green: 2, blue: 3, alpha: 4)
    let before = original.digest()
    let other = try original.reference()
    other.pts = 7
    #expect(original.pts == nil)
    try other.withMutablePlane(0) { bytes, _ in bytes[0] = 99 }
    #expect(original.digest() == before)
    #expect(other.digest() != before)
    #expect(other.withPlane(0) { bytes, _ in bytes[0] } == 99)
  }

  @Test func aReferenceOutlivesItsOriginal() throws {
    var original: Frame? = try Frame.solid(width: 8, height: 8, red: 9, green: 2, blue: 3)
    let other = try #require(try original?.reference())
    original = nil
    #expect(other.withPlane(0) { bytes, stride in bytes[7 * stride] } == 9)
  }

  @Test func thePlanesEndWithTheLastSample() throws {
    let frame = try Frame.solid(width: 5, height: 3, red: 1, green: 2, blue: 3, alpha: 4)
    frame.withPlane(0) { bytes, stride in
      #expect(bytes.byteCount == 2 * stride + 20)
      #expect((0..<4).map { bytes[2 * stride + 16 + $0] } == [1, 2, 3, 4])
    }
    #expect(frame.withPlane(3) { bytes, _ in bytes.byteCount } == 0)
    #expect(frame.withPlane(-1) { bytes, _ in bytes.byteCount } == 0)
  }

  @Test func theDigestSeesOnlyWhatIsVisible() throws {
    // The MD5 of the four bytes 01 02 03 04.
    let frame = try Frame.solid(width: 1, height: 1, red: 1, green: 2, blue: 3, alpha: 4)
    #expect(frame.digest() == "08d6c05a21512a79a1dfeb9d2a8f262f")
  }

  @Test func theDigestOfSoundDoesNotDependOnPlanes() throws {
    let tone = testTone(count: 100)
    let digests = try ["s16", "s16p"].map { format in
      try tone.frame(
        count: 100, sampleRate: 48000, channelLayout: "stereo", sampleFormat: format
      ).digest()
    }
    #expect(digests[0] == digests[1])
  }

  @Test func tagsAreKept() throws {
    let frame = try Frame.video(width: 8, height: 8, format: pixelFormat("yuv420p"))
    let tags = ColorTags(
      primaries: "bt2020", transfer: "smpte2084", matrix: "bt2020nc", range: "tv",
      chromaLocation: "topleft")
    frame.colorTags = tags
    frame.sampleAspectRatio = (4, 3)
    #expect(try frame.reference().colorTags == tags)
    #expect(frame.sampleAspectRatio == (4, 3))
    #expect(ColorTags(primaries: "nonsense").unknownNames == ["nonsense"])
    #expect(tags.unknownNames.isEmpty)
  }
}

@Suite struct PacketTests {
  @Test func aCopyHasItsOwnTimes() throws {
    let packet = try Packet(bytes: [1, 2, 3, 4])
    packet.pts = 5
    packet.isKeyframe = true
    let copy = try packet.reference()
    copy.pts = nil
    copy.isKeyframe = false
    #expect(packet.pts == 5)
    #expect(packet.isKeyframe)
    #expect(copy.digest() == "08d6c05a21512a79a1dfeb9d2a8f262f")
  }

  @Test func bytesOutliveTheFirstReference() throws {
    var packet: Packet? = try Packet(bytes: [1, 2, 3])
    let copy = try #require(try packet?.reference())
    packet = nil
    #expect(copy.bytes == [1, 2, 3])
  }

  @Test func skippedSamplesAreReadAsSet() throws {
    let packet = try Packet(bytes: [0])
    #expect(packet.skipSamples == nil)
    packet.skipSamples = (1024, 70000)
    #expect(packet.skipSamples?.start == 1024)
    #expect(packet.skipSamples?.end == 70000)
    packet.skipSamples = (1, 2)
    #expect(packet.skipSamples?.end == 2)
    packet.skipSamples = nil
    #expect(packet.skipSamples == nil)
    #expect(packet.sideDataTypes.isEmpty)
  }

  @Test func anEmptyPacketHasNoBytes() {
    #expect(Packet().bytes.isEmpty)
    #expect(Packet().withBytes { $0.byteCount } == 0)
    #expect(Packet().digest() == "d41d8cd98f00b204e9800998ecf8427e")
  }
}

@Suite struct PixelFormatTests {
  @Test func formatsTellTheirMakeUp() throws {
    let ten = try pixelFormat("yuv422p10le")
    #expect(ten.bitDepth == 10)
    #expect((ten.log2ChromaWidth, ten.log2ChromaHeight) == (1, 0))
    #expect(ten.isPlanar && !ten.isRGB && !ten.hasAlpha)
    let rgba = try pixelFormat("rgba")
    #expect(rgba.isRGB && rgba.hasAlpha && rgba.planeCount == 1)
    #expect(PixelFormat(name: "nonsense") == nil)
    #expect(PixelFormat(name: "") == nil)
  }

  @Test func theBestFormatLosesLeast() throws {
    let list = try ["yuv420p", "yuv420p10le", "yuv444p"].map(pixelFormat)
    let best = try PixelFormat.best(
      of: list, for: pixelFormat("yuv422p10le"), keepingAlpha: false)
    #expect(best?.name == "yuv420p10le")
    #expect(try PixelFormat.best(of: [], for: pixelFormat("rgba"), keepingAlpha: true) == nil)
  }
}
