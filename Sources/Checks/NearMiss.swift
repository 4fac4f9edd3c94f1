internal import Core

/// A file of the creative whose name differs from a missing one only in details that are easily overlooked.
struct NearMiss {
  private let path: String
  private let difference: String

  /// Searches a file with a similar name; nil if there is none.
  init?(of wanted: String, in inventory: Inventory) {
    for file in inventory.files where !file.path.utf8.elementsEqual(wanted.utf8) {
      guard let difference = Self.difference(file.path, wanted) else { continue }
      (path, self.difference) = (file.path, difference)
      return
    }
    return nil
  }

  /// Text for the end of a sentence.
  var text: String { "; \(path) is, but \(difference)" }

  private static func difference(_ path: String, _ wanted: String) -> String? {
    // Swift takes composed and decomposed letters for the same; servers on Linux compare bytes.
    if path == wanted { return "its name has \(form(path, wanted)), so servers treat it as another name" }
    if path.lowercased() == wanted.lowercased() { return "upper and lower case differ" }
    if PercentEscapes.decoded(path) == wanted {
      return "its name contains percent escapes, which are decoded in addresses"
    }
    if path.trimmedAround == wanted.trimmedAround { return "spaces differ" }
    return nil
  }

  private static func form(_ path: String, _ wanted: String) -> String {
    path.unicodeScalars.count > wanted.unicodeScalars.count
      ? "decomposed letters, as macOS packs them" : "composed letters, and the request decomposed ones"
  }
}

extension String {
  /// Text in lower case without white space.
  fileprivate var trimmedAround: String { filter { !$0.isWhitespace }.lowercased() }
}
