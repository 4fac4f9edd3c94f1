/// Name of a file, compared byte by byte as on servers: composed and decomposed letters differ.
struct ExactName: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (first: ExactName, second: ExactName) -> Bool { first.text.utf8.elementsEqual(second.text.utf8) }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
