internal import Core

/// Position of the document in a zip.
struct ZipLayout: Equatable {
  /// Path of the creative's root in the zip, `""` or `folder/`.
  let prefix: String
  /// Path of the document below the creative's root.
  let entryPath: String

  /// Finds the creative of a zip, or one of several in it; `searches` indicates if the caller can have the zip
  /// searched.
  init(_ archive: ZipArchive, inner: String?, of zip: String, searches: Bool = true) throws(Fault) {
    guard let inner else {
      self = try ZipLayout(archive.names, of: zip, searches: searches)
      return
    }
    let names = archive.names
    if archive.entry(inner) != nil {
      let way = ResourcePath.split(inner.utf8)
      (prefix, entryPath) = (way.dropLast().map { $0 + "/" }.joined(), way.last ?? "")
    } else if let document = (["index.html"] + ResponseForm.documentNames).first(where: {
      archive.entry("\(inner)/\($0)") != nil
    }) {
      (prefix, entryPath) = ("\(inner)/", document)
    } else {
      throw .creative("index-missing", "\(zip.printable) has no \(inner.printable)\(Self.choice(names, searches))")
    }
  }

  /// Takes `index.html`, otherwise an ad server's answer, otherwise the only HTML file; throws `index-missing`.
  ///
  /// Pages beside an answer belong to it. If there is none of these, the only folder is searched for `index.html` or an
  /// answer.
  init(_ names: some Sequence<String>, of zip: String, searches: Bool = true) throws(Fault) {
    let ways = names.map { ResourcePath.split($0.utf8) }.filter { !Self.isJunk($0) }
    let documents = ways.filter { $0.count == 1 && Self.isHTML($0[0]) }.map { $0[0] }.sorted()
    let folders = Set(ways.map { $0.count > 1 ? $0[0] : "" })
    if documents.contains("index.html") {
      (prefix, entryPath) = ("", "index.html")
    } else if let answer = ResponseForm.documentNames.first(where: { ways.contains([$0]) }) {
      (prefix, entryPath) = ("", answer)
    } else if documents.count == 1 {
      (prefix, entryPath) = ("", documents[0])
    } else if folders.count == 1, let folder = folders.first, ways.contains([folder, "index.html"]) {
      (prefix, entryPath) = ("\(folder)/", "index.html")
    } else if documents.isEmpty, folders.count == 1, let folder = folders.first,
      let answer = ResponseForm.documentNames.first(where: { ways.contains([folder, $0]) })
    {
      (prefix, entryPath) = ("\(folder)/", answer)
    } else {
      let names = ways.map { $0.joined(separator: "/") }
      throw .creative("index-missing", "\(zip.printable) has no index.html\(Self.choice(names, searches))")
    }
  }

  /// Returns the pages found, with advice on selecting one, for a message; empty if there are neither pages nor zips.
  private static func choice(_ names: [String], _ searches: Bool) -> String {
    let pages = names.filter { isHTML($0) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    guard !pages.isEmpty else {
      let zips = names.filter { AbsolutePath.stem($0).fileExtension == "zip" }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return zips.isEmpty ? "" : "; it contains other zips, \(zips.listed): unpack it and pass each zip by itself"
    }
    let each = searches ? "pass a zip for each" : "name one in entry"
    guard pages.contains(where: { $0.utf8.contains(UInt8(ascii: "/")) }) else {
      let other = searches ? "use --recursive for all" : each
      return "; its pages are \(pages.listed): rename the page to show to index.html, or \(other)"
    }
    return "; its pages are \(pages.listed): \(searches ? "use --recursive for all, or \(each)" : each)"
  }

  /// Indicates if a file was added by an archiver on its own: resource forks and hidden files.
  static func isJunk(_ way: [String]) -> Bool {
    way.first == "__MACOSX" || way.contains { $0.utf8.first == UInt8(ascii: ".") }
  }

  private static func isHTML(_ name: String) -> Bool {
    ["html", "htm"].contains(AbsolutePath.stem(name).fileExtension)
  }
}
