/// Answer of a server.
package struct HTTPAnswer: Hashable, Sendable {
  package var status: Int
  package var body: [UInt8]

  package init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }
}

/// Reason why no complete answer came, usually in the words of the network library.
package struct HTTPFailure: Error, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
