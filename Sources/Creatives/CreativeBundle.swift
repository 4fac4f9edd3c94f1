internal import AdResponses
package import Core

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
    /// An ad server's answer: VAST, VMAP, or an OpenRTB bid response or native ad.
    case vast
    case vmap
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
  /// The file of a folder that it begins with; nil for everything else.
  package internal(set) var document: String?
  /// What the document and the folder it lies in are called inside a zip, where that isn't `index`.
  var innerNames: [String] = []
  /// What the caller should know of how it was opened.
  package internal(set) var warnings: [String] = []
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

extension CreativeBundle {
  /// What a film's slot is where nobody says: the format that videos in a page come in.
  private static let videoSlot = Size(width: 300, height: 250)

  /// An ad server's answer, with whatever lies beside it; understood only when it is shown.
  static func response(
    _ bytes: [UInt8], form: ResponseForm, kind: Kind? = nil, sha256: String, store: any BundleStore
  ) -> CreativeBundle {
    var bundle = CreativeBundle(
      kind: kind ?? Kind(form), sha256: sha256,
      meta: CreativeMeta(size: size(bytes, form)), store: store)
    bundle.response = (form, bytes)
    return bundle
  }

  /// The same files around a document of this markup: what a response's ad turned out to be.
  package func showing(_ markup: String) -> CreativeBundle {
    let bytes = Array(markup.utf8)
    let document = MarkupFragment.wrapped(bytes, isScript: false) ?? bytes
    var bundle = self
    bundle.entry = BundleResource(document: document, path: "index.html", charset: "utf-8")
    bundle.url = nil
    return bundle
  }

  /// The same files around the document as `fill` leaves it.
  package func filling(_ fill: ([UInt8]) -> [UInt8]) -> CreativeBundle {
    guard let entry else { return self }
    var bundle = self
    bundle.entry = BundleResource(document: fill(entry.bytes), path: entry.path, charset: entry.charset)
    return bundle
  }

  /// The winning bid's size; what can't be read is told when it is shown.
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

/// One file of a creative as it goes to the web view.
package struct BundleResource: Hashable, Sendable {
  /// Below the creative's root, decoded and normalised: `img/logo.png`.
  package let path: String
  package let bytes: [UInt8]
  /// By the path's extension: `image/png`; `application/octet-stream` when it is unknown.
  package let mimeType: String
  /// The character encoding to announce; nil for what isn't text, or whose encoding is the page's to say.
  package let charset: String?

  /// The value of a `Content-Type` header.
  package var contentType: String { charset.map { "\(mimeType); charset=\($0)" } ?? mimeType }

  /// Any file of a creative.
  init(path: String, bytes: [UInt8]) {
    let type = MediaType.of(path: path)
    self.path = path
    self.bytes = bytes
    mimeType = type
    charset = MediaType.isText(type) ? TextEncoding.charset(of: bytes, isHTML: type == "text/html") : nil
  }

  /// A creative's document, HTML whatever its name says.
  init(document bytes: [UInt8], path: String, charset: String?) {
    self.path = path
    self.bytes = bytes
    mimeType = "text/html"
    self.charset = charset
  }
}

/// What an untrusted creative may ask of the machine; sizes in bytes.
package struct BundleLimits: Hashable, Sendable {
  /// Of the entry document.
  package var largestHTML = 20_000_000
  /// Of any other single file, inflated.
  package var largestFile = 100_000_000
  /// Entries in a zip, folders included.
  package var mostEntries = 2_000
  /// All of a zip's entries, inflated; the zip file itself may not be larger either.
  package var largestTotal = 200_000_000
  /// Inflated size over stored size, for entries above `smallestRatioChecked`.
  package var highestRatio = 200
  /// Entries up to this many bytes may compress as well as they like.
  package var smallestRatioChecked = 1_000_000

  private init() {}

  package static let standard = BundleLimits()
}

extension Int {
  /// `20 MB`, `20.5 MB`: decimal megabytes, rounded up to a tenth so that what is over a limit reads so.
  var asMegabytes: String {
    let tenths = self / 100_000 + (self % 100_000 > 0 ? 1 : 0)
    return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
  }
}

/// Where a creative's bytes come from; paths are normalised components below the creative's root.
protocol BundleStore: Sendable {
  /// Nil when there is no such file in the creative.
  func bytes(at components: [String]) throws(Fault) -> [UInt8]?
  /// The way down to each file, sorted; files of Galley's own left out.
  func listing() throws(Fault) -> [[String]]
}

/// A creative of one document and nothing beside it.
struct EmptyStore: BundleStore {
  func bytes(at components: [String]) -> [UInt8]? { nil }
  func listing() -> [[String]] { [] }
}
