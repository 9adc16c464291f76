extension MP4File {
  /// Whether a box `ID32` holds a tag of ID3.
  var hasID3: Bool {
    let places = [root.child("meta"), root.child("udta", "meta")]
    return places.contains { $0?.child("ID32") != nil }
  }
}
