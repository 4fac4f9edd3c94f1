/// The states of an MRAID ad; both parts of a two-part expand share one.
package enum MRAIDState: String, Sendable, Codable, CaseIterable {
  case loading, `default`, expanded, resized, hidden
}
