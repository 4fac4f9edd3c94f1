internal import FoundationEssentials

/// The product itself.
package enum Galley {
  /// Semantic version, as printed by `galley --version` and stored in every result.
  package static let version = "0.1.0"

  /// Version of the format of all written documents, stored in their `schema` member.
  package static let schema = 2
}

/// Version of a document's format, decoded before the rest, because other versions name their members differently.
package struct DocumentVersion: Decodable {
  private let schema: Int

  /// Refuses a document of another version; input that isn't JSON or has no version is left for the reader to refuse.
  ///
  /// - Parameter remedy: instructions for making a new document, as the end of a sentence.
  package static func check(_ bytes: some Sequence<UInt8>, of path: String, remedy: String) throws(Fault) {
    guard let version = try? JSONDecoder().decode(DocumentVersion.self, from: Data(bytes)) else { return }
    try check(version.schema, of: path, remedy: remedy)
  }

  /// The same for a document that is already decoded.
  package static func check(_ schema: Int, of path: String, remedy: String) throws(Fault) {
    guard schema != Galley.schema else { return }
    throw .request(
      "schema-unsupported", "\(path) is of schema \(schema), and this Galley reads schema \(Galley.schema): \(remedy)")
  }
}
