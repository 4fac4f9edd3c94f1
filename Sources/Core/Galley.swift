internal import FoundationEssentials

/// The product itself.
package enum Galley {
  /// Semantic version, as `galley --version` and every result say.
  package static let version = "0.1.0"

  /// The version of the shape of every document that is written, as `schema` in it says.
  package static let schema = 2
}

/// The version of a document's shape, which is read before the rest: another version's members have other names.
package struct DocumentVersion: Decodable {
  private let schema: Int

  /// Refuses a document of another version; what isn't JSON, or has no version, is for the reader to refuse.
  ///
  /// - Parameter remedy: how to make a new one, as the end of a sentence.
  package static func check(_ bytes: some Sequence<UInt8>, of path: String, remedy: String) throws(Fault) {
    guard let version = try? JSONDecoder().decode(DocumentVersion.self, from: Data(bytes)) else { return }
    try check(version.schema, of: path, remedy: remedy)
  }

  /// The same of a document that is read already.
  package static func check(_ schema: Int, of path: String, remedy: String) throws(Fault) {
    guard schema != Galley.schema else { return }
    throw .request(
      "schema-unsupported", "\(path) is of schema \(schema), and this Galley reads schema \(Galley.schema): \(remedy)")
  }
}
