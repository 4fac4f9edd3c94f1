package import Core

/// Reason for which a request can be read but not rendered: faults in some of its members.
package struct InvalidRequest: Error, Hashable, Sendable {
  /// A fault in one member of a request.
  package struct Field: Hashable, Sendable, Encodable {
    /// A JSON Pointer: `/size`.
    package let pointer: String
    package let detail: String
    /// The stable code of this fault; nil if it has none of its own.
    package let code: String?

    package init(_ name: String, _ fault: Fault) { self.init(name, fault.message, code: fault.code) }

    package init(_ name: String, _ detail: String, code: String? = nil) {
      self.code = code
      let escaped = name.replacing("~", with: "~0").replacing("/", with: "~1")
      (pointer, self.detail) = (name.isEmpty ? "" : "/\(escaped)", detail)
    }
  }

  package let fields: [Field]

  package init(_ fields: [Field]) { self.fields = fields }

  /// The members' faults as one.
  package var fault: Fault {
    let message =
      fields.count == 1
      ? "\(fields[0].pointer.dropFirst()): \(fields[0].detail)" : "\(fields.count) members of the request are invalid"
    // One that has a code of its own is known by that, as on the command line.
    let code = fields.count == 1 ? fields[0].code : nil
    return .request(code ?? "request-invalid", message)
  }
}

/// Looks up the names in a request, and collects the unknown ones.
struct NameReader {
  private(set) var problems: [InvalidRequest.Field] = []

  /// The result of `look`; nil if it throws, after recording the fault.
  mutating func take<Value>(_ member: String, _ look: () throws(Fault) -> Value) -> Value? {
    do throws(Fault) {
      return try look()
    } catch {
      problems.append(InvalidRequest.Field(member, error))
      return nil
    }
  }

  /// The given value; nil after recording a fault if there is none.
  mutating func take<Value>(_ member: String, _ value: Value?, else detail: String) -> Value? {
    if value == nil { fail(member, detail) }
    return value
  }

  /// Records a fault in a member.
  mutating func fail(_ member: String, _ detail: String) { problems.append(InvalidRequest.Field(member, detail)) }
}
