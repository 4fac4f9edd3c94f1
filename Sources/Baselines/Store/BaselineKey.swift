/// What tells one baseline from another: the creative, and how it was shown.
package struct BaselineKey: Hashable, Sendable, Codable, Comparable {
  /// The creative's path from the folder that holds the store, `..` written as `up`; or `url/…`. Safe as a path.
  package let creative: String
  /// The device, then whatever else was asked for: `iphone-15`, `pixel-8.landscape.prebid-ios`. Safe as a file name.
  package let variant: String

  package init(creative: String, variant: String) {
    (self.creative, self.variant) = (creative, variant)
  }

  package static func < (first: BaselineKey, second: BaselineKey) -> Bool {
    (first.creative, first.variant) < (second.creative, second.variant)
  }

  /// `creative@variant`, as commands print it and patterns may write it.
  package var text: String { "\(creative)@\(variant)" }
}
