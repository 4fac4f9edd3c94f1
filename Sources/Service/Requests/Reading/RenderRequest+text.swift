internal import Baselines
internal import FoundationEssentials

extension RenderRequest {
  /// As the store keeps it: the same request gives the same text.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// A hash of what decides how it is rendered: the same for requests that do the same with a creative.
  package var recipe: String {
    var bare = self
    (bare.name, bare.callback, bare.patience) = ("", nil, 0)
    return Document.hash(of: Array(bare.text.utf8))
  }

  /// Nil when it isn't one, or one of a later Galley.
  package static func read(_ text: String) -> RenderRequest? {
    try? JSONDecoder().decode(RenderRequest.self, from: Data(text.utf8))
  }
}
