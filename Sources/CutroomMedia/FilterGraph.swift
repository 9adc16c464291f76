import CLibAV

/// A running filter graph.
///
/// Wraps `AVFilterGraph`.
@safe package final class FilterGraph: @unchecked Sendable {
  // Handed from thread to thread, never used by two at once. The graph owns all its filters.
  let graph: UnsafeMutablePointer<AVFilterGraph>
  private var sources: [UnsafeMutablePointer<AVFilterContext>] = unsafe []
  private var sink: UnsafeMutablePointer<AVFilterContext>?
  private var inputs: [GraphDescription.Input] = []
  private static let action = "build a filter graph"

  private init(threads: Int) throws(LibAVError) {
    guard let graph = unsafe avfilter_graph_alloc() else { throw .outOfMemory(Self.action) }
    unsafe self.graph = unsafe graph
    unsafe graph.pointee.nb_threads = Int32(clamping: threads)
  }

  /// Builds and checks the graph.
  ///
  /// - Throws: What is unknown or does not fit: a filter, an option, a value, a link.
  package convenience init(
    _ description: GraphDescription, threads: Int = 1
  ) throws(LibAVError) {
    try self.init(threads: threads)
    try setScalerFlags(description.scalerFlags)
    var nodes: [UnsafeMutablePointer<AVFilterContext>] = unsafe []
    for node in description.nodes {
      unsafe nodes.append(try make(node, scalerFlags: description.scalerFlags))
    }
    for link in description.links {
      try unsafe connect(link, nodes)
    }
    for input in description.inputs {
      unsafe sources.append(nodes[input.index])
      if let input = description.nodes[input.index].input { inputs.append(input) }
    }
    guard let output = description.outputPad, unsafe nodes.indices.contains(output.node.index)
    else { throw .invalid(Self.action, "it has no output") }
    try unsafe addSink(after: nodes[output.node.index], pad: output.pad)
    try check(unsafe avfilter_graph_config(graph, nil), Self.action)
  }

  deinit {
    var graph: UnsafeMutablePointer<AVFilterGraph>? = unsafe graph
    unsafe avfilter_graph_free(&graph)
  }

  /// A graph without inputs from a filter chain in FFmpeg's syntax: "smptehdbars=size=320x180".
  ///
  /// The text must be trusted: filters such as `movie` open files. The format is a pixel or sample
  /// format to convert to. Wraps `avfilter_graph_parse2`.
  package static func source(
    _ text: String, kind: MediaKind, format: String? = nil, scalerFlags: String? = nil
  ) throws(LibAVError) -> FilterGraph {
    let action = "build the source '\(text)'"
    let result = try FilterGraph(threads: 1)
    try result.setScalerFlags(scalerFlags)
    var inputs: UnsafeMutablePointer<AVFilterInOut>?
    var outputs: UnsafeMutablePointer<AVFilterInOut>?
    defer {
      unsafe avfilter_inout_free(&inputs)
      unsafe avfilter_inout_free(&outputs)
    }
    try check(unsafe avfilter_graph_parse2(result.graph, text, &inputs, &outputs), action)
    guard unsafe inputs == nil, let output = unsafe outputs,
      unsafe output.pointee.next == nil, let last = unsafe output.pointee.filter_ctx
    else { throw .invalid(action, "it must have no input and one output") }
    let pad = unsafe Int(output.pointee.pad_idx)
    guard unsafe result.kind(of: last, pad: pad) == kind else {
      throw .invalid(action, "its output is not \(kind.rawValue)")
    }
    if let format {
      let (name, key) = kind == .audio ? ("aformat", "sample_fmts") : ("format", "pix_fmts")
      let node = GraphDescription.Node(
        name: "out-format", filter: name, options: [KeyValue(key, format)])
      let converter = unsafe try result.make(node, scalerFlags: nil)
      try check(unsafe avfilter_link(last, UInt32(pad), converter, 0), action)
      unsafe try result.addSink(after: converter, pad: 0)
    } else {
      unsafe try result.addSink(after: last, pad: pad)
    }
    try check(unsafe avfilter_graph_config(result.graph, nil), action)
    return result
  }

  // MARK: Running

  /// Gives an input its next frame; the caller's frame stays as it is.
  ///
  /// Wraps `av_buffersrc_add_frame`.
  package func push(_ frame: Frame, input: Int) throws(LibAVError) {
    let action = "filter a frame"
    guard unsafe sources.indices.contains(input) else {
      throw .invalid(action, "there is no input \(input)")
    }
    let own = try frame.reference()
    if let problem = disagreement(of: own, with: inputs[input]) { throw .invalid(action, problem) }
    try check(unsafe av_buffersrc_add_frame_flags(sources[input], own.pointer, 0), action)
  }

  /// Says that an input has no more frames.
  package func finish(input: Int) throws(LibAVError) {
    guard unsafe sources.indices.contains(input) else {
      throw .invalid("end a filter graph's input", "there is no input \(input)")
    }
    try check(
      unsafe av_buffersrc_add_frame_flags(sources[input], nil, 0), "end a filter graph's input")
  }

  /// The next frame of the result.
  ///
  /// Wraps `av_buffersink_get_frame`.
  package func pull() throws(LibAVError) -> Answer<Frame> {
    let frame = Frame()
    switch try answer(unsafe av_buffersink_get_frame(sink, frame.pointer), "filter a frame") {
    case .done: return .value(try frame.withDownwardRows())
    case .later: return .needsInput
    case .ended: return .ended
    }
  }

  /// The input that the graph asked for most often in vain, after `needsInput`.
  package var neededInput: Int? {
    var best: (index: Int, requests: UInt32)?
    for index in unsafe sources.indices {
      let requests = unsafe av_buffersrc_get_nb_failed_requests(sources[index])
      if requests > best?.requests ?? 0 { best = (index, requests) }
    }
    return best?.index
  }

  /// Changes a value of a running filter.
  ///
  /// Wraps `avfilter_graph_send_command`.
  package func command(node: String, name: String, value: String) throws(LibAVError) {
    try check(
      unsafe avfilter_graph_send_command(graph, node, name, value, nil, 0, 0),
      "set '\(name)' of filter '\(node)' to '\(value)'")
  }

  /// Makes sound come out in frames of exactly that many samples, but for the last.
  package func setOutputFrameSize(_ samples: Int) {
    unsafe av_buffersink_set_frame_size(sink, UInt32(clamping: samples))
  }

  package var outputTimeBase: TimeBase { unsafe TimeBase(av_buffersink_get_time_base(sink)) }
  package var outputWidth: Int { unsafe Int(av_buffersink_get_w(sink)) }
  package var outputHeight: Int { unsafe Int(av_buffersink_get_h(sink)) }
  /// `nil` for sound.
  package var outputFormat: PixelFormat? {
    guard unsafe av_buffersink_get_type(sink) == AVMEDIA_TYPE_VIDEO else { return nil }
    return unsafe PixelFormat(raw: av_buffersink_get_format(sink))
  }
  /// `nil` where it varies or is unknown.
  package var outputFrameRate: (Int32, Int32)? { unsafe av_buffersink_get_frame_rate(sink).known }
  package var outputSampleRate: Int { unsafe Int(av_buffersink_get_sample_rate(sink)) }
  /// The layout of sound, by FFmpeg's name; empty for pictures.
  package var outputChannelLayout: String {
    var layout = unsafe AVChannelLayout()
    defer { unsafe av_channel_layout_uninit(&layout) }
    guard unsafe av_buffersink_get_ch_layout(sink, &layout) >= 0 else { return "" }
    return unsafe describeLayout(layout)
  }
  package var outputSampleAspectRatio: (Int32, Int32) {
    let ratio = unsafe av_buffersink_get_sample_aspect_ratio(sink)
    return (ratio.num, ratio.den)
  }
}

// MARK: - Building

extension FilterGraph {
  private func setScalerFlags(_ flags: String?) throws(LibAVError) {
    guard let flags else { return }
    guard let copy = unsafe av_strdup("flags=\(flags)") else { throw .outOfMemory(Self.action) }
    unsafe graph.pointee.scale_sws_opts = unsafe copy
  }

  private func make(
    _ node: GraphDescription.Node, scalerFlags: String?
  ) throws(LibAVError) -> UnsafeMutablePointer<AVFilterContext> {
    let action = "make the filter '\(node.name)' (\(node.filter))"
    guard let filter = unsafe avfilter_get_by_name(node.filter) else {
      throw LibAVError(
        code: CLIBAV_FILTER_NOT_FOUND, action: action, reason: "there is no such filter")
    }
    guard let context = unsafe avfilter_graph_alloc_filter(graph, filter, node.name) else {
      throw .outOfMemory(action)
    }
    let options = Options(node.options.map { ($0.key, $0.value) })
    if let unknown = unsafe Self.unknownScalerOption(node, filter) {
      throw LibAVError(
        code: CLIBAV_OPTION_NOT_FOUND, action: action, reason: "unknown option '\(unknown)'")
    }
    if node.filter == "scale", let scalerFlags, !node.options.contains(where: { $0.key == "flags" })
    {
      options.set("flags", scalerFlags)
    }
    if let input = node.input { try set(input, on: options, action) }
    try check(unsafe avfilter_init_dict(context, &options.dictionary), action)
    try options.requireUsed(action)
    return unsafe context
  }

  /// The scale filters swallow all options, and leave out those that the scaler does not know.
  private static func unknownScalerOption(
    _ node: GraphDescription.Node, _ filter: UnsafePointer<AVFilter>
  ) -> String? {
    guard node.filter.hasPrefix("scale"), var own = unsafe filter.pointee.priv_class,
      var scaler = unsafe sws_get_class()
    else { return nil }
    return node.options.first { option in
      unsafe option.key != "threads"
        && av_opt_find(&own, option.key, nil, 0, AV_OPT_SEARCH_FAKE_OBJ) == nil
        && av_opt_find(&scaler, option.key, nil, 0, AV_OPT_SEARCH_FAKE_OBJ) == nil
    }?.key
  }

  private func set(
    _ input: GraphDescription.Input, on options: Options, _ action: String
  ) throws(LibAVError) {
    switch input {
    case .video(let input):
      options.set("width", "\(input.width)")
      options.set("height", "\(input.height)")
      options.set("pix_fmt", input.format.name)
      options.set("time_base", "\(input.timeBase)")
      options.set(
        "pixel_aspect", "\(input.sampleAspectRatioWidth)/\(max(1, input.sampleAspectRatioHeight))")
      if let rate = input.frameRate { options.set("frame_rate", "\(rate)") }
    case .audio(let input):
      let layout = try LayoutValue.named(input.format.channelLayout, action)
      options.set("time_base", "\(input.timeBase)")
      options.set("sample_rate", "\(input.format.sampleRate)")
      options.set("sample_fmt", input.format.sampleFormat)
      options.set("channel_layout", layout.name)
    }
  }

  private func connect(
    _ link: GraphDescription.Link, _ nodes: [UnsafeMutablePointer<AVFilterContext>]
  ) throws(LibAVError) {
    guard unsafe nodes.indices.contains(link.from.index),
      unsafe nodes.indices.contains(link.to.index)
    else { throw .invalid(Self.action, "a link leads to a node of another graph") }
    let from = unsafe nodes[link.from.index]
    let to = unsafe nodes[link.to.index]
    let place = unsafe "'\(text(from.pointee.name) ?? "")' and '\(text(to.pointee.name) ?? "")'"
    guard unsafe (0..<Int(from.pointee.nb_outputs)).contains(link.fromPad),
      unsafe (0..<Int(to.pointee.nb_inputs)).contains(link.toPad)
    else { throw .invalid("link the filters \(place)", "there is no such pad") }
    try check(
      unsafe avfilter_link(from, UInt32(link.fromPad), to, UInt32(link.toPad)),
      "link the filters \(place)")
  }

  private func kind(of node: UnsafeMutablePointer<AVFilterContext>, pad: Int) -> MediaKind? {
    guard unsafe (0..<Int(node.pointee.nb_outputs)).contains(pad) else { return nil }
    return unsafe MediaKind(avfilter_pad_get_type(node.pointee.output_pads, Int32(pad)))
  }

  private func addSink(
    after node: UnsafeMutablePointer<AVFilterContext>, pad: Int
  ) throws(LibAVError) {
    guard let kind = unsafe kind(of: node, pad: pad) else {
      throw .invalid(Self.action, "its output is a pad that is not there")
    }
    let sink = unsafe try make(
      GraphDescription.Node(
        name: "out", filter: kind == .audio ? "abuffersink" : "buffersink", options: []),
      scalerFlags: nil)
    try check(unsafe avfilter_link(node, UInt32(pad), sink, 0), Self.action)
    unsafe self.sink = unsafe sink
  }

  /// Sets the input's tags on the frame, and says what of the frame is not as promised.
  private func disagreement(of frame: Frame, with input: GraphDescription.Input) -> String? {
    switch input {
    case .video(let input):
      guard frame.width == input.width, frame.height == input.height, frame.format == input.format
      else {
        return "the picture is \(frame.width)x\(frame.height) \(frame.format?.name ?? "?"), "
          + "the input \(input.width)x\(input.height) \(input.format)"
      }
      frame.colorTags = frame.colorTags.replaced(by: input.colorTags)
      return nil
    case .audio(let input):
      guard frame.sampleRate == input.format.sampleRate,
        frame.sampleFormat == input.format.sampleFormat,
        frame.channelCount == ChannelLayout.channelCount(input.format.channelLayout)
      else {
        return "the sound is \(frame.sampleRate):\(frame.channelLayout):\(frame.sampleFormat), "
          + "the input \(input.format)"
      }
      return nil
    }
  }
}

extension ColorTags {
  /// These tags with those that `other` states put in their place.
  package func replaced(by other: ColorTags) -> ColorTags {
    ColorTags(
      primaries: other.primaries ?? primaries, transfer: other.transfer ?? transfer,
      matrix: other.matrix ?? matrix, range: other.range ?? range,
      chromaLocation: other.chromaLocation ?? chromaLocation)
  }
}
