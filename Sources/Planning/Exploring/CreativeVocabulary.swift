internal import Bundles
internal import Exploration
internal import Jobs
internal import MRAID

/// Reads a creative's own files for the MRAID methods they name.
enum CreativeVocabulary {
  /// Files looked at, and bytes of each.
  private static let mostFiles = 50
  private static let largest = 2_000_000

  /// The document's, and those of the documents and scripts that it and they name; nil for an address.
  static func read(_ reference: CreativeReference) -> Vocabulary? {
    guard let bundle = try? CreativeBundle.open(reference), let entry = bundle.entry else { return nil }
    var vocabulary = Vocabulary()
    var waiting = [entry]
    var known: Set<String> = [entry.path]
    while let file = waiting.popLast() {
      let text = String(decoding: file.bytes.prefix(largest), as: UTF8.self)
      vocabulary.read(text)
      let folder = file.path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
      for name in Vocabulary.references(in: text) where known.count < mostFiles {
        // Whatever a creative brings under the container's name never runs.
        guard !MRAIDScriptRequest.matches(name), let found = try? bundle.resource(path: folder + name),
          known.insert(found.path).inserted
        else { continue }
        waiting.append(found)
      }
    }
    return vocabulary
  }
}
