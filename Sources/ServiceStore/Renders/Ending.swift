package import Jobs

/// How a render ended, to be written down together with what has to be told of it.
package struct Ending: Sendable {
  package var status: RenderStatus
  package var fault: Fault?
  package var summary: String?
  package var finished: Int64
  /// The address that wants to hear, and what it is sent.
  package var hook: (id: String, address: String, body: String)?

  package init(
    status: RenderStatus, fault: Fault? = nil, summary: String? = nil, finished: Int64,
    hook: (id: String, address: String, body: String)? = nil
  ) {
    (self.status, self.fault, self.summary) = (status, fault, summary)
    (self.finished, self.hook) = (finished, hook)
  }
}
