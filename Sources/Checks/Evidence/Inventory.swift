internal import MRAID

/// A creative's own files, as they were delivered.
package struct Inventory: Hashable, Sendable {
  package struct File: Hashable, Sendable {
    /// Below the creative's root: `img/logo.png`.
    package var path: String
    package var bytes: Int
    /// Of documents, scripts and styles; nil for everything else.
    package var text: String?
    /// Of data files, which may name others: JSON, atlases, fonts' descriptions.
    package var names: String?

    package init(path: String, bytes: Int, text: String? = nil, names: String? = nil) {
      self.path = path
      self.bytes = bytes
      self.text = text
      self.names = names
    }

    /// A file made of this text.
    package init(path: String, text: String) {
      self.init(path: path, bytes: text.utf8.count, text: text)
    }
  }

  /// html, folder, zip or fragment, as in the record.
  package var kind: String
  /// The delivered file's or folder's name.
  package var name: String
  /// The zip's own size.
  package var packed: Int?
  /// The document's path.
  package var entry: String
  /// Sorted by path. Beside a single document only what it names is known to be its own.
  package let files: [File]
  /// The documents, scripts and styles among them, to look for passages in; whatever comes as `mraid.js` never runs.
  let sources: [SourceText]

  package init(kind: String, name: String, packed: Int? = nil, entry: String = "index.html", files: [File]) {
    self.kind = kind
    self.name = name
    self.packed = packed
    self.entry = entry
    self.files = files
    sources = files.compactMap { file in
      guard !MRAIDScriptRequest.matches(file.path) else { return nil }
      return file.text.map { SourceText(path: file.path, text: $0) }
    }
  }

  /// Whether `files` is everything that was delivered, rather than what was found to be used.
  package var isWhole: Bool { kind == "zip" || kind == "folder" }
  /// What is handed in: the zip, or else every file.
  package var deliveredBytes: Int { packed ?? files.reduce(0) { $0 + $1.bytes } }
}
