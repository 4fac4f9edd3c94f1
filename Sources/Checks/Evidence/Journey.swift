package import Jobs

/// What was logged on one way through the creative.
package struct Journey: Hashable, Sendable {
  /// What was done: `tap #expand`; nil for the render itself.
  package var action: String?
  /// The events it brought; those on the way to where it began are left out.
  package var events: [Event]

  package init(action: String? = nil, events: [Event]) {
    self.action = action
    self.events = events
  }
}
