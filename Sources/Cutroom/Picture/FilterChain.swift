import CutroomMedia
import CutroomModel

/// The filters of a clip as one running graph, for pictures of one shape.
///
/// What goes in first is made upright, of square pixels and of limited range, so that filters see
/// pictures as they are displayed. Where a filter takes another kind of colours than comes to it,
/// the conversion goes by the picture's own matrix, and is said on the picture.
final class FilterChain {
  /// Everything that a chain depends on but the pixels.
  struct Shape: Hashable {
    var filters: [FilterSetting]
    var input: GraphDescription.VideoInput
    var coded: CodedColor
    var geometry: PictureGeometry
    /// Whether the alpha channel, if there is one, means nothing.
    var isOpaque: Bool
  }

  private let graph: FilterGraph
  private let shape: Shape

  /// - Throws: ``CutroomError`` where a filter cannot be made for such pictures, or would drop what
  ///   shows through them.
  init(_ shape: Shape) throws(CutroomError) {
    self.shape = shape
    do {
      graph = try Self.graph(shape)
    } catch let error as CutroomError {
      throw error
    } catch {
      throw Self.failure(error, shape.filters)
    }
  }

  /// The graph of a chain.
  ///
  /// - Throws: `LibAVError` where libavfilter does not make it, ``CutroomError`` where a filter would
  ///   drop what shows through.
  static func graph(_ shape: Shape) throws -> FilterGraph {
    var layout = Layout()
    var made = try FilterGraph(shape.description(layout))
    // Each round settles one filter more, at least; each may need two.
    for _ in 0..<2 * shape.filters.count {
      guard try layout.add(made.conversions, shape) else { break }
      made = try FilterGraph(shape.description(layout))
    }
    return made
  }

  /// Where colours are converted, and where alpha is led around a filter.
  struct Layout: Hashable {
    /// The format to convert to before a filter, by the filter's index.
    var formats: [Int: PixelFormat] = [:]
    /// The filters that are given the picture without its alpha, which is put back after.
    var isWithoutAlpha: Set<Int> = []

    /// Takes over what libav had to convert; `false` where there is nothing new.
    mutating func add(
      _ conversions: [FilterGraph.Conversion], _ shape: Shape
    ) throws(CutroomError) -> Bool {
      var isNew = false
      for conversion in conversions {
        guard let index = FilterChain.index(ofNode: conversion.node),
          shape.filters.indices.contains(index)
        else { continue }
        let dropsAlpha = conversion.from.hasAlpha && !conversion.to.hasAlpha && !shape.isOpaque
        if dropsAlpha, !isWithoutAlpha.contains(index), shape.filters[index].name != "format" {
          try requireColorsOnly(shape.filters[index], conversion.from)
          isWithoutAlpha.insert(index)
          isNew = true
        } else if conversion.from.isRGB != conversion.to.isRGB, formats[index] == nil {
          formats[index] = conversion.to
          isNew = true
        }
      }
      return isNew
    }

    private func requireColorsOnly(
      _ filter: FilterSetting, _ format: PixelFormat
    ) throws(CutroomError) {
      guard FilterTraits.changesColorsOnly(filter.name), format.bitDepth <= 8 else {
        throw CutroomError(
          .unsupported, DiagnosticCode.capabilityFilter.rawValue,
          "the filter '\(filter.name)' would drop the transparency of the clip's pictures; "
            + "put it before what makes them transparent, or {\"format\": {\"pix_fmts\": "
            + "\"yuv444p\"}} before it to make them opaque")
      }
    }
  }

  /// The name of the node of a filter.
  static func node(_ index: Int) -> String { "filter\(index)" }

  fileprivate static func index(ofNode name: String) -> Int? {
    name.hasPrefix("filter") ? Int(name.dropFirst("filter".count)) : nil
  }

  // MARK: Running

  /// Gives it the next picture, with its time in ticks of the shape's time base.
  func push(_ frame: Frame, at tick: Int64) throws(CutroomError) {
    do {
      let input = try frame.reference()
      input.pts = tick
      try graph.push(input, input: 0)
    } catch {
      throw Self.failure(error, shape.filters)
    }
  }

  /// Says that no more pictures come.
  func finish() throws(CutroomError) {
    do { try graph.finish(input: 0) } catch { throw Self.failure(error, shape.filters) }
  }

  /// The next picture, with its time in seconds; `nil` where there is none yet, or none any more.
  func pull() throws(CutroomError) -> (shown: Shown, time: Rational?)? {
    do {
      guard case .value(let frame) = try graph.pull() else { return nil }
      let base = graph.outputTimeBase
      let time = frame.pts.map {
        Rational($0) * Rational(Int64(base.numerator), Int64(base.denominator))
      }
      return (Shown(frame: frame, geometry: PictureGeometry(filtered: frame)), time)
    } catch {
      throw Self.failure(error, shape.filters)
    }
  }

  private static func failure(
    _ error: any Error, _ filters: [FilterSetting]
  ) -> CutroomError {
    let names = filters.map { "'\($0.name)'" }.joined(separator: ", ")
    let failure = error as? LibAVError
    let reason = failure.map { ([$0.reason] + $0.log.suffix(1)).joined(separator: ": ") }
    return CutroomError(
      .unsupported, DiagnosticCode.capabilityFilter.rawValue,
      "the filters \(names) cannot be applied: \(reason ?? "\(error)")",
      details: failure?.log ?? [])
  }
}

extension PictureGeometry {
  /// The display of a picture that filters have made: upright, but maybe not of square pixels.
  fileprivate init(filtered frame: Frame) {
    let (width, height) = frame.sampleAspectRatio
    let aspect = width > 0 && height > 0 ? Rational(Int64(width), Int64(height)) : .one
    self.init(
      displaySize: DisplayTransform().displaySize(
        of: PixelSize(width: frame.width, height: frame.height), aspect: aspect))
  }
}
