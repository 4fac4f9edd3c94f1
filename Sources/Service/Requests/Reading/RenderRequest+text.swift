internal import FoundationEssentials

extension RenderRequest {
  /// As the store keeps it: the same request gives the same text.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Nil when it isn't one, or one of a later Galley.
  package static func read(_ text: String) -> RenderRequest? {
    try? JSONDecoder().decode(RenderRequest.self, from: Data(text.utf8))
  }
}
