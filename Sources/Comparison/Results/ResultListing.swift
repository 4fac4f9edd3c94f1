/// What a folder of results holds: the output of one render, or just pictures.
package struct ResultListing: Hashable, Sendable {
  /// Where it is below the folder that was asked about; empty for that folder itself.
  package let name: String
  package let path: String
  /// Paths of the pictures by their names, which end in `.png`.
  package let pictures: [String: String]
  /// The paths of `events.ndjson` and `result.json`, when they are there.
  package let events: String?
  package let record: String?

  package init(
    name: String, path: String, pictures: [String: String], events: String? = nil, record: String? = nil
  ) {
    (self.name, self.path, self.pictures, self.events, self.record) = (name, path, pictures, events, record)
  }
}
