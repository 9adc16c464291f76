package import CutroomMedia

/// The keyframes of a stream as its container's index has them.
///
/// Times are the index's own, usually decoding times: a picture is shown at that time or later.
package struct KeyframeIndex: Sendable {
  /// A keyframe's time in ticks of the stream, ascending.
  package var timestamps: [Int64]
  /// Whether the container lists all keyframes.
  package var isComplete: Bool

  /// Takes over the index that `demuxer` has of a stream.
  package init(_ demuxer: Demuxer, stream: Int) {
    let entries = demuxer.index(of: stream)
    timestamps = entries.filter { $0.isKeyframe && !$0.isDiscard }.map(\.timestamp).sorted()
    isComplete = demuxer.formatName.split(separator: ",").contains("mov") && !entries.isEmpty
  }

  /// The last keyframe at or before `timestamp`; `nil` before the first.
  package func last(notAfter timestamp: Int64) -> Int64? {
    var (low, high) = (0, timestamps.count)
    while low < high {
      let middle = (low + high) / 2
      if timestamps[middle] <= timestamp { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? timestamps[low - 1] : nil
  }
}
