internal import Core

/// Policy that a report applied, as named in `report.json`.
package struct PolicySource: Hashable, Sendable, Codable {
  /// Way in which the policy was chosen.
  package enum Kind: String, Sendable, Codable {
    /// No policy was applied.
    case none
    /// Galley found the project's file.
    case found
    /// The call named the file.
    case named
  }

  package var source: Kind
  /// Path of the file, relative to the call's folder if it lies below that; nil for none.
  package var path: String?
  /// SHA-256 of the file as it was read; nil for none.
  package var sha256: String?

  /// No policy.
  package static let none = PolicySource(source: .none)

  package init(source: Kind, path: String? = nil, sha256: String? = nil) {
    (self.source, self.path, self.sha256) = (source, path, sha256)
  }

  /// Text for a line of a report: `creatives/galley.yaml (found)`, `none`.
  package var text: String { path.map { "\($0.printable) (\(source.rawValue))" } ?? source.rawValue }
}
