package import Jobs

/// An opened creative: its document and, on demand, everything beside it; nothing in it is trusted.
package struct CreativeBundle: Sendable {
  /// What a creative was delivered as; the raw value is `RenderRecord.Creative.kind`.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// One document file; its folder's files are served beside it.
    case html
    case folder
    case zip
    /// Markup without a document, wrapped in a minimal one.
    case fragment
    /// An ad server's answer: VAST, or an OpenRTB bid response.
    case vast
    case bid
    /// Loaded by the engine itself; nothing was opened.
    case url
  }

  package let kind: Kind
  /// Lower-case hex: of the file, or of the sorted list of a folder's files; nil for a URL.
  package let sha256: String?
  package let meta: CreativeMeta
  /// The document to load; nil for a URL, and for an ad server's answer that isn't understood yet.
  package internal(set) var entry: BundleResource?
  /// The address to load; nil for everything else.
  package internal(set) var url: String?
  /// An ad server's answer as it came; nil for everything else.
  package internal(set) var response: (form: ResponseForm, bytes: [UInt8])?
  /// Where everything but the entry comes from.
  private let store: any BundleStore

  init(
    kind: Kind, sha256: String? = nil, meta: CreativeMeta = CreativeMeta(), entry: BundleResource? = nil,
    url: String? = nil, store: any BundleStore = EmptyStore()
  ) {
    self.kind = kind
    self.sha256 = sha256
    self.meta = meta
    self.entry = entry
    self.url = url
    self.store = store
  }

  /// The file at a URL path inside the creative (`/img/a%20b.png?x=1`), the entry for the root; nil when there is none.
  package func resource(path: String) throws(Fault) -> BundleResource? {
    guard let components = ResourcePath.components(path) else { return nil }
    let name = components.joined(separator: "/")
    if let entry, name.isEmpty || name == entry.path { return entry }
    guard !name.isEmpty, let bytes = try store.bytes(at: components) else { return nil }
    return BundleResource(path: name, bytes: bytes)
  }

  /// Paths of all its files, sorted: the whole of a folder or zip; nil where that isn't known.
  package func paths() throws(Fault) -> [String]? {
    guard kind == .folder || kind == .zip else { return nil }
    return try store.listing().map { $0.joined(separator: "/") }
  }
}
