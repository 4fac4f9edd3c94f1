package import Core
internal import Yams

/// Parses the text of one of Galley's own YAML files, and checks its size, syntax, aliases and duplicate keys.
package struct YAMLDocument {
  /// Maximum size of such a file in bytes.
  package static let maximumBytes = 256 * 1024

  private let text: String
  private let source: String
  private let kind: String

  /// `kind` is the file's kind in faults, `scenario` or `policy`; a byte order mark at the beginning is dropped.
  package init(text: String, source: String, kind: String = "scenario") {
    self.text = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
    self.source = source
    self.kind = kind
  }

  /// The root of the file's only document; an empty document is a fault.
  package func root() throws(Fault) -> YAMLNode {
    guard text.utf8.count <= Self.maximumBytes else {
      throw fault(1, "the \(kind) is larger than \(Self.maximumBytes / 1024) KiB")
    }
    try refuseAliases()
    let node: Node?
    do {
      node = try compose(yaml: text, .basic)
    } catch {
      throw fault(error)
    }
    guard let node else { throw fault(1, "the \(kind) is empty") }
    let root = YAMLNode(node, source: source, kind: kind, line: 1)
    if root.isNull { throw fault(1, "the \(kind) is empty") }
    return root
  }

  /// Refuses aliases: they can make a few lines expand to billions of nodes, and none of these files needs one.
  private func refuseAliases() throws(Fault) {
    var anchors: Set<String> = []
    var line = 1
    var before: Character = "\n"
    var rest = text[...]
    while let character = rest.popFirst() {
      if character.isNewline { line += 1 }
      if character == "&" || character == "*", before.isWhitespace || "[{,:?-".contains(before) {
        let name = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") })
        if character == "&", !name.isEmpty { anchors.insert(name) }
        if character == "*", anchors.contains(name) {
          throw fault(line, "the alias *\(name) isn't supported; write its value instead")
        }
      }
      before = character
    }
  }

  private func fault(_ error: any Error) -> Fault {
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let opened = context.map { ", \($0.text) of line \($0.mark.line)" } ?? ""
      return fault(mark.line, "invalid YAML: \(problem)\(opened)")
    case .reader(let problem, let offset, _, _):
      let line = text.prefix(offset ?? 0).count(where: \.isNewline) + 1
      return fault(line, "invalid YAML: \(problem)")
    case .duplicatedKeysInMapping(let keys, let context):
      return fault(context.mark.line, "\(keys.sorted().joined(separator: " and ")) occurs twice in one mapping")
    default:
      return fault(1, "invalid YAML: \(error)")
    }
  }

  /// Makes a fault; a problem at the file's end is reported for the last line that isn't blank.
  private func fault(_ line: Int, _ problem: String) -> Fault {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let last = lines.lastIndex { $0.contains { !$0.isWhitespace } } ?? 0
    return .request("\(kind)-invalid", "\(source):\(min(line, last + 1)): \(problem)")
  }
}
