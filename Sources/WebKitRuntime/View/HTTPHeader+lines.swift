internal import CWebKitGTK
internal import Engine

extension HTTPHeader {
  /// Limits on lines and on characters of a value, as a header may be very long.
  private static let most = 100
  private static let longest = 4_000

  /// Returns the lines in order, up to `most`; empty if there is no header.
  @EngineActor static func list(_ headers: OpaquePointer?) -> [HTTPHeader] {
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

  /// Returns the value of one line; nil if it is missing.
  @EngineActor static func value(of name: String, in headers: OpaquePointer?) -> String? {
    guard let headers, let value = soup_message_headers_get_one(headers, name) else { return nil }
    return String(String(cString: value).prefix(longest))
  }
}
