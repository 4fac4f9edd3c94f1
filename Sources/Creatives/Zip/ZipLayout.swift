internal import Core

/// Where the document lies in a zip.
struct ZipLayout: Equatable {
  /// What the creative's root is below the zip's, `""` or `folder/`.
  let prefix: String
  /// Below the creative's root.
  let entryPath: String

  /// Takes `index.html`, else an ad server's answer, to which pages beside it belong, else the only html file; then the
  /// same in the only folder; throws `index-missing`.
  init(_ names: some Sequence<String>, of zip: String) throws(Fault) {
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
      throw .creative("index-missing", "\(zip.printable) has no index.html\(Self.choice(documents))")
    }
  }

  /// What may be meant, and how to say so.
  private static func choice(_ documents: [String]) -> String {
    guard !documents.isEmpty else { return "" }
    let more = documents.count > 5 ? " and \(documents.count - 5) more" : ""
    let names = documents.prefix(5).map { $0.printable(limit: 100) }.joined(separator: ", ")
    return "; its pages are \(names)\(more): call the one to show index.html, or leave the others out"
  }

  /// What archivers add on their own: resource forks and hidden files.
  private static func isJunk(_ way: [String]) -> Bool {
    way.first == "__MACOSX" || way.contains { $0.utf8.first == UInt8(ascii: ".") }
  }

  private static func isHTML(_ name: String) -> Bool {
    ["html", "htm"].contains(AbsolutePath.stem(name).fileExtension)
  }
}
