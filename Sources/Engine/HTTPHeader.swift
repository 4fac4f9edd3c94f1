/// Line of the header of a request or an answer.
package struct HTTPHeader: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension [HTTPHeader] {
  /// Returns the value of a line, whose name may be in any case; `name` must be in lower case.
  package func value(of name: String) -> String? { first { $0.name.lowercased() == name }?.value }
}
