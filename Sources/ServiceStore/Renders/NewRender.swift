/// A render that is to be accepted.
package struct NewRender: Sendable {
  /// What makes a request the same as an earlier one.
  package struct Idempotency: Hashable, Sendable {
    package let key: String
    /// A hash of everything that was asked for.
    package let fingerprint: String

    package init(key: String, fingerprint: String) {
      (self.key, self.fingerprint) = (key, fingerprint)
    }
  }
  /// What becomes of it.
  package enum Acceptance: Hashable, Sendable {
    case accepted(RenderRow)
    /// The same request under the same key was accepted before.
    case known(RenderRow)
    /// The key stands for another request.
    case conflict
  }

  package var id: String
  package var name: String
  package var content: String
  package var request: String
  package var owner: String
  package var created: Int64
  package var idempotency: Idempotency?

  package init(
    id: String, name: String, content: String, request: String, owner: String, created: Int64,
    idempotency: Idempotency? = nil
  ) {
    (self.id, self.name, self.content, self.request) = (id, name, content, request)
    (self.owner, self.created, self.idempotency) = (owner, created, idempotency)
  }
}
