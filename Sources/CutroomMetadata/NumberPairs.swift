/// A number and a total come in two fields of Vorbis comments and two tags of Matroska; this brings
/// them together.
package func joiningPairs(_ items: [MetadataItem]) -> [MetadataItem] {
  let pairs: [(number: MetadataIdentifier, totals: [String])] = [
    (MetadataIdentifier(.vorb, "TRACKNUMBER"), ["TRACKTOTAL", "TOTALTRACKS"]),
    (MetadataIdentifier(.vorb, "DISCNUMBER"), ["DISCTOTAL", "TOTALDISCS"]),
    (MetadataIdentifier(.matroska, "PART_NUMBER"), ["TOTAL_PARTS"]),
  ]
  var result = items
  for (number, totals) in pairs {
    let isTotal = { (item: MetadataItem) in
      item.identifier.keySpace == number.keySpace && totals.contains(item.identifier.key)
    }
    guard let index = result.firstIndex(where: { $0.identifier == number }),
      let total = result.first(where: isTotal)?.values.first,
      let text = result[index].values.first, !text.contains("/")
    else { continue }
    result[index].value = .texts([text + "/" + total])
    result.removeAll(where: isTotal)
  }
  return result
}
