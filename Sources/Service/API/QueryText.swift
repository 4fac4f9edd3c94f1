internal import Foundation

/// The query of an address.
package enum QueryText {
  /// Names and values decoded, in their order; plus signs stand for spaces.
  package static func parameters(_ query: String) -> [(name: String, value: String)] {
    query.split(separator: "&").map { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(decoded)
      return (pair[0], pair.count > 1 ? pair[1] : "")
    }
  }

  private static func decoded(_ text: Substring) -> String {
    let spaced = String(text).replacing("+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }
}
