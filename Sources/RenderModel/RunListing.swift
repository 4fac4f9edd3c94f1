package import Core
internal import FoundationEssentials
internal import Glibc

/// Lists the results that the last `galley render` left in a folder; other results there are from earlier runs.
package struct RunListing: Hashable, Sendable, Codable {
  /// Name of the file with the listing, beside the results' folders.
  package static let fileName = "galley-results.json"
  /// Maximum size of a listing to read, in bytes.
  private static let largest = 64 << 20

  private let schema: Int
  /// Paths of the results' folders, relative to the listing's folder.
  package let results: [String]

  package init(results: [String]) { (schema, self.results) = (Galley.schema, results) }

  /// Nil if there is no readable listing.
  package static func read(in folder: String) -> RunListing? {
    guard let bytes = try? FileReading.regular("\(folder)/\(fileName)", most: largest) else { return nil }
    return try? JSONDecoder().decode(RunListing.self, from: Data(bytes))
  }

  package func write(in folder: String) throws(Fault) {
    do {
      try OutputFile.write(JSONText.of(self), to: "\(folder)/\(Self.fileName)")
    } catch {
      throw Fault.writing(folder, error, isNamed: true)
    }
  }

  /// Removes the listing, for a run that leaves only a part of the results that belong together.
  package static func remove(in folder: String) { unlink("\(folder)/\(fileName)") }
}
