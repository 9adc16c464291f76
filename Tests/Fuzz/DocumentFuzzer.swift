// sources: CutroomModel
import CutroomModel

/// Reads any bytes as a composition; what reads without an error must be written and read back as
/// the same value, and every finding must have a place in the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDocument(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  let text = SourceText(file: "fuzz.json", bytes: bytes)
  let (document, diagnostics) = CompositionReader.read(text, commonKeys: ["title", "artist"])
  for diagnostic in text.placed(diagnostics) {
    precondition(!diagnostic.message.isEmpty, "a finding says nothing")
    guard let place = diagnostic.place else {
      precondition(diagnostic.severity == .note, "a finding has no place")
      continue
    }
    precondition(place.line >= 1 && place.column >= 1, "a place is outside the text")
    precondition(text.excerpt(at: place) != nil, "a place has no line")
  }
  guard let document else {
    precondition(diagnostics.contains { $0.severity == .error }, "no document and no reason")
    return 0
  }
  let written = CompositionWriter.text(document)
  let again = CompositionReader.read(SourceText(file: "again.json", text: written))
  precondition(again.document == document, "what was written reads differently: \(written)")
  return 0
}
