import CutroomMedia
import CutroomModel

extension Resolver {
  /// Checks that a pan has an effect.
  mutating func checkPanning(_ sound: SoundSettings, at pointer: String) {
    guard sound.pan != 0, ChannelLayout.isValid(channelLayout),
      !ChannelLayout.sides(of: channelLayout).contains(where: { $0 != 0 })
    else { return }
    findings.add(
      .media, .warning, .shapeNoEffect,
      "a pan has no effect: the timeline's layout \(channelLayout) has no left and right",
      at: pointer)
  }

  /// Checks that the channels of a mapping are there.
  mutating func checkChannels(
    _ channels: [ChannelSetting], of source: ResolvedSource, at pointer: String
  ) {
    for channel in channels {
      let place = "\(pointer)/\(channel.output.pointerEscaped)"
      if ChannelLayout.isValid(channelLayout) {
        check(channel.output, in: channelLayout, "the timeline's sound", at: place)
      }
      guard let layout = source.channelLayout ?? source.generatorLayout,
        ChannelLayout.isValid(layout)
      else { continue }
      for input in channel.inputs {
        let isAlone = channel.inputs.count == 1 && input.gain == .unity
        check(
          input.channel, in: layout, "the sound of '\(source.id)'",
          at: isAlone ? place : "\(place)/\(input.channel.pointerEscaped)")
      }
    }
  }

  private mutating func check(
    _ channel: String, in layout: String, _ owner: String, at pointer: String
  ) {
    guard ChannelName.index(of: channel, in: layout) == nil else { return }
    let names = ChannelName.all(in: layout)
    findings.add(
      .media, .error, .mediaNoChannel,
      "\(owner) has no channel '\(channel)'; it is \(layout), with "
        + names.joined(separator: ", "),
      at: pointer,
      fix: Suggestion.nearest(to: channel, in: names).map { "did you mean '\($0)'?" })
  }
}
