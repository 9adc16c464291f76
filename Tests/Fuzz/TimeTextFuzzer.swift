// sources: CutroomModel
import CutroomModel

/// Reads any text as a time and as a frame rate; what reads must be written and read back as the
/// same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTimeText(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  let text = String(decoding: bytes, as: UTF8.self)
  do throws(TimeTextError) {
    let time = try TimeText.parse(text)
    let again = try? TimeText.parse(time.text)
    precondition(again == time, "'\(text)' was written as '\(time.text)'")
  } catch {
    precondition(error.message.utf8.count < 600, "a long message for '\(text)'")
  }
  if let number = try? TimeText.parseNumber(text) {
    precondition((try? TimeText.parse(number.text)) == number, "'\(text)' as a number")
  }
  guard let rate = try? FrameRate.parse(text) else { return 0 }
  precondition((try? FrameRate.parse(rate.text)) == rate, "'\(text)' as a rate")
  guard case .timecode(let timecode)? = try? TimeText.parse(text),
    let frame = timecode.frame(at: rate)
  else { return 0 }
  let inverse = Timecode(frame: frame, at: rate, isDropFrame: timecode.isDropFrame)
  precondition(inverse == timecode, "'\(text)' as a timecode")
  return 0
}
