package import Jobs

/// How a render ended, to be written down together with what has to be told of it.
package struct Ending: Hashable, Sendable {
  /// What an address is to be told.
  package struct Message: Hashable, Sendable {
    package let id: String
    package let address: String
    /// The host of the address.
    package let receiver: String
    package let body: String

    package init(id: String, address: String, receiver: String, body: String) {
      (self.id, self.address, self.receiver, self.body) = (id, address, receiver, body)
    }
  }

  package var status: RenderStatus
  package var fault: Fault?
  package var summary: String?
  package var finished: Int64
  package var hook: Message?

  package init(
    status: RenderStatus, fault: Fault? = nil, summary: String? = nil, finished: Int64, hook: Message? = nil
  ) {
    (self.status, self.fault, self.summary) = (status, fault, summary)
    (self.finished, self.hook) = (finished, hook)
  }
}
