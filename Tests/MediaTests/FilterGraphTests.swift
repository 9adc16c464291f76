import CutroomMedia
import Testing

@Suite struct FilterGraphTests {
  private let scaler = "bicubic+accurate_rnd+full_chroma_int+bitexact"

  private func input(_ width: Int = 160, _ height: Int = 90) throws -> GraphDescription.VideoInput {
    GraphDescription.VideoInput(
      width: width, height: height, format: try pixelFormat("yuv420p"),
      timeBase: TimeBase(1, 25), frameRate: (25, 1))
  }

  private func single(_ filter: String, _ options: [(String, String)]) throws -> GraphDescription {
    var graph = GraphDescription(scalerFlags: scaler)
    let source = graph.input(try input())
    let node = graph.add(filter: filter, options: options, name: "it")
    graph.link(source, 0, node, 0)
    graph.output(node)
    return graph
  }

  @Test func aGraphScalesPictures() throws {
    let graph = try FilterGraph(single("scale", [("w", "80"), ("h", "46")]))
    #expect(graph.outputWidth == 80)
    #expect(graph.outputHeight == 46)
    #expect(graph.outputFormat?.name == "yuv420p")
    #expect(graph.outputTimeBase == TimeBase(1, 25))
    for frame in try testPictures(3) {
      let before = frame.digest()
      try graph.push(frame, input: 0)
      #expect(frame.digest() == before)
      let (values, ended) = try drain(graph.pull)
      #expect(values.map(\.width) == [80])
      #expect(values.map(\.pts) == [frame.pts])
      #expect(!ended)
    }
    try graph.finish(input: 0)
    #expect(try drain(graph.pull).ended)
  }

  @Test func framesOutliveTheGraph() throws {
    var graph: FilterGraph? = try FilterGraph(single("scale", [("w", "80"), ("h", "46")]))
    try graph?.push(testPictures(1)[0], input: 0)
    let frame = try #require(try graph.map { try drain($0.pull).values.first } ?? nil)
    let digest = frame.digest()
    graph = nil
    #expect(frame.digest() == digest)
  }

  @Test func twoInputsAreLaidOverEachOther() throws {
    var description = GraphDescription(scalerFlags: scaler)
    let below = description.input(try input())
    let above = description.input(
      GraphDescription.VideoInput(
        width: 20, height: 10, format: try pixelFormat("rgba"), timeBase: TimeBase(1, 25)))
    let overlay = description.add(
      filter: "overlay", options: [("x", "8"), ("y", "4"), ("format", "auto")])
    let format = description.add(filter: "format", options: [("pix_fmts", "rgba")])
    description.link(below, 0, overlay, 0)
    description.link(above, 0, overlay, 1)
    description.link(overlay, 0, format, 0)
    description.output(format)
    let graph = try FilterGraph(description)
    try graph.push(testPictures(1)[0], input: 0)
    #expect(try drain(graph.pull).values.isEmpty)
    #expect(graph.neededInput == 1)
    let label = try Frame.solid(width: 20, height: 10, red: 255, green: 0, blue: 0)
    label.pts = 0
    try graph.push(label, input: 1)
    try graph.finish(input: 1)
    try graph.finish(input: 0)
    let frame = try #require(try drain(graph.pull).values.first)
    let pixel = frame.withPlane(0) { bytes, stride in
      (0..<3).map { bytes[8 * stride + 16 * 4 + $0] }
    }
    #expect(pixel[0] > 240 && pixel[1] < 15 && pixel[2] < 15)
  }

  @Test func aCommandChangesARunningFilter() throws {
    var description = GraphDescription(scalerFlags: scaler)
    let source = description.input(try input())
    let node = description.add(filter: "eq", options: [("brightness", "0")], name: "light")
    description.link(source, 0, node, 0)
    description.output(node)
    let graph = try FilterGraph(description)
    let picture = try testPictures(1)[0]
    func run() throws -> String? {
      try graph.push(picture, input: 0)
      return try drain(graph.pull).values.first?.digest()
    }
    let dark = try run()
    try graph.command(node: "light", name: "brightness", value: "0.5")
    #expect(try run() != dark)
    #expect(throws: LibAVError.self) {
      try graph.command(node: "nobody", name: "brightness", value: "0.5")
    }
  }

  @Test func mistakesAreNamed() throws {
    let option = #expect(throws: LibAVError.self) {
      try FilterGraph(single("scale", [("no_such_option", "1")]))
    }
    #expect(option?.description.contains("'no_such_option'") == true)
    let filter = #expect(throws: LibAVError.self) { try FilterGraph(single("no_such_filter", [])) }
    #expect(filter?.description.contains("no_such_filter") == true)
    #expect(throws: LibAVError.self) { try FilterGraph(single("scale", [("w", "-77x")])) }
    #expect(throws: LibAVError.self) { try FilterGraph(GraphDescription()) }
    var unlinked = try single("overlay", [])
    unlinked.scalerFlags = nil
    #expect(throws: LibAVError.self) { try FilterGraph(unlinked) }
  }

  @Test func aFrameThatIsNotAsPromisedIsRefused() throws {
    let graph = try FilterGraph(single("null", []))
    let small = try Frame.video(width: 8, height: 8, format: pixelFormat("yuv420p"))
    let error = #expect(throws: LibAVError.self) { try graph.push(small, input: 0) }
    #expect(error?.reason.contains("8x8") == true)
    #expect(throws: LibAVError.self) { try graph.push(small, input: 1) }
  }

  @Test func statedTagsReplaceTheFramesOwn() throws {
    var description = GraphDescription()
    var tagged = try input()
    tagged.colorTags = ColorTags(matrix: "bt709", range: "tv")
    let source = description.input(tagged)
    let node = description.add(filter: "null")
    description.link(source, 0, node, 0)
    description.output(node)
    let graph = try FilterGraph(description)
    try graph.push(testPictures(1)[0], input: 0)
    let frame = try #require(try drain(graph.pull).values.first)
    #expect(frame.colorTags.matrix == "bt709")
    #expect(frame.colorTags.range == "tv")
  }

  @Test func soundIsFiltered() throws {
    var description = GraphDescription()
    let format = AudioFormat(sampleRate: 48000, channelLayout: "stereo")
    let source = description.input(GraphDescription.AudioInput(format: format))
    let node = description.add(filter: "volume", options: [("volume", "0.5")])
    description.link(source, 0, node, 0)
    description.output(node)
    let graph = try FilterGraph(description)
    graph.setOutputFrameSize(100)
    let frame = try testTone(count: 250).frame(
      count: 250, sampleRate: 48000, channelLayout: "stereo", sampleFormat: "fltp")
    frame.pts = 0
    try graph.push(frame, input: 0)
    try graph.finish(input: 0)
    let (values, ended) = try drain(graph.pull)
    #expect(ended)
    #expect(values.map(\.sampleCount) == [100, 100, 50])
    #expect(try abs(PlanarAudio.from(values[0]).peak() - 0.25) < 0.001)
  }

  @Test func sourcesMustHaveTheKindAskedFor() throws {
    let bars = try FilterGraph.source("smptehdbars=size=64x36:rate=30000/1001", kind: .video)
    #expect(bars.outputTimeBase == TimeBase(1001, 30000))
    let sine = try FilterGraph.source("sine=frequency=440:duration=1", kind: .audio, format: "fltp")
    #expect(sine.outputSampleRate == 44100)
    #expect(throws: LibAVError.self) { try FilterGraph.source("sine", kind: .video) }
    #expect(throws: LibAVError.self) { try FilterGraph.source("scale=10:10", kind: .video) }
    #expect(throws: LibAVError.self) { try FilterGraph.source("no_such_source", kind: .video) }
    #expect(throws: LibAVError.self) { try FilterGraph.source("", kind: .video) }
  }

  @Test func filtersTellTheirOptions() throws {
    let overlay = try #require(FilterGraph.filterInfo(name: "overlay"))
    #expect(overlay.inputs == [.video, .video])
    #expect(overlay.outputs == [.video])
    #expect(overlay.options.first { $0.name == "format" }?.constants.contains("yuv420") == true)
    #expect(FilterGraph.filterExists("eq"))
    #expect(FilterGraph.filterInfo(name: "no_such_filter") == nil)
  }

  @Test func theTextOfAGraphNamesEverything() throws {
    let text = try single("scale", [("w", "80"), ("h", "46")]).text
    #expect(
      text == """
        scaler \(scaler)
        in-0: buffer=160x90:yuv420p:1/25
        it: scale=w=80:h=46
        in-0:0 -> it:0
        it:0 -> out
        """)
  }
}
