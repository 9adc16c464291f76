import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Pictures of phones, cameras and stills, compared with what ffmpeg's programs make of them.
@Suite(.needsFFmpeg, .needsSamples)
struct RealPictureTests {
  /// A source on the canvas of 1280×720, and where it must lie.
  struct Place: Sendable {
    var name: String
    /// The size it must be scaled to and its left edge; it is as high as the canvas or as wide.
    var width: Int
    var height: Int
    /// What ffmpeg's own `scale` must be told about the source's colours.
    var matrix = "bt709"
    var range = "limited"
    var x: Int { (1280 - width + 2) / 4 * 2 }
    var y: Int { (720 - height) / 4 * 2 }
  }

  static let places = [
    Place(name: "phone/iphone-rot90-568x320-29976-aac44k.mov", width: 406, height: 720),
    Place(name: "phone/android-rot180-720p-vfr10-mono48k.mp4", width: 1280, height: 720),
    Place(name: "phone/android-rot90-720p30-3gp5.mp4", width: 406, height: 720),
    Place(
      name: "phone/pixel-motion-rot270-2hevc-tracks-vfr.mp4", width: 540, height: 720,
      range: "full"),
    Place(name: "phone/rot90-flip-matrix.mp4", width: 480, height: 720),
    Place(
      name: "phone/android-4k60-rot90-aac48k.mp4", width: 406, height: 720, matrix: "smpte170m",
      range: "full"),
    Place(name: "h264/nobframes-1080x720p2997-aac44k.mp4", width: 1080, height: 720),
    Place(
      name: "images/jpeg-exif6-rot90.jpg", width: 1080, height: 720, matrix: "smpte170m",
      range: "full"),
    Place(
      name: "images/jpeg-exif3-rot180.jpg", width: 1080, height: 720, matrix: "smpte170m",
      range: "full"),
  ]

  @Test func everyOrientationLiesUprightAndCentredOnOneCanvas() throws {
    try withTemporaryDirectory { folder in
      let clips = try Self.places.map { place in
        try sample(
          place.name,
          place.name.hasSuffix("jpg") ? #""duration": "2f""# : #""in": 0, "duration": "2f""#)
      }
      let made = try Text(
        clips: clips.joined(separator: ","),
        timeline: #""size": [1280, 720], "frameRate": 25, "color": "bt709""#,
        export: #""mode": "render", "video": {"codec": "ffv1"}, "audio": false"#
      ).export(to: "canvas.mkv", in: folder)
      #expect(try DecodedPictures.hashes(made.url).count == 2 * Self.places.count)
      for (index, place) in Self.places.enumerated() {
        try check(place, frame: 2 * index, of: made.url)
      }
    }
  }

  private func check(_ place: Place, frame: Int, of url: URL) throws {
    let source = URL(filePath: try ProbeFolder.path(place.name))
    let pick = "select='eq(n,\(frame))'"
    let quality = try DecodedPictures.psnr(
      url, source,
      filters: (
        "\(pick),crop=\(place.width):\(place.height):\(place.x):\(place.y):exact=1,"
          + "setpts=0,setsar=1",
        "select='eq(n,0)',scale=\(place.width):\(place.height):flags=bicubic+accurate_rnd:"
          + "in_color_matrix=\(place.matrix):in_range=\(place.range):out_color_matrix=bt709:"
          + "out_range=limited,format=yuv420p,setpts=0,setsar=1"
      ))
    #expect(quality > 35, "\(place.name)")
    let luma = try DecodedPictures.bytes(
      url, filter: "\(pick),extractplanes=y", size: 1280 * 720)[0]
    let isBlackBeside = (0..<720).allSatisfy { row in
      let line = luma[row * 1280..<(row + 1) * 1280]
      return line.prefix(place.x).allSatisfy { $0 == 16 }
        && line.suffix(1280 - place.x - place.width).allSatisfy { $0 == 16 }
    }
    #expect(isBlackBeside, "\(place.name)")
  }

  @Test func variableRateBesideConstantRatesShowsThePictureOfEachTime() throws {
    let clips = [
      ("vfr/mediarecorder-h264-1080p-vfr.mkv", Rational(1, 2)),
      ("h264/nobframes-1080x720p2997-aac44k.mp4", Rational(1, 5)),
      ("h264/bbb-720p25-baseline-5p1aac-moov-last.mp4", Rational(3, 2)),
      ("vfr/flir-1080x1440-vfr7-audio-empty-edit.mp4", Rational(2)),
    ]
    let rate = try #require(FrameRate(Rational(30000, 1001)))
    let length = rate.time(ofFrame: 15)
    try withTemporaryDirectory { folder in
      let items = try clips.map { name, start in
        try sample(
          name, #""in": "\#(start)", "duration": "\#(length)", "video": {"fit": "none"}"#)
      }
      let made = try Text(
        clips: items.joined(separator: ","),
        timeline: #""size": [1920, 1080], "frameRate": "30000/1001", "color": "bt709""#,
        export: #""mode": "render", "video": {"codec": "ffv1"}, "audio": false"#
      ).export(to: "rates.mkv", in: folder)
      // Every source holds the middle of the canvas; that part is compared.
      let middle = "crop=640:480:(iw-640)/2:(ih-480)/2:exact=1,extractplanes=y"
      let shown = try DecodedPictures.hashes(made.url, filter: middle)
      #expect(shown.count == 60)
      for (index, (name, start)) in clips.enumerated() {
        let source = try SourcePictures(
          URL(filePath: try ProbeFolder.path(name)), filter: middle)
        let expected = (0..<15).map { source.hash(at: start + rate.time(ofFrame: $0)) }
        #expect(Array(shown[15 * index..<15 * index + 15]) == expected, "\(name)")
        #expect(Set(expected).count > 3)
      }
    }
  }

  @Test func hybridLogGammaStaysTenBitWithItsTagsInBitstreamAndContainer() throws {
    try withTemporaryDirectory { folder in
      let name = "hevc/hlg-1080p2999-hvc1.mp4"
      let made = try Text(
        clips: try sample(name, #""in": 0, "duration": "4f""#),
        export: """
          "mode": "render", "audio": false,
          "video": {"codec": "hevc", "crf": 14, "preset": "ultrafast"}
          """
      ).export(to: "hlg.mp4", in: folder)
      let bitstream = folder.appending(path: "hlg.hevc")
      try Program.ffmpeg(["-i", made.url.path, "-c", "copy", bitstream.path])
      for url in [made.url, bitstream] {
        let stream = try ProbedFile(url).stream("video")
        #expect(stream["pix_fmt"] == "yuv420p10le")
        #expect(stream["color_space"] == "bt2020nc")
        #expect(stream["color_transfer"] == "arib-std-b67")
        #expect(stream["color_primaries"] == "bt2020")
        #expect(stream["color_range"] == "tv")
      }
      // The container's own colour box: primaries 9, transfer 18, matrix 9, limited range.
      let box = Data("colrnclx".utf8) + Data([0, 9, 0, 18, 0, 9, 0])
      #expect(try Data(contentsOf: made.url).range(of: box) != nil)
      #expect(try ProbedFile(made.url).stream("video")["codec_tag_string"] == "hvc1")
      let source = URL(filePath: try ProbeFolder.path(name))
      let quality = try DecodedPictures.psnr(
        made.url, source, filters: ("setpts=N", "select='lt(n,4)',setpts=N"))
      #expect(quality > 38)
    }
  }

  @Test(arguments: [
    ("alpha/prores4444-1080p25-alpha-tmcd.mov", 0, []),
    ("alpha/vp9-alpha-720p60.webm", 60, ["-c:v", "libvpx-vp9"]),
  ])
  func transparentPicturesShowTheColourBelow(
    name: String, frame: Int, decoder: [String]
  ) throws {
    let source = URL(filePath: try ProbeFolder.path(name))
    // What ffmpeg makes of it: straight alpha over a green picture, in RGB.
    let alpha = try DecodedPictures.bytes(
      source, filter: "select='eq(n,\(frame))',scale=320:180:flags=area,format=rgba",
      size: 320 * 180 * 4, input: decoder)[0]
    let clear = (0..<320 * 180).filter { alpha[4 * $0 + 3] == 0 }
    let solid = (0..<320 * 180).filter { alpha[4 * $0 + 3] == 255 }
    try #require(clear.count > 500)
    try withTemporaryDirectory { folder in
      let made = try Text(
        tracks: """
          {"kind": "video", "clips": [{"source": "green", "duration": "1f"}]},
          {"kind": "video", "clips": [\(try sample(name, #""in": "\#(frame)f", "duration": "1f""#))]}
          """,
        timeline: #""size": [1280, 720], "color": "bt709""#,
        export: #""mode": "render", "video": {"codec": "ffv1", "pixelFormat": "yuv444p"}"#,
        more: ##""sources": {"green": {"color": "#00FF00"}}"##
      ).export(to: "over.mkv", in: folder)
      let shown = try DecodedPictures.bytes(
        made.url,
        filter: "scale=320:180:flags=area:in_color_matrix=bt709:in_range=limited,format=rgb24",
        size: 320 * 180 * 3)[0]
      let green = clear.filter {
        shown[3 * $0] <= 8 && shown[3 * $0 + 1] >= 247 && shown[3 * $0 + 2] <= 8
      }
      #expect(green.count > clear.count * 97 / 100, "\(green.count) of \(clear.count)")
      let kept = solid.filter { place in
        (0..<3).allSatisfy { abs(Int(shown[3 * place + $0]) - Int(alpha[4 * place + $0])) <= 24 }
      }
      #expect(kept.count >= solid.count * 9 / 10, "\(kept.count) of \(solid.count)")
    }
  }
}
