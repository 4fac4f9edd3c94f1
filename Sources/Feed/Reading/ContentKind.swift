package import Jobs

/// A kind of content that a feed file can have a section of, besides posts.
///
/// A new kind is a provider and a factory in files of their own, and a line here.
package struct ContentKind: Sendable {
  /// The section's name, also among `features`.
  package let name: String
  /// What its slots are.
  package let type: ContentType
  /// Reads the section.
  package let provider: @Sendable (YAMLNode) throws(Fault) -> any ContentProvider
  package let factory: any CellFactory

  /// In the order in which they decide: what has to be second comes last, when nothing is put before it any more.
  package static let all = [
    ContentKind(
      name: "ads", type: .ad, provider: { node throws(Fault) in try AdProvider(node) }, factory: AdCellFactory()),
    ContentKind(
      name: "survey", type: .survey, provider: { node throws(Fault) in try SurveyProvider(node) },
      factory: SurveyCellFactory()),
    ContentKind(
      name: "notification", type: .notification, provider: { node throws(Fault) in try NotificationProvider(node) },
      factory: NotificationCellFactory()),
  ]
}
