/// Where a rule or a number comes from.
package struct Citation: Hashable, Sendable, Codable {
  /// The document's name: `IAB New Ad Portfolio`.
  package var title: String
  package var url: String
  /// The date the source says, as precisely as it does: `2017`, `2018-04`, `2025-03-11`.
  package var date: String?

  /// Whether a browser can open it: Galley's own documents only have names.
  package var isOnTheWeb: Bool { ["https://", "http://"].contains(where: url.hasPrefix) }

  package init(title: String, url: String, date: String? = nil) {
    self.title = title
    self.url = url
    self.date = date
  }
}
