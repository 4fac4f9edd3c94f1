package import Jobs

/// Why a request wasn't answered as asked: an RFC 9457 problem document with a stable code.
package struct Problem: Error, Hashable, Sendable {
  /// What is wrong with one member of a request.
  package struct Field: Hashable, Sendable, Encodable {
    /// A JSON Pointer: `/size`.
    package let pointer: String
    package let detail: String
    /// The stable code of what is wrong, where there is one of its own.
    package let code: String?

    package init(_ name: String, _ fault: Fault) { self.init(name, fault.message, code: fault.code) }

    package init(_ name: String, _ detail: String, code: String? = nil) {
      self.code = code
      let escaped = name.replacing("~", with: "~0").replacing("/", with: "~1")
      (pointer, self.detail) = (name.isEmpty ? "" : "/\(escaped)", detail)
    }
  }

  package var status: Int
  package var fault: Fault
  package var fields: [Field] = []
  /// Seconds after which it may be tried again.
  package var retryAfter: Int?

  package init(_ status: Int, _ fault: Fault, fields: [Field] = [], retryAfter: Int? = nil) {
    (self.status, self.fault, self.fields, self.retryAfter) = (status, fault, fields, retryAfter)
  }

  package init(_ status: Int, _ code: String, _ message: String, retryAfter: Int? = nil) {
    self.init(status, .request(code, message), retryAfter: retryAfter)
  }
}
