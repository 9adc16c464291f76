// sources: CutroomModel
// options: -max_len=512
import CutroomModel

/// Reads any bytes as a composition, writes what was read in both spellings, and makes its edits.
///
/// Input that begins with a zero byte, as no text does, is a list of edits and of times instead.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDocument(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  if bytes.first == 0 {
    var program = EditProgram(bytes.dropFirst())
    program.run()
  } else {
    check(SourceText(file: "fuzz.json", bytes: bytes))
  }
  return 0
}

private let commonKeys = ["title", "artist"]

/// Every finding has a place in the text; what reads without an error is written and read back as
/// the same value.
private func check(_ text: SourceText) {
  let (document, diagnostics) = CompositionReader.read(text, commonKeys: commonKeys)
  for diagnostic in text.placed(diagnostics) {
    require(!diagnostic.message.isEmpty, "a finding says nothing")
    guard let place = diagnostic.place else {
      require(diagnostic.severity == .note, "a finding has no place")
      continue
    }
    require(place.line >= 1 && place.column >= 1, "a place is outside the text")
    require(text.excerpt(at: place) != nil, "a place has no line")
  }
  guard let document else {
    require(diagnostics.contains { $0.severity == .error }, "no document and no reason")
    return
  }
  let written = CompositionWriter.text(document)
  let again = CompositionReader.read(SourceText(file: "again.json", text: written))
  require(again.document == document, "what was written reads differently: \(written)")
  checkCanonicalText(text, document)
  DocumentEdits(document)?.run()
}

/// The canonical text means the same, and is its own canonical text.
private func checkCanonicalText(_ text: SourceText, _ document: CompositionDocument) {
  let canonical = CanonicalText(text, commonKeys: commonKeys)
  guard let written = canonical.text else {
    let isRefused = canonical.diagnostics.contains { $0.severity == .error }
    require(isRefused, "no canonical text and no reason")
    return
  }
  let again = SourceText(file: "canonical.json", text: written)
  let read = CompositionReader.read(again, commonKeys: commonKeys).document
  require(read == document, "the canonical text reads differently: \(written)")
  let twice = CanonicalText(again, commonKeys: commonKeys).text
  require(twice == written, "the canonical text has another one: \(written)\(twice ?? "")")
}

// MARK: - The edits of a document

/// Lays a document's clips on tracks, as if every source had all times, and makes its edits.
private struct DocumentEdits {
  let document: CompositionDocument
  let rate: FrameRate

  init?(_ document: CompositionDocument) {
    guard let rate = document.timeline.frameRate ?? FrameRate(25) else { return nil }
    self.document = document
    self.rate = rate
  }

  func run() {
    var composition = Composition()
    var ids: [String: [TrackID]] = [:]
    for track in document.tracks.prefix(8) {
      let id = composition.addTrack(track.kind == .audio ? .audio : .video, name: track.id)
      ids[track.id ?? "", default: []].append(id)
      for item in track.items.prefix(32) {
        let piece: TrackSegment
        let place: Rational?
        switch item {
        case .clip(let clip):
          piece = self.piece(clip, track.kind == .audio ? .audio : .video)
          place = clip.at?.seconds(at: rate)
        case .gap(let length, let at):
          piece = .empty(length.seconds(at: rate))
          place = at?.seconds(at: rate)
        case .transition: continue
        }
        make(&composition) { (value) throws(EditError) in
          try value.update(id) { (track) throws(EditError) in
            try track.insert([piece], at: place)
          }
        }
      }
    }
    for edit in document.edits.prefix(32) {
      let operation = try? EditOperation(
        edit, at: rate, tracks: { (id) throws(EditError) in ids[id] ?? [] },
        pieces: { (clip) throws(EditError) in [piece(clip, .video), piece(clip, .audio)] })
      guard let operation else { continue }
      make(&composition) { (value) throws(EditError) in try value.apply(operation) }
    }
    checkDerived(composition)
  }

  private func piece(_ clip: Clip, _ kind: CompositionTrack.Kind) -> TrackSegment {
    let start = (clip.freeze ?? clip.in)?.seconds(at: rate) ?? .zero
    let length = clip.duration?.seconds(at: rate) ?? 1
    let end = clip.out?.seconds(at: rate) ?? start + length
    let range = Range(start: start, end: end) ?? 0..<0
    let playback: TrackSegment.Playback =
      clip.freeze != nil ? .frozen : clip.isReversed ? .reversed : .forward
    return .media(
      SourceTrack(clip.source, kind: kind, extent: nil), range,
      duration: clip.fitDuration?.seconds(at: rate) ?? range.duration / clip.speed,
      playback: playback)
  }
}
