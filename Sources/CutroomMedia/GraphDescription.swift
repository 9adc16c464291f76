/// A filter graph as a value: nodes, their options and links, inputs and the one output.
///
/// Nothing of it is parsed from text, so that no value needs escaping.
package struct GraphDescription: Hashable, Sendable {
  /// A node of this graph.
  package struct NodeID: Hashable, Sendable {
    var index: Int
  }

  /// What the pictures of an input look like; each pushed frame must agree.
  package struct VideoInput: Hashable, Sendable {
    package var width: Int
    package var height: Int
    package var format: PixelFormat
    package var timeBase: TimeBase
    package var sampleAspectRatioWidth: Int
    package var sampleAspectRatioHeight: Int
    package var frameRate: TimeBase?
    /// Tags stated here replace the frames' own.
    package var colorTags: ColorTags

    /// An input; its frame rate is in frames per second, as numerator and denominator.
    package init(
      width: Int, height: Int, format: PixelFormat, timeBase: TimeBase,
      sampleAspectRatio: (Int, Int) = (1, 1), frameRate: (Int32, Int32)? = nil,
      colorTags: ColorTags = ColorTags()
    ) {
      self.width = width
      self.height = height
      self.format = format
      self.timeBase = timeBase
      sampleAspectRatioWidth = sampleAspectRatio.0
      sampleAspectRatioHeight = sampleAspectRatio.1
      self.frameRate = frameRate.map { TimeBase($0.0, $0.1) }
      self.colorTags = colorTags
    }
  }

  /// What the sound of an input looks like; each pushed frame must agree.
  package struct AudioInput: Hashable, Sendable {
    package var format: AudioFormat
    package var timeBase: TimeBase

    /// Without a time base, ticks are samples.
    package init(format: AudioFormat, timeBase: TimeBase? = nil) {
      self.format = format
      self.timeBase = timeBase ?? TimeBase(1, Int32(clamping: format.sampleRate))
    }
  }

  enum Input: Hashable, Sendable {
    case video(VideoInput)
    case audio(AudioInput)
  }

  struct Node: Hashable, Sendable {
    var name: String
    var filter: String
    var options: [KeyValue]
    var input: Input?
  }

  struct Link: Hashable, Sendable {
    var from: NodeID
    var fromPad: Int
    var to: NodeID
    var toPad: Int
  }

  struct Output: Hashable, Sendable {
    var node: NodeID
    var pad: Int
  }

  var nodes: [Node] = []
  var links: [Link] = []
  var inputs: [NodeID] = []
  var outputPad: Output?
  /// The flags of every scaler in the graph, also of those that libav inserts.
  ///
  /// For example `bicubic+accurate_rnd+full_chroma_int+bitexact`.
  package var scalerFlags: String?

  package init(scalerFlags: String? = nil) {
    self.scalerFlags = scalerFlags
  }

  /// Adds a filter; `name` is what commands are sent to, and made up where it is `nil`.
  package mutating func add(
    filter: String, options: [(String, String)] = [], name: String? = nil
  ) -> NodeID {
    append(
      Node(
        name: name ?? "\(filter)-\(nodes.count)", filter: filter,
        options: options.map { KeyValue($0.0, $0.1) }))
  }

  /// Adds an input for pictures; inputs are numbered in the order of these calls.
  package mutating func input(_ input: VideoInput) -> NodeID {
    let node = append(
      Node(name: "in-\(inputs.count)", filter: "buffer", options: [], input: .video(input)))
    inputs.append(node)
    return node
  }

  /// Adds an input for sound; inputs are numbered in the order of these calls.
  package mutating func input(_ input: AudioInput) -> NodeID {
    let node = append(
      Node(name: "in-\(inputs.count)", filter: "abuffer", options: [], input: .audio(input)))
    inputs.append(node)
    return node
  }

  /// Connects an output pad of one node with an input pad of another.
  package mutating func link(
    _ from: NodeID, _ fromPad: Int = 0, _ to: NodeID, _ toPad: Int = 0
  ) {
    links.append(Link(from: from, fromPad: fromPad, to: to, toPad: toPad))
  }

  /// Says where the graph's result comes from.
  package mutating func output(_ node: NodeID, _ pad: Int = 0) {
    outputPad = Output(node: node, pad: pad)
  }

  private mutating func append(_ node: Node) -> NodeID {
    nodes.append(node)
    return NodeID(index: nodes.count - 1)
  }

  /// The graph for reports and goldens: a line for each node, then the links.
  package var text: String {
    var lines: [String] = []
    if let scalerFlags { lines.append("scaler \(scalerFlags)") }
    for node in nodes {
      let options = node.options.map { "\($0.key)=\($0.value)" }.joined(separator: ":")
      lines.append("\(node.name): \(node.filter)\(options.isEmpty ? "" : "=")\(options)")
      switch node.input {
      case .video(let input):
        lines[lines.count - 1] +=
          "=\(input.width)x\(input.height):\(input.format):\(input.timeBase)"
      case .audio(let input): lines[lines.count - 1] += "=\(input.format):\(input.timeBase)"
      case nil: break
      }
    }
    for link in links {
      lines.append(
        "\(name(of: link.from)):\(link.fromPad) -> \(name(of: link.to)):\(link.toPad)")
    }
    if let outputPad { lines.append("\(name(of: outputPad.node)):\(outputPad.pad) -> out") }
    return lines.joined(separator: "\n")
  }

  private func name(of node: NodeID) -> String {
    nodes.indices.contains(node.index) ? nodes[node.index].name : "?"
  }
}

/// How sound is sampled, laid out and stored.
package struct AudioFormat: Hashable, Sendable, CustomStringConvertible {
  package var sampleRate: Int
  /// FFmpeg's name: "stereo".
  package var channelLayout: String
  /// FFmpeg's name: "fltp".
  package var sampleFormat: String

  package init(sampleRate: Int, channelLayout: String, sampleFormat: String = "fltp") {
    self.sampleRate = sampleRate
    self.channelLayout = channelLayout
    self.sampleFormat = sampleFormat
  }

  package var description: String { "\(sampleRate):\(channelLayout):\(sampleFormat)" }
}
