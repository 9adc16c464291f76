import CutroomMedia
import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Colours against what the standards' matrices give, for each pairing of matrix and range.
@Suite(.needsFFmpeg) struct ColorTests {
  /// The shares of red and blue in luma: BT.601-7, BT.709-6, BT.2020-2.
  private static let shares = [
    "smpte170m": (0.299, 0.114), "bt470bg": (0.299, 0.114), "bt709": (0.2126, 0.0722),
    "bt2020nc": (0.2627, 0.0593),
  ]

  /// Values of 8 bits for a colour of 0...255.
  private static func coded(_ rgb: [Double], _ matrix: String, isFull: Bool) -> [Int] {
    let (red, blue) = shares[matrix] ?? (0, 0)
    let (r, g, b) = (rgb[0] / 255, rgb[1] / 255, rgb[2] / 255)
    let y = red * r + (1 - red - blue) * g + blue * b
    let (cb, cr) = ((b - y) / (2 - 2 * blue), (r - y) / (2 - 2 * red))
    return isFull
      ? [
        Int((y * 255).rounded()), Int((cb * 255 + 128).rounded()), Int((cr * 255 + 128).rounded()),
      ]
      : [
        Int((y * 219 + 16).rounded()), Int((cb * 224 + 128).rounded()),
        Int((cr * 224 + 128).rounded()),
      ]
  }

  /// Colours that no matrix brings out of range.
  private static let colors: [[Double]] = [
    [180, 80, 60], [60, 150, 100], [70, 80, 170], [128, 128, 128], [235, 230, 220], [20, 20, 24],
  ]

  /// A file whose columns are the colours, coded by the standard and tagged.
  private static func file(
    _ matrix: String, isFull: Bool, in folder: URL
  ) throws -> URL {
    let columns = colors.map { coded($0, matrix, isFull: isFull) }
    let bytes = (0..<3).flatMap { plane in
      (0..<36).flatMap { _ in (0..<60).map { UInt8(clamping: columns[$0 / 10][plane]) } }
    }
    let raw = folder.appending(path: "raw.yuv")
    try Data(bytes).write(to: raw)
    let url = folder.appending(path: "\(matrix)-\(isFull).mkv")
    try Program.ffmpeg([
      "-f", "rawvideo", "-pix_fmt", "yuv444p", "-s", "60x36", "-r", "25", "-i", raw.path, "-c:v",
      "ffv1", "-colorspace", matrix, "-color_range", isFull ? "pc" : "tv", "-color_primaries",
      matrix == "bt2020nc" ? "bt2020" : matrix, "-color_trc",
      matrix == "bt2020nc" ? "bt2020-10" : "bt709", url.path,
    ])
    return url
  }

  private static let canvases = [
    "bt709": "bt709", "bt601-525": "smpte170m", "bt601-625": "bt470bg",
  ]

  @Test(arguments: ["smpte170m", "bt470bg", "bt709", "bt2020nc"], [false, true])
  func everyMatrixAndRangeBecomesThatOfTheCanvas(matrix: String, isFull: Bool) throws {
    try withTemporaryDirectory { folder in
      let source = try Self.file(matrix, isFull: isFull, in: folder)
      for (canvas, target) in Self.canvases {
        for filters in ["", #"{"null": {}}"#, #"{"colorlevels": {}}"#] {
          let drawn = try picture(
            0,
            of: """
              {"format": "cutroom/1",
               "timeline": {"frameRate": 25, "size": [60, 36], "color": "\(canvas)"},
               "tracks": [{"kind": "video", "clips": [
                 {"source": "\(source.path)", "duration": "1f",
                  "video": {"filters": [\(filters)]}}]}]}
              """)
          for (index, color) in Self.colors.enumerated() {
            let wanted = Self.coded(color, target, isFull: false)
            let found = drawn[index * 10 + 5, 18]
            #expect(
              zip(wanted, found).allSatisfy { abs($0 - $1) <= 2 },
              "\(matrix) \(isFull) → \(canvas) \(filters): \(color) is \(found), not \(wanted)")
          }
        }
      }
    }
  }

  @Test(arguments: ["bt709", "bt601-525", "bt601-625"])
  func coloursOfTheCompositionAreThoseOfTheCanvas(canvas: String) throws {
    for color in Self.colors {
      let hex = "#" + color.map { String(UInt8($0), radix: 16).leftPadded }.joined()
      let drawn = try picture(
        0,
        of: """
          {"format": "cutroom/1",
           "timeline": {"frameRate": 25, "size": [60, 36], "color": "\(canvas)"},
           "sources": {"a": {"color": "\(hex)"}},
           "tracks": [{"kind": "video", "clips": [{"source": "a", "duration": "1s"}]}]}
          """)
      let wanted = Self.coded(color, Self.canvases[canvas] ?? "", isFull: false)
      #expect(zip(wanted, drawn[30, 18]).allSatisfy { abs($0 - $1) <= 1 }, "\(color) \(canvas)")
    }
  }

  struct Tags: Sendable, CustomTestStringConvertible {
    var canvas: String
    /// Matrix, primaries and transfer.
    var tags: [String]
    var testDescription: String { canvas }
  }

  @Test(arguments: [
    Tags(canvas: "bt709", tags: ["bt709", "bt709", "bt709"]),
    Tags(canvas: "bt601-525", tags: ["smpte170m", "smpte170m", "smpte170m"]),
    Tags(canvas: "bt601-625", tags: ["bt470bg", "bt470bg", "bt709"]),
    Tags(canvas: "bt2020-hlg", tags: ["bt2020nc", "bt2020", "arib-std-b67"]),
    Tags(canvas: "bt2020-pq", tags: ["bt2020nc", "bt2020", "smpte2084"]),
  ])
  func containerAndBitstreamSayTheColours(_ tags: Tags) throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        json: """
          {"format": "cutroom/1",
           "timeline": {"frameRate": 25, "size": [64, 64], "color": "\(tags.canvas)"},
           "sources": {"a": {"color": "#446688"}},
           "tracks": [{"kind": "video", "clips": [{"source": "a", "duration": "2f"}]}],
           "export": {"video": {"preset": "ultrafast"}}}
          """
      ).export(to: "a.mp4", in: folder)
      let codec = try #require(try ProbedFile(made.url).stream("video")["codec_name"])
      #expect(codec == (tags.canvas.hasPrefix("bt2020") ? "hevc" : "h264"))
      let stream = folder.appending(path: "a." + codec)
      try Program.ffmpeg(["-i", made.url.path, "-c", "copy", "-f", codec, stream.path])
      for url in [made.url, stream] {
        let said = try ProbedFile(url).stream("video")
        #expect(
          [said["color_space"], said["color_primaries"], said["color_transfer"]] == tags.tags)
        #expect(said["color_range"] == "tv")
      }
    }
  }

  // MARK: High dynamic range

  @Test func whatIsNotMappedIsSaid() throws {
    func findings(_ source: String, _ color: String, _ filters: String = "") -> [String] {
      let checked = FakeFiles.usual.check(
        clips: #"{"source": "\#(source)", "video": {"filters": [\#(filters)]}}"#,
        #""timeline": {"color": "\#(color)"},"#)
      return checked.findings(.error) + checked.findings(.warning)
    }
    let place = ["color.mixed-hdr /tracks/0/clips/0/source"]
    #expect(findings("hlg.mov", "bt709") == place)
    #expect(findings("pq.mov", "bt709") == place)
    #expect(findings("pq.mov", "bt2020-hlg") == place)
    #expect(findings("a.mp4", "bt2020-pq") == place)
    #expect(findings("hlg.mov", "bt2020-hlg").isEmpty)
    #expect(findings("pq.mov", "bt709", #"{"tonemap": {"tonemap": "hable"}}"#).isEmpty)
  }

  /// Light of a PQ value by SMPTE ST 2084, in candelas per square metre.
  private static func light(_ value: Double) -> Double {
    let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
    let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
    let root = pow(value, 1 / m2)
    return 10000 * pow(max(0, root - c1) / (c2 - c3 * root), 1 / m1)
  }

  @Test func tonesAreMappedByFilters() throws {
    try withTemporaryDirectory { folder in
      // Grey of PQ at 10 bits: 100 candelas are white of the mapped picture without a curve.
      let levels = [300, 400, 500]
      let raw = folder.appending(path: "raw.yuv")
      var bytes: [UInt8] = []
      for plane in 0..<3 {
        for _ in 0..<36 {
          for x in 0..<60 {
            let value = plane == 0 ? levels[x / 20] : 512
            bytes += [UInt8(value & 255), UInt8(value >> 8)]
          }
        }
      }
      try Data(bytes).write(to: raw)
      let url = folder.appending(path: "pq.mkv")
      try Program.ffmpeg([
        "-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-s", "60x36", "-r", "25", "-i", raw.path,
        "-c:v", "ffv1", "-colorspace", "bt2020nc", "-color_range", "tv", "-color_primaries",
        "bt2020", "-color_trc", "smpte2084", url.path,
      ])
      let drawn = try picture(
        0,
        of: """
          {"format": "cutroom/1", "timeline": {"frameRate": 25, "size": [60, 36], "color": "bt709"},
           "tracks": [{"kind": "video", "clips": [{"source": "\(url.path)", "duration": "1f",
             "video": {"filters": [
               {"zscale": {"transfer": "linear", "npl": 100}}, {"format": {"pix_fmts": "gbrpf32le"}},
               {"zscale": {"primaries": "bt709"}}, {"tonemap": {"tonemap": "clip"}},
               {"zscale": {"transfer": "bt709", "matrix": "bt709", "range": "tv"}},
               {"format": {"pix_fmts": "yuv420p10le"}}]}}]}]}
          """)
      for (index, level) in levels.enumerated() {
        let linear = min(1, Self.light((Double(level) - 64) / 876) / 100)
        // The curve of a display by BT.1886, which zimg goes by.
        let curve = pow(linear, 1 / 2.4)
        let wanted = [Int((16 + 219 * curve).rounded()), 128, 128]
        let found = drawn[index * 20 + 10, 18]
        #expect(zip(wanted, found).allSatisfy { abs($0 - $1) <= 2 }, "\(level): \(found) \(wanted)")
      }
    }
  }

  @Test(
    .needsSamples,
    arguments: [
      "vpx-av1/av1-hdr10-1080p5994-mdcv-clli.mp4", "hevc/hdr10-mdcv-clli-rot90-chapters.mkv",
    ])
  func theDisplayThatPicturesWereMadeOnIsKept(name: String) throws {
    try withTemporaryDirectory { folder in
      for ending in ["mp4", "mkv"] {
        let made = try Text(
          json: """
            {"format": "cutroom/1", "timeline": {"size": [128, 72]},
             "tracks": [{"kind": "video", "clips": [
               {"source": "\(try ProbeFolder.path(name))", "duration": "2f"}]}],
             "export": {"mode": "render", "video": {"codec": "hevc", "preset": "ultrafast"}}}
            """
        ).export(to: "a." + ending, in: folder)
        let stream = folder.appending(path: "a.\(ending).hevc")
        try Program.ffmpeg(["-i", made.url.path, "-c", "copy", "-f", "hevc", stream.path])
        func said(_ path: String, _ entries: String) throws -> [String] {
          try Program.run(
            "ffprobe",
            [
              "-v", "error", "-select_streams", "v:0", "-read_intervals", "%+#1", "-show_entries",
              entries, "-of", "default=nk=0:nw=1", path,
            ]
          ).lines.filter { $0.hasPrefix("max_") || $0.hasPrefix("red_") || $0.hasPrefix("white_") }
        }
        func values(_ lines: [String]) -> [String: Double] {
          var values: [String: Double] = [:]
          for line in lines {
            let parts = line.split(whereSeparator: { "=/".contains($0) })
            let (top, bottom) = (
              Double(parts[1]) ?? 0, parts.count > 2 ? Double(parts[2]) ?? 1 : 1
            )
            values[String(parts[0])] = top / bottom
          }
          return values
        }
        let wanted = values(try said(try ProbeFolder.path(name), "stream_side_data"))
        #expect(wanted["max_content"] ?? 0 >= 1000 && wanted["red_x"] ?? 0 > 0.6)
        for found in [
          values(try said(made.url.path, "stream_side_data")),
          values(try said(stream.path, "frame_side_data")),
        ] {
          #expect(Set(found.keys) == Set(wanted.keys))
          for (key, value) in wanted {
            #expect(abs((found[key] ?? 0) - value) <= 0.0001 * max(1, value), "\(ending) \(key)")
          }
        }
      }
    }
  }
}

extension String {
  fileprivate var leftPadded: String { count < 2 ? "0" + self : self }
}
