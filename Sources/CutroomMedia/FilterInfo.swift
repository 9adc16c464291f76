import CLibAV

/// What libav says about a filter.
package struct FilterInfo: Hashable, Sendable {
  /// An option of a filter.
  package struct Option: Hashable, Sendable {
    package var name: String
    package var help: String
    /// The bounds of a number, as libav keeps them; equal where there are none.
    package var minimum: Double
    package var maximum: Double
    package var isNumber: Bool
    /// Whether it may change while the filter runs.
    package var isRuntime: Bool
    /// The words allowed in place of a number.
    package var constants: [String]
  }

  package var name: String
  package var help: String
  package var inputs: [MediaKind]
  package var outputs: [MediaKind]
  /// Whether the options decide the number of inputs.
  package var hasDynamicInputs: Bool
  package var hasDynamicOutputs: Bool
  package var hasTimeline: Bool
  package var options: [Option]
}

extension FilterGraph {
  package static func filterExists(_ name: String) -> Bool {
    unsafe avfilter_get_by_name(name) != nil
  }

  /// What libav says about the filter, or `nil` where it has none of that name.
  package static func filterInfo(name: String) -> FilterInfo? {
    guard let filter = unsafe avfilter_get_by_name(name)?.pointee else { return nil }
    let flags = unsafe filter.flags
    return unsafe FilterInfo(
      name: name, help: text(filter.description) ?? "",
      inputs: kinds(filter.inputs, count: Int(filter.nb_inputs)),
      outputs: kinds(filter.outputs, count: Int(filter.nb_outputs)),
      hasDynamicInputs: flags & AVFILTER_FLAG_DYNAMIC_INPUTS != 0,
      hasDynamicOutputs: flags & AVFILTER_FLAG_DYNAMIC_OUTPUTS != 0,
      hasTimeline: flags & AVFILTER_FLAG_SUPPORT_TIMELINE != 0,
      options: options(of: filter.priv_class))
  }

  private static func kinds(_ pads: OpaquePointer?, count: Int) -> [MediaKind] {
    guard let pads = unsafe pads else { return [] }
    return (0..<count).map { unsafe MediaKind(avfilter_pad_get_type(pads, Int32($0))) }
  }

  private static func options(of type: UnsafePointer<AVClass>?) -> [FilterInfo.Option] {
    guard var type = unsafe type else { return [] }
    var options: [FilterInfo.Option] = []
    var constants: [String: [String]] = [:]
    var units: [String] = []
    unsafe withUnsafeMutablePointer(to: &type) { object in
      var next = unsafe av_opt_next(object, nil)
      while let option = unsafe next {
        let name = unsafe text(option.pointee.name) ?? ""
        let unit = unsafe text(option.pointee.unit) ?? ""
        if unsafe option.pointee.type == AV_OPT_TYPE_CONST {
          constants[unit, default: []].append(name)
        } else {
          unsafe options.append(describe(option.pointee, name))
          units.append(unit)
        }
        unsafe next = unsafe av_opt_next(object, option)
      }
    }
    for index in options.indices where !units[index].isEmpty {
      options[index].constants = constants[units[index]] ?? []
    }
    return options
  }

  private static func describe(_ option: AVOption, _ name: String) -> FilterInfo.Option {
    let numbers = [
      AV_OPT_TYPE_INT, AV_OPT_TYPE_INT64, AV_OPT_TYPE_DOUBLE, AV_OPT_TYPE_FLOAT,
      AV_OPT_TYPE_RATIONAL, AV_OPT_TYPE_BOOL, AV_OPT_TYPE_UINT64,
    ]
    return unsafe FilterInfo.Option(
      name: name, help: text(option.help) ?? "", minimum: option.min, maximum: option.max,
      isNumber: numbers.contains(option.type),
      isRuntime: option.flags & AV_OPT_FLAG_RUNTIME_PARAM != 0, constants: [])
  }
}
