internal import Bundles
package import Jobs

extension BaselineKey {
  /// The key of a creative in a store that lies in `folder`; both paths absolute, links resolved.
  /// - Throws: a request's fault for standard input, which has no name to be known by.
  package init(_ creative: CreativeReference, from folder: String, variant: [String]) throws(Fault) {
    let name: String
    if creative.argument == "-" {
      throw .request("baseline-nameless", "standard input has no name to keep a baseline by: save it to a file")
    } else if let path = creative.path {
      name = Self.relative(path, from: folder).map { $0 == ".." ? "up" : SafeName.make($0) }.joined(separator: "/")
    } else {
      // Addresses may differ in what a name can't hold.
      name = "url/\(SafeName.make(creative.name))-\(Document.hash(of: Array(creative.argument.utf8)).prefix(8))"
    }
    self.init(creative: name, variant: SafeName.make(variant.joined(separator: ".")))
  }

  /// The way from a folder to a path, both absolute.
  package static func relative(_ path: String, from folder: String) -> [String] {
    let (target, start) = (parts(path), parts(folder))
    let common = zip(target, start).prefix { $0 == $1 }.count
    return Array(repeating: "..", count: start.count - common) + target[common...]
  }

  /// A slash with a combining mark after it is one character, but still separates.
  private static func parts(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }
}
