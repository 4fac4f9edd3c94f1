internal import Core

/// The ad servers' answers in a folder, and the files that they name.
struct FolderAnswers {
  /// Maximum number of answers that are searched for names.
  private static let mostRead = 64

  /// All answers, in the order in which they are tried.
  let all: [String]
  /// Answers that no other answer names.
  private(set) var kept: [String] = []
  private let named: [NamedFiles]

  init(_ names: [String], text: (String) -> [UInt8]) {
    let documents = ResponseForm.documentNames
    all = documents.filter(names.contains) + names.filter { !documents.contains($0) }
    named = all.prefix(Self.mostRead).map { NamedFiles(text($0)) }
    kept = keep()
  }

  /// Returns true if an answer names a file or folder below.
  func name(_ way: some Collection<String>) -> Bool { named.contains { $0.contains(way) } }

  /// Selects answers that no other names, and of each circle the first; answers reachable from these are left out.
  private func keep() -> [String] {
    let (free, rest) = (all.indices.filter { !isNamed($0) }, all.indices.filter { isNamed($0) })
    var reached: Set<Int> = []
    var kept: [Int] = []
    for root in free + rest where !reached.contains(root) {
      kept.append(root)
      var pending = [root]
      while let next = pending.popLast() {
        guard reached.insert(next).inserted, named.indices.contains(next) else { continue }
        pending += all.indices.filter { !reached.contains($0) && named[next].contains([all[$0]]) }
      }
    }
    return kept.sorted().map { all[$0] }
  }

  private func isNamed(_ index: Int) -> Bool {
    named.indices.contains { $0 != index && named[$0].contains([all[index]]) }
  }
}

/// Parts of the addresses in a text that may be names of files and folders.
struct NamedFiles {
  private var names: Set<String> = []

  init(_ text: [UInt8]) {
    for part in text.split(whereSeparator: Self.separators.contains) {
      let name = PercentEscapes.decoded(Array(part.trimming(while: \.isHTMLSpace)))
      if let name = String(validating: name, as: UTF8.self), name.utf8.count > 1 { names.insert(name) }
    }
  }

  /// Returns true if each component of a path is named.
  func contains(_ way: some Collection<String>) -> Bool { way.allSatisfy(names.contains) }

  private static let separators = Set("/\\?#\"'<>&=()[],;\n\r\t".utf8)
}

extension ArraySlice<UInt8> {
  fileprivate func trimming(while isTrimmed: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    var rest = drop(while: isTrimmed)
    while let last = rest.last, isTrimmed(last) { rest.removeLast() }
    return rest
  }
}
