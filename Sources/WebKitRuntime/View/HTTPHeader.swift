internal import CWebKitGTK

/// A line of a request's or an answer's head.
package struct HTTPHeader: Hashable, Sendable {
  package var name: String
  package var value: String

  /// What is kept of a head that somebody may have made to be long.
  private static let most = 100
  private static let longest = 4_000

  /// Every line, in order; none for a head that doesn't exist.
  @WebKitActor static func list(_ headers: OpaquePointer?) -> [HTTPHeader] {
    guard let headers else { return [] }
    var iterator = SoupMessageHeadersIter()
    soup_message_headers_iter_init(&iterator, headers)
    var found: [HTTPHeader] = []
    var (name, value): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    while found.count < most, soup_message_headers_iter_next(&iterator, &name, &value) != 0, let name, let value {
      found.append(HTTPHeader(name: String(cString: name), value: String(String(cString: value).prefix(longest))))
    }
    return found
  }
}

extension [HTTPHeader] {
  /// The value of a name, however it is written.
  package func value(of name: String) -> String? { first { $0.name.lowercased() == name }?.value }
}
