/// Something that breaks the standard and that players put up with: what is wrong, and what was done about it.
package struct VASTFlaw: Hashable, Sendable {
  /// From 1, in the response's own text.
  package var line: Int
  package var reason: String

  package init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }
}

extension [VASTFlaw] {
  /// The most that are told of a response; who writes more of them learns nothing from the rest.
  private static let most = 50

  /// Notes one in `element`.
  mutating func add(_ element: XMLTree, _ reason: String) {
    if count < Self.most { append(VASTFlaw(line: element.line, reason: reason)) }
  }
}
