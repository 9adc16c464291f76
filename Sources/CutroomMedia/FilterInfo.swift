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
    /// Whether it is on or off.
    package var isFlag: Bool
    /// Whether it may change while the filter runs.
    package var isRuntime: Bool
    /// The words allowed in place of a number.
    package var constants: [String]
    /// What it sets: the same for two names of one option; `nil` where it belongs to a part.
    package var field: Int?
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
      options: options(of: filter.priv_class) + partOptions(of: filter.priv_class))
  }

  /// The names of all filters of which `isWanted` says so.
  ///
  /// Wraps `av_filter_iterate`.
  package static func filterNames(where isWanted: (FilterInfo) -> Bool) -> [String] {
    var names: [String] = []
    var state: UnsafeMutableRawPointer?
    while let filter = unsafe av_filter_iterate(&state) {
      guard let name = unsafe text(filter.pointee.name), let info = filterInfo(name: name) else {
        continue
      }
      if isWanted(info) { names.append(name) }
    }
    return names
  }

  /// Why a filter's option does not take a value, before anything is made of it; `nil` if it does.
  ///
  /// Wraps `av_opt_set`.
  package static func problem(
    setting option: String, to value: String, of filter: String
  ) -> String? {
    guard let type = unsafe avfilter_get_by_name(filter) else { return nil }
    var graph = unsafe avfilter_graph_alloc()
    defer { unsafe avfilter_graph_free(&graph) }
    guard let context = unsafe avfilter_graph_alloc_filter(graph, type, nil),
      let object = unsafe context.pointee.priv
    else { return nil }
    do throws(LibAVError) {
      try check(
        unsafe av_opt_set(object, option, value, AV_OPT_SEARCH_CHILDREN), "set '\(option)'")
      return nil
    } catch {
      // Options of a part that is made later are tried with the whole filter.
      return error.code == CLIBAV_OPTION_NOT_FOUND ? nil : error.log.last ?? error.reason
    }
  }

  /// The options of what the filter is made of, such as the scaler of `scale`.
  private static func partOptions(of type: UnsafePointer<AVClass>?) -> [FilterInfo.Option] {
    guard let type = unsafe type else { return [] }
    var options: [FilterInfo.Option] = []
    var state: UnsafeMutableRawPointer?
    while let part = unsafe av_opt_child_class_iterate(type, &state) {
      options += unsafe self.options(of: part).map { option in
        var option = option
        option.field = nil
        return option
      }
    }
    return options
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
      isNumber: numbers.contains(option.type), isFlag: option.type == AV_OPT_TYPE_BOOL,
      isRuntime: option.flags & AV_OPT_FLAG_RUNTIME_PARAM != 0, constants: [],
      field: option.offset > 0 ? Int(option.offset) : nil)
  }
}
