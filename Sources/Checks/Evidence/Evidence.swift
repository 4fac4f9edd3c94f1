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
  /// What the pictures show.
  package var pictures: [PictureFacts]
  /// When the initial load ended, by each of the definitions; nil where it wasn't measured.
  package var boundaries: LoadBoundaries
  /// The rules of the profiles to judge by.
  package var profiles: [Profile]

  package init(
    record: RenderRecord, journeys: [Journey] = [], inventory: Inventory? = nil, exploration: ExploredStates? = nil,
    pictures: [PictureFacts] = [], boundaries: LoadBoundaries = LoadBoundaries(), profiles: [Profile] = []
  ) {
    self.record = record
    self.journeys = journeys
    self.inventory = inventory
    self.exploration = exploration
    self.pictures = pictures
    self.boundaries = boundaries
    self.profiles = profiles
  }

  /// The render's own log, as `events.ndjson` has it.
  package var events: [Event] { journeys.first?.events ?? [] }
}
