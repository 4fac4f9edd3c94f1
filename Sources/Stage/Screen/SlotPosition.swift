/// Where in the content area a banner's slot is while the host page isn't scrolled.
package enum SlotPosition: String, Hashable, Sendable, Codable, CaseIterable {
  case top, center, bottom
}
