import CutroomModel

/// What the format has and the engine cannot do yet: one list, checked before anything is resolved.
///
/// Whoever makes a part work takes its row away. What stands here is an error at its place; nothing
/// is ever ignored.
enum Unsupported {
  /// A part of an object.
  private struct Row<Object> {
    var key: String
    /// What an object uses of it, in words; `nil` for nothing.
    var use: (Object) -> String?

    init(_ key: String, _ use: @escaping (Object) -> String?) {
      (self.key, self.use) = (key, use)
    }

    init(_ key: String, _ what: String, _ isUsed: @escaping (Object) -> Bool) {
      self.init(key) { isUsed($0) ? what : nil }
    }
  }

  private static var document: [Row<CompositionDocument>] {
    [
      Row("/edits", "'edits'") { !$0.edits.isEmpty },
      Row("/chapters", "chapters by the clips' names") { $0.chapters == .clips },
      Row("/audio/loudness", "'loudness'") { $0.sound.loudness != nil },
      Row("/export/cut", "a 'cut' other than \"exact\"") { $0.export.cut != .exact },
      Row("/export/damaged", "concealing damage") { $0.export.damaged == .conceal },
      Row("/export/container") { document in
        guard let name = document.export.container, containers.contains(name) else { return nil }
        return "the container \"\(name)\""
      },
      Row("/export/video/codec", "the codec \"gif\"") { document in
        if case .settings(let video) = document.export.video { video.codec == "gif" } else { false }
      },
    ]
  }

  private static let containers: Set = [
    "m4v", "mka", "aiff", "caf", "avi", "mpegts", "mxf", "gif", "apng", "nut",
  ]

  private static var track: [Row<DocumentTrack>] {
    [
      Row("/kind", "a subtitle track") { $0.kind == .subtitle },
      Row("/gain", "'gain' with keyframes") { $0.gain.fixed == nil },
      Row("/opacity", "'opacity' with keyframes") { $0.opacity.fixed == nil },
    ]
  }

  private static var clip: [Row<Clip>] {
    [
      Row("/speed", "a 'speed' other than 1") { $0.speed != .one },
      Row("/fitDuration", "'fitDuration'") { $0.fitDuration != nil },
      Row("/reverse", "playing backwards") { $0.isReversed },
      Row("/freeze", "'freeze'") { $0.freeze != nil },
      Row("/fill", "a 'fill' other than \"error\"") { $0.fill != .error },
    ]
  }

  private static var picture: [Row<PictureSettings>] {
    [
      Row("/position", "'position' with keyframes") {
        $0.position.map { $0.fixed == nil } ?? false
      },
      Row("/anchor", "an 'anchor' other than the centre") { $0.anchor != PictureSettings().anchor },
      Row("/scale", "'scale' with keyframes") { $0.scale.fixed == nil },
      Row("/rotation", "'rotation'") { $0.rotation != 0 },
      Row("/opacity", "'opacity' with keyframes") { $0.opacity.fixed == nil },
      Row("/crop", "'crop'") { $0.crop != .constant(.none) },
      Row("/blend", "a 'blend' other than \"normal\"") { $0.blend != .normal },
      Row("/filters", "'filters'") { !$0.filters.isEmpty },
      Row("/deinterlace", "deinterlacing") { ($0.deinterlace ?? .never) != .never },
    ]
  }

  private static var sound: [Row<SoundSettings>] {
    [
      Row("/gain", "'gain' with keyframes") { $0.gain.fixed == nil },
      Row("/pan", "'pan'") { $0.pan != 0 },
      Row("/filters", "'filters'") { !$0.filters.isEmpty },
      Row("/channels", "'channels'") { !$0.channels.isEmpty },
    ]
  }

  private static let transitions: Set = ["dissolve"]

  /// A finding for every use of such a part; none at a pointer of `flaws`, where something else is
  /// wrong.
  static func findings(
    in document: CompositionDocument, flaws: Set<String> = []
  ) -> [Diagnostic] {
    var list = List(flaws: flaws)
    list.check(document, Self.document, at: "")
    for named in document.sources {
      guard case .composition = named.source else { continue }
      list.refuse(
        "a composition as a source", at: "/sources/\(named.id.pointerEscaped)/composition")
    }
    let rows = (clip: clip, picture: picture, sound: sound)
    for (index, track) in document.tracks.enumerated() {
      let pointer = "/tracks/\(index)"
      list.check(track, Self.track, at: pointer)
      for (number, item) in track.items.enumerated() {
        switch item {
        case .clip(let clip) where !clip.isPlain:
          let place = "\(pointer)/clips/\(number)"
          list.check(clip, rows.clip, at: place)
          if let picture = clip.picture { list.check(picture, rows.picture, at: place + "/video") }
          if let sound = clip.sound { list.check(sound, rows.sound, at: place + "/audio") }
        case .transition(let transition) where !transitions.contains(transition.name):
          list.refuse(
            "the transition \"\(transition.name)\"",
            at: "\(pointer)/clips/\(number)/transition")
        default: break
        }
      }
    }
    return list.findings
  }

  private struct List {
    var flaws: Set<String>
    var findings: [Diagnostic] = []

    mutating func check<Object>(_ object: Object, _ rows: [Row<Object>], at pointer: String) {
      for row in rows {
        if let use = row.use(object) { refuse(use, at: pointer + row.key) }
      }
    }

    mutating func refuse(_ what: String, at pointer: String) {
      guard !flaws.contains(pointer) else { return }
      findings.append(
        Diagnostic(
          .error, .unsupported,
          "the format has \(what), but this version cannot do it yet; remove it",
          at: pointer))
    }
  }
}

extension Clip {
  /// Whether nothing is set that has to be looked at: the usual clip of a long list.
  fileprivate var isPlain: Bool {
    var plain = Clip(source: source)
    (plain.in, plain.out, plain.duration, plain.at) = (self.in, out, duration, at)
    (plain.name, plain.isEnabled) = (name, isEnabled)
    return self == plain
  }
}
