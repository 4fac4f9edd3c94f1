package import Jobs

/// Everything that is known of one creative on one device: what checks look at, and all they look at.
package struct Evidence: Sendable {
  package var record: RenderRecord
  /// What happened: the render's own log first, then what each thing tried while exploring brought.
  package var journeys: [Journey]
  /// The creative's files; nil when they can't be read, as at an address.
  package var inventory: Inventory?
  /// What exploring found; nil when nobody explored.
  package var exploration: ExploredStates?
  /// What the render measured; nil when it didn't get as far.
  package var measurements: Measurements?
  /// The networks whose rules to judge by.
  package var profiles: [Profile]

  package init(
    record: RenderRecord, journeys: [Journey] = [], inventory: Inventory? = nil, exploration: ExploredStates? = nil,
    measurements: Measurements? = nil, profiles: [Profile] = []
  ) {
    self.record = record
    self.journeys = journeys
    self.inventory = inventory
    self.exploration = exploration
    self.measurements = measurements
    self.profiles = profiles
  }

  /// The render's own log, as `events.ndjson` has it.
  package var events: [Event] { journeys.first?.events ?? [] }
}
