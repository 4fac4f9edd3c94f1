package import Core
package import RenderModel

extension CreativeBundle {
  /// Opens the creative that `reference` names, by its content; a URL is only checked, and not loaded yet.
  /// - Parameters:
  ///   - digests: false if a folder's digest isn't needed, for which all its files are read.
  ///   - searches: false if the caller can't have a zip searched, so that no message suggests it.
  package static func open(
    _ reference: CreativeReference, limits: BundleLimits = .standard, digests: Bool = true, searches: Bool = true
  ) throws(Fault) -> CreativeBundle {
    guard let path = reference.path else {
      guard let address = try WebAddress(reference.argument) else {
        throw .request(
          "url-scheme-refused", "\(reference.argument.printable) is neither a path nor an http or https URL")
      }
      return CreativeBundle(kind: .url, url: address.text)
    }
    let isSpooled = reference.argument == "-"
    let name = isSpooled ? "standard input" : reference.argument
    switch try FileStatus.of(path) {
    case .folder: return try openFolder(path, name: name, limits: limits, digests: digests)
    case .special: throw .request("file-not-regular", "\(name.printable) is a pipe, socket or device")
    case .file: break
    }
    let file = try OpenFile(path: path, name: name)
    let form = try FileForm.of(file)
    if form == .zip { return try openZip(file, inner: reference.inner, limits: limits, searches: searches) }
    return try openMarkup(file, isHTML: form == .html && !isSpooled, limits: limits)
  }

  private static func openFolder(
    _ path: String, name: String, limits: BundleLimits, digests: Bool
  ) throws(Fault) -> CreativeBundle {
    var store = try FolderStore(root: path)
    guard let index = store.locate(["index.html"]) else {
      guard let answer = store.answer else { throw .creative("index-missing", "\(name.printable) has no index.html") }
      return try openAnswer(answer, in: store, limits: limits)
    }
    let bytes = try read(OpenFile(path: index, name: "index.html"), limits: limits)
    store.largestFile = limits.largestFile
    var bundle = CreativeBundle(
      kind: .folder, sha256: digests ? try FolderDigest.sha256(of: store) : nil, meta: CreativeMeta.parse(bytes),
      entry: document(bytes, path: "index.html"), store: store)
    bundle.document = "index.html"
    bundle.warnings = warnings(of: bytes, name: "index.html")
    return bundle
  }

  /// Opens a folder whose document is an ad server's answer.
  private static func openAnswer(
    _ name: String, in folder: FolderStore, limits: BundleLimits
  ) throws(Fault) -> CreativeBundle {
    var store = folder
    let bytes = try read(OpenFile(path: store.path(to: [name]), name: name), limits: limits)
    guard let form = ResponseForm(bytes) else { throw notAResponse(name, bytes) }
    try checkAnswer(bytes, name: name)
    store.largestFile = limits.largestFile
    var bundle = response(
      bytes, form: form, kind: .folder, sha256: try FolderDigest.sha256(of: store),
      store: store)
    bundle.document = name
    return bundle
  }

  private static func openZip(
    _ file: borrowing OpenFile, inner: String?, limits: BundleLimits, searches: Bool
  ) throws(Fault) -> CreativeBundle {
    let archive = try ZipArchive(file, limits: limits)
    let layout = try ZipLayout(archive, inner: inner, of: file.name, searches: searches)
    let entry = layout.entryPath
    let size = archive.entry(layout.prefix + entry)?.size ?? 0
    try checkSize(size, of: entry, limits: limits)
    let store = ZipStore(archive: archive, prefix: layout.prefix)
    let bytes = try store.bytes(at: [entry]) ?? []
    try checkDocument(bytes, name: entry)
    if ResponseForm.documentNames.contains(entry) {
      guard let form = ResponseForm(bytes) else { throw notAResponse(entry, bytes) }
      try checkAnswer(bytes, name: entry)
      return response(
        bytes, form: form, kind: .zip, sha256: try digest(file, inner), store: store)
    }
    var bundle = CreativeBundle(
      kind: .zip, sha256: try digest(file, inner), meta: CreativeMeta.parse(bytes),
      entry: document(bytes, path: entry), store: store)
    bundle.innerNames = [layout.prefix, entry]
    bundle.warnings = warnings(of: bytes, name: entry)
    if archive.hasBackslashes {
      bundle.warnings.append(
        "its paths contain backslashes, so ad servers may not find the files; pack it with slashes")
    }
    return bundle
  }

  /// Returns the digest of the zip, or one derived from it for each creative in it.
  private static func digest(_ file: borrowing OpenFile, _ inner: String?) throws(Fault) -> String {
    let whole = try file.sha256()
    return inner.map { SHA256.of(Array("\(whole)\0\($0)".utf8)).hex } ?? whole
  }

  /// Opens a document unchanged, a fragment wrapped in one, or an ad server's answer.
  ///
  /// The folder of a fragment isn't served beside it.
  private static func openMarkup(
    _ file: borrowing OpenFile, isHTML: Bool, limits: BundleLimits
  ) throws(Fault) -> CreativeBundle {
    let (parent, name) = AbsolutePath.split(file.path)
    let bytes = try read(file, limits: limits)
    let fileExtension = AbsolutePath.stem(name).fileExtension
    if !isHTML, fileExtension != "js", let form = ResponseForm(bytes) {
      try checkAnswer(bytes, name: file.name)
      // Films and companions may lie beside it, unless nobody knows where it lay.
      let isNamed = fileExtension == "xml" || fileExtension == "json"
      let store: any BundleStore = isNamed ? try FolderStore(root: parent, largestFile: limits) : EmptyStore()
      return response(bytes, form: form, sha256: SHA256.of(bytes).hex, store: store)
    }
    if !isHTML { try checkXML(bytes, named: file.name, isNamedXML: fileExtension == "xml") }
    let isScript = fileExtension == "js"
    let wrapped = MarkupFragment.wrapped(bytes, isScript: isScript)
    let entryPath = isHTML ? name : "index.html"
    let entry = wrapped.map { fragment($0, of: bytes, path: entryPath) } ?? document(bytes, path: entryPath)
    var store: any BundleStore = EmptyStore()
    if isHTML {
      store = try FolderStore(root: parent, largestFile: limits)
    }
    var bundle = CreativeBundle(
      kind: wrapped == nil ? .html : .fragment, sha256: SHA256.of(bytes).hex, meta: CreativeMeta.parse(bytes),
      entry: entry, store: store)
    bundle.warnings = warnings(of: bytes, name: name)
    return bundle
  }

  /// Throws for a file that claims to be XML and isn't an ad server's answer, as none of it would be shown.
  private static func checkXML(_ bytes: [UInt8], named name: String, isNamedXML: Bool) throws(Fault) {
    guard ResponseForm.problem(with: bytes, isNamedXML: isNamedXML) != nil else { return }
    throw notAResponse(name, bytes)
  }

  private static func notAResponse(_ name: String, _ bytes: [UInt8]) -> Fault {
    let why = ResponseForm.problem(with: bytes, isNamedXML: name.hasSuffix(".xml")).map { ": \($0)" } ?? ""
    return .creative("response-unrecognized", "\(name.printable) isn't VAST, VMAP or a bid response\(why)")
  }

  private static func document(_ bytes: [UInt8], path: String) -> BundleResource {
    BundleResource(document: bytes, path: path, charset: charset(of: bytes))
  }

  /// Returns a wrapped fragment in the encoding its author declared; one with a byte order mark was converted to UTF-8.
  private static func fragment(_ wrapped: [UInt8], of bytes: [UInt8], path: String) -> BundleResource {
    let isConverted = ByteOrderMark.of(bytes) != nil
    let charset = isConverted ? ByteOrderMark.utf8.rawValue : charset(of: bytes)
    return BundleResource(document: wrapped, path: path, charset: charset)
  }

  /// Returns the file's bytes, checked before and after reading.
  private static func read(_ file: borrowing OpenFile, limits: BundleLimits) throws(Fault) -> [UInt8] {
    try checkSize(file.size, of: file.name, limits: limits)
    let bytes = try file.contents()
    try checkDocument(bytes, name: file.name)
    return bytes
  }

  private static func checkSize(_ size: Int, of name: String, limits: BundleLimits) throws(Fault) {
    guard size <= limits.largestHTML else {
      let sizes = "\(size.asMegabytes), the limit is \(limits.largestHTML.asMegabytes)"
      throw .creative("html-too-large", "\(name.printable) has \(sizes)")
    }
  }

  private static func checkDocument(_ bytes: [UInt8], name: String) throws(Fault) {
    guard !bytes.isEmpty else { throw .creative("creative-empty", "\(name.printable) is empty") }
  }

  /// Throws if an ad server's answer isn't UTF-8 and declares no other encoding, as its readers don't guess encodings.
  private static func checkAnswer(_ bytes: [UInt8], name: String) throws(Fault) {
    guard let offset = TextEncoding.undeclaredInvalidByte(in: bytes) else { return }
    throw .creative("text-not-utf8", "\(name.printable) isn't UTF-8 at byte \(offset): save it as UTF-8")
  }

  /// Encoding of a document that declares none and isn't UTF-8, as in browsers of most countries.
  private static let undeclared = "windows-1252"

  private static func charset(of bytes: [UInt8]) -> String? {
    TextEncoding.charset(of: bytes, isHTML: true) ?? undeclared
  }

  private static func warnings(of bytes: [UInt8], name: String) -> [String] {
    guard let offset = TextEncoding.undeclaredInvalidByte(in: bytes) else { return [] }
    let remedy = "save it as UTF-8, or declare its charset, as in <meta charset=\"\(undeclared)\">"
    let problem = "isn't UTF-8 at byte \(offset) and declares no charset, so it was read as \(undeclared)"
    return ["\(name.printable) \(problem): \(remedy)"]
  }
}

extension FolderStore {
  /// Name of the folder's document if that is an ad server's answer; nil if it has none.
  var answer: String? { ResponseForm.documentNames.first { locate([$0]) != nil } }

  /// Creates the store of a creative document's folder, with a limit on each file.
  fileprivate init(root: String, largestFile limits: BundleLimits) throws(Fault) {
    try self.init(root: root)
    largestFile = limits.largestFile
  }
}
