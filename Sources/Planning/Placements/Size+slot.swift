internal import Core
package import MRAID

extension Size {
  /// A slot written like `320x50`, each side from 1 to 10000; nil for anything else.
  package init?(slot text: String) {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    let sides = parts.compactMap { $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int($0) : nil }
    guard parts.count == 2, sides.count == 2, sides.allSatisfy((1...10_000).contains) else { return nil }
    self.init(width: Double(sides[0]), height: Double(sides[1]))
  }
}
