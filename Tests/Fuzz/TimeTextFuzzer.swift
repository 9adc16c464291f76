// sources: CutroomModel
// options: -max_len=80
import CutroomModel

/// Reads any text as a time and as a frame rate; what reads must be written and read back as the
/// same value; and a timecode is that of its frame.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTimeText(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  let text = String(decoding: bytes, as: UTF8.self)
  do throws(TimeTextError) {
    let time = try TimeText.parse(text)
    let again = try? TimeText.parse(time.text)
    require(again == time, "'\(text)' was written as '\(time.text)'")
  } catch {
    require(error.message.utf8.count < 600, "a long message for '\(text)'")
  }
  if let number = try? TimeText.parseNumber(text) {
    require((try? TimeText.parse(number.text)) == number, "'\(text)' as a number")
  }
  if let rate = try? FrameRate.parse(text) {
    require((try? FrameRate.parse(rate.text)) == rate, "'\(text)' as a rate")
  }
  if case .timecode(let timecode)? = try? TimeText.parse(text) { check(timecode) }
  return 0
}

private let rates = [Rational(24), Rational(25), Rational(30000, 1001), Rational(60000, 1001)]
  .compactMap(FrameRate.init)

/// A timecode that a rate has is that of its frame, and of its time.
private func check(_ timecode: Timecode) {
  for rate in rates {
    let seconds = TimeExpression.timecode(timecode).seconds(at: rate)
    guard let frame = timecode.frame(at: rate) else {
      require(!seconds.isValid, "a timecode without a frame has a time")
      continue
    }
    let inverse = Timecode(frame: frame, at: rate, isDropFrame: timecode.isDropFrame)
    require(inverse == timecode, "'\(timecode.text)' at \(rate)")
    require(rate.frame(at: seconds) == frame, "'\(timecode.text)' at \(rate) in seconds")
  }
}
