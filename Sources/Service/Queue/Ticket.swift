/// A render that waits for its turn.
package struct Ticket: Hashable, Sendable {
  package let id: String
  /// Whose it is: turns go round among owners.
  package let owner: String
  /// Milliseconds since 1970 after which it isn't worth rendering any more.
  package let deadline: Int64

  package init(id: String, owner: String, deadline: Int64) {
    (self.id, self.owner, self.deadline) = (id, owner, deadline)
  }
}
