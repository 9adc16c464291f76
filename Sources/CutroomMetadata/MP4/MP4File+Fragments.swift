extension MP4File {
  /// Checks what readers of fragments take memory and time for without end where it is damaged.
  ///
  /// Fragments name tracks by the numbers in their headers. A run of samples of one size says only how
  /// many there are, so that a few bytes can claim millions: the file has a byte for each.
  package func checkFragments() throws(MetadataError) {
    let fragments = boxes.filter { $0.type == "moof" }
    guard fragments.isEmpty || tracks.allSatisfy({ $0.child("tkhd") != nil }) else {
      throw damaged("a track has no header ('tkhd')")
    }
    for box in fragments {
      guard box.end - box.start <= Self.maximumMoof else {
        throw MetadataError(.limit, "'moof' is larger than \(Self.maximumMoof) bytes")
      }
      let bytes = try reader.read(at: box.start, count: Int(box.end - box.start))
      var parser = BoxParser(bytes)
      let runs = try parser.root().children.flatMap(\.children).filter { $0.type == "trun" }
      for run in runs {
        guard let count = bytes.u32(run.content.lowerBound + 4), Int64(count) <= reader.size else {
          throw damaged("a fragment claims more samples than the file has bytes")
        }
      }
    }
  }

  private func damaged(_ what: String) -> MetadataError {
    MetadataError(
      .malformed, "\(what); repair the file, for example by copying its streams into a new one")
  }

  static let maximumMoof: Int64 = 64 << 20
}
