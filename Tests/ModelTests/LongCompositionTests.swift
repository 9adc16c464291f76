import CutroomModel
import Foundation
import Testing

/// Tens of thousands of clips on a stack that holds no frame for each.
struct LongCompositionTests {
  /// Runs `body` on a thread with a stack of 256 KB; a stack that overflows ends the process.
  private static func onSmallStack(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        body()
        continuation.resume()
      }
      thread.stackSize = 256 << 10
      thread.start()
    }
  }

  @Test func readsWritesAndFormatsWithoutRecursionOverClips() async {
    await Self.onSmallStack {
      let clip = "{\"source\": \"a.mov\", \"in\": \"1/3\", \"out\": \"2s\"}, // one\n"
      let json =
        "{\"format\": \"cutroom/1\", \"tracks\": [{\"clips\": ["
        + String(repeating: clip, count: 20000) + "]}]}"
      let text = SourceText(file: "long.json", text: json)
      let read = CompositionReader.read(text)
      #expect(read.diagnostics.isEmpty && read.document?.tracks[0].items.count == 20000)
      let canonical = CanonicalText(text).text
      #expect(canonical?.utf8.count { $0 == UInt8(ascii: "\n") } ?? 0 > 20000)
    }
  }

  @Test func editsWithoutRecursionOverSegments() async {
    await Self.onSmallStack {
      var track = CompositionTrack(id: 1, kind: .video)
      let pieces = (0..<20000).map { index in
        TrackSegment.media(Sources.color, Rational(index)..<Rational(index + 1), duration: 2)
      }
      do throws(EditError) {
        try track.insert(pieces)
        try track.remove(3..<5)
        try track.scale(0..<10000, to: 5000)
        #expect(track.duration == 34998)
        #expect(track.segments.count > 19990)
        #expect(track.normalized().segments.count < 6)
      } catch { Issue.record("\(error)") }
    }
  }
}
