/// One change to the items of a file, in the words of its container.
package enum TagOperation: Hashable, Sendable {
  /// Replaces all items of the identifier; no items remove it.
  case set(MetadataIdentifier, [MetadataItem])
  /// Removes all items.
  case clear
}
