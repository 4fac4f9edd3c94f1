/// What an untrusted creative may ask of the machine; sizes in bytes.
package struct BundleLimits: Hashable, Sendable {
  /// Of the entry document.
  package var largestHTML = 20_000_000
  /// Of any other single file, inflated.
  package var largestFile = 100_000_000
  /// Entries in a zip, folders included.
  package var mostEntries = 2_000
  /// All of a zip's entries, inflated; the zip file itself may not be larger either.
  package var largestTotal = 200_000_000
  /// Inflated size over stored size, for entries above `smallestRatioChecked`.
  package var highestRatio = 200
  /// Entries up to this many bytes may compress as well as they like.
  package var smallestRatioChecked = 1_000_000

  package init() {}

  package static let standard = BundleLimits()
}

extension Int {
  /// `20 MB`, `20.5 MB`: decimal megabytes, rounded up to a tenth so that what is over a limit reads so.
  var asMegabytes: String {
    let tenths = self / 100_000 + (self % 100_000 > 0 ? 1 : 0)
    return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
  }
}
