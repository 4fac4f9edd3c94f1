internal import AdResponses
package import Core

/// Opened creative: its document and, on demand, all files beside it; none of its content is trusted.
package struct CreativeBundle: Sendable {
  /// Form in which a creative was delivered; the raw value is `RenderRecord.Creative.kind`.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// A single document file; files of its folder are served beside it.
    case html
    case folder
    case zip
    /// Markup without a document, wrapped in a minimal one.
    case fragment
    /// An ad server's answer: VAST, VMAP, or an OpenRTB bid response or native ad.
    case vast
    case vmap
    case bid
    /// An address that the engine loads itself; nothing was opened.
    case url
  }

  package let kind: Kind
  /// Digest in lower-case hex: of the file, or of the sorted list of a folder's files; nil for a URL.
  package let sha256: String?
  package let meta: CreativeMeta
  /// Document to load; nil for a URL, and for an ad server's answer that hasn't been processed yet.
  package internal(set) var entry: BundleResource?
  /// Address to load; nil for all other kinds.
  package internal(set) var url: String?
  /// An ad server's answer as it was delivered; nil for all other creatives.
  package internal(set) var response: (form: ResponseForm, bytes: [UInt8])?
  /// Name of the file in a folder with which the creative begins; nil for all other kinds.
  package internal(set) var document: String?
  /// Folder and document name inside a zip, from which a size may be read; empty for all other kinds.
  var innerNames: [String] = []
  /// Warnings for the caller about the way it was opened.
  package internal(set) var warnings: [String] = []
  /// Source of all files except the entry.
  let store: any BundleStore
  /// Files around a document that were requested.
  let served = ServedFiles()

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

  /// Returns the file at a URL path inside the creative (`/img/a%20b.png?x=1`), the entry for the root; nil if there is
  /// none.
  package func resource(path: String) throws(Fault) -> BundleResource? {
    guard let components = ResourcePath.components(path) else { return nil }
    let name = components.joined(separator: "/")
    if let entry, name.isEmpty || name == entry.path { return entry }
    guard !name.isEmpty, let bytes = try store.bytes(at: components) else { return nil }
    let resource = BundleResource(path: name, bytes: bytes)
    if kind != .folder, kind != .zip { served.note(resource) }
    return resource
  }

  /// Returns the paths of all files in a folder or zip, sorted; nil for other kinds, for which they aren't known.
  package func paths() throws(Fault) -> [String]? {
    guard kind == .folder || kind == .zip else { return nil }
    return try store.listing().map { $0.joined(separator: "/") }
  }
}

extension CreativeBundle {
  /// Default size of a video's slot, in dip: the usual format of videos in a page.
  private static let videoSlot = Size(width: 300, height: 250)

  /// Creates the bundle of an ad server's answer, with the files beside it; it is processed only when it is shown.
  static func response(
    _ bytes: [UInt8], form: ResponseForm, kind: Kind? = nil, sha256: String, store: any BundleStore
  ) -> CreativeBundle {
    var bundle = CreativeBundle(
      kind: kind ?? Kind(form), sha256: sha256,
      meta: CreativeMeta(size: size(bytes, form)), store: store)
    bundle.response = (form, bytes)
    return bundle
  }

  /// Copy with the same files around a document of this markup, to which a response's ad was resolved.
  package func showing(_ markup: String) -> CreativeBundle {
    let bytes = Array(markup.utf8)
    let document = MarkupFragment.wrapped(bytes, isScript: false) ?? bytes
    var bundle = self
    bundle.entry = BundleResource(document: document, path: "index.html", charset: "utf-8")
    bundle.url = nil
    return bundle
  }

  /// Copy with the same files, whose document is replaced with the result of `fill`.
  package func filling(_ fill: ([UInt8]) -> [UInt8]) -> CreativeBundle {
    guard let entry else { return self }
    var bundle = self
    bundle.entry = BundleResource(document: fill(entry.bytes), path: entry.path, charset: entry.charset)
    return bundle
  }

  /// Returns the winning bid's size; errors are reported when the answer is shown.
  private static func size(_ bytes: [UInt8], _ form: ResponseForm) -> Size? {
    guard form == .bid else { return videoSlot }
    guard let bid = try? BidResponseParser.parse(bytes).auction?.winner else {
      return NativeAdParser.isNative(String(decoding: bytes, as: UTF8.self)) ? videoSlot : nil
    }
    if let width = bid.width, let height = bid.height { return Size(width: width, height: height) }
    let isNative = bid.markupType == .native || bid.markup.map(NativeAdParser.isNative) ?? false
    return bid.markupType == .video || isNative ? videoSlot : nil
  }
}

extension CreativeBundle.Kind {
  fileprivate init(_ form: ResponseForm) {
    self =
      switch form {
      case .vast: .vast
      case .vmap: .vmap
      case .bid: .bid
      }
  }
}

/// File of a creative for the web view.
package struct BundleResource: Hashable, Sendable {
  /// Path below the creative's root, decoded and normalised: `img/logo.png`.
  package let path: String
  package let bytes: [UInt8]
  /// MIME type by the path's extension, like `image/png`; `application/octet-stream` if it is unknown.
  package let mimeType: String
  /// Character encoding to announce; nil for data other than text, or if the encoding is left to the page.
  package let charset: String?

  /// Value of the `Content-Type` header.
  package var contentType: String { charset.map { "\(mimeType); charset=\($0)" } ?? mimeType }

  /// Creates a resource for any file of a creative.
  init(path: String, bytes: [UInt8]) {
    let type = MediaType.of(path: path)
    self.path = path
    self.bytes = bytes
    mimeType = type
    charset = MediaType.isText(type) ? TextEncoding.charset(of: bytes, isHTML: type == "text/html") : nil
  }

  /// Creates a resource for a creative's document, which is HTML regardless of its name.
  init(document bytes: [UInt8], path: String, charset: String?) {
    self.path = path
    self.bytes = bytes
    mimeType = "text/html"
    self.charset = charset
  }
}

/// Limits on an untrusted creative's use of the machine; sizes in bytes.
package struct BundleLimits: Hashable, Sendable {
  /// Maximum size of the entry document.
  package var largestHTML = 20_000_000
  /// Maximum size of any other single file, inflated.
  package var largestFile = 100_000_000
  /// Maximum number of entries in a zip, including folders.
  package var mostEntries = 2_000
  /// Maximum size of all entries in a zip, inflated, and of the zip file itself.
  package var largestTotal = 200_000_000
  /// Maximum ratio of inflated to stored size, for entries above `smallestRatioChecked`.
  package var highestRatio = 200
  /// Size up to which an entry may have any ratio.
  package var smallestRatioChecked = 1_000_000

  private init() {}

  package static let standard = BundleLimits()
}

extension Int {
  /// Text like `20 MB` or `20.5 MB`: decimal megabytes, rounded up to a tenth so that a value over a limit is shown as
  /// such.
  var asMegabytes: String {
    let tenths = self / 100_000 + (self % 100_000 > 0 ? 1 : 0)
    return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
  }
}

/// Source of a creative's files; paths are normalised components below the creative's root.
protocol BundleStore: Sendable {
  /// Returns the bytes of a file; nil if the creative has no such file.
  func bytes(at components: [String]) throws(Fault) -> [UInt8]?
  /// Returns the path components of each file, sorted, without Galley's own files.
  func listing() throws(Fault) -> [[String]]
}

/// Store of a creative that has no files beside its document.
struct EmptyStore: BundleStore {
  func bytes(at components: [String]) -> [UInt8]? { nil }
  func listing() -> [[String]] { [] }
}
