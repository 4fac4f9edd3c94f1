internal import Core
internal import MRAID
internal import RenderModel

/// Files of a delivery that are never requested or named.
enum OrphanedFileCheck {
  static let orphanedFile = Check(
    "orphaned-file", family: .robustness, severity: .note, title: "Unused file",
    why: "An unused file counts towards the size and the number of files, and some networks reject it.",
    remedy: "Remove the file.", source: .cm360, needs: .rendered.union([.code])
  ) { context in
    guard let inventory = context.inventory, inventory.isWhole, !inventory.isCut,
      context.record.outcome == .completed
    else { return nil }
    let asked = Set(context.requests.map(\.resource.shortName))
    let written = inventory.files.compactMap { $0.text ?? $0.names }
    let texts = written + written.filter { $0.contains("%") }.map { PercentEscapes.decoded($0) }
    let demanded = Set((context.profiles + context.profilesOfHost).flatMap { inventory.demanded(by: $0) })
    let unnamed = inventory.files.filter { file in
      file.path != inventory.entry && !asked.contains(file.path) && !demanded.contains(file.path)
        && !MRAIDScriptRequest.matches(file.path)
        && !file.spellings.contains { name in texts.contains { $0.contains(name) } }
    }
    guard !unnamed.isEmpty else { return [] }
    let spoken = SpokenNames(of: inventory)
    return unnamed.filter { !spoken.mayMean($0.path) }.map {
      CheckIssue("\($0.path) is never named or requested", subject: $0.path, place: Finding.Place(file: $0.path))
    }
  }
}

extension Inventory.File {
  /// Spellings of the file's name that texts may use.
  fileprivate var spellings: [String] {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.contains(" ") ? [name, name.replacing(" ", with: "%20")] : [name]
  }
}

/// Parts of file names that scripts combine at run time, as in `"img/" + name + ".png"`.
///
/// Text directly before a quote or a `${` counts, so that quotes needn't be paired.
private struct SpokenNames {
  /// Names without their extension, or the beginnings of them.
  private var names: Set<String> = []
  /// Folders whose files' names follow at run time.
  private var folders: Set<String> = []
  /// Extensions of two parts, as `.chunk.js`.
  private var endings: Set<String> = []
  /// Ends of names, as `.png` or `_small.png`.
  private var tails: Set<String> = []
  /// Extensions without a dot, as `png`; that of `image/png` doesn't count.
  private var endingsAlone: Set<String> = []
  private static let longestName = 100
  /// Extensions that module loaders add by themselves.
  private static let modules: Set<String> = ["js", "mjs"]

  init(of inventory: Inventory) {
    for file in inventory.files {
      guard let text = file.text ?? file.names else { continue }
      let isMarkup = text.utf8.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
      let bytes = Array(text.utf8)
      for part in isMarkup ? ScriptElement.all(in: bytes).map(\.content) : [bytes.indices] { read(bytes[part]) }
    }
  }

  /// Indicates if a file's name can result from combining the parts.
  func mayMean(_ path: String) -> Bool {
    let steps = path.split(separator: "/")
    guard let file = steps.last else { return false }
    if steps.dropLast().contains(where: { folders.contains(String($0)) }) { return true }
    let parts = file.split(separator: ".", omittingEmptySubsequences: false)
    let stem = parts.dropLast().joined(separator: ".")
    // What goes before a number: walk_07, slide3_small.
    let start = stem.contains(where: \.isNumber) ? stem.prefix { !$0.isNumber } : ""
    let begins = names.contains(stem) || (start.count > 1 && names.contains(String(start)))
    if stem.count > 2, begins, mayEnd(file) { return true }
    return parts.count > 2 && endings.contains("." + parts.suffix(2).joined(separator: "."))
  }

  /// Indicates if a script has the end of the name, by which the other part is known to be a file's.
  private func mayEnd(_ file: Substring) -> Bool {
    let ending = file.split(separator: ".").last.map(String.init) ?? ""
    if Self.modules.contains(ending.lowercased()) || endingsAlone.contains(ending) { return true }
    return file.indices.contains { tails.contains(String(file[$0...])) }
  }

  private mutating func read(_ script: ArraySlice<UInt8>) {
    var word: [UInt8] = []
    // What stands before the word: a brace ends a value in a template.
    var (before, last) = (UInt8(0), UInt8(0))
    for byte in script {
      defer { last = byte }
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "/"), UInt8(ascii: "@"), 128...:
        if word.isEmpty { before = last }
        if word.count <= Self.longestName { word.append(byte) }
        continue
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "$"):
        if !word.isEmpty, word.count <= Self.longestName { add(String(decoding: word, as: UTF8.self)) }
      default:
        if before == UInt8(ascii: "}"), word.count <= Self.longestName, word.contains(UInt8(ascii: ".")) {
          tails.insert(String(decoding: word, as: UTF8.self))
        }
      }
      word.removeAll(keepingCapacity: true)
    }
  }

  private mutating func add(_ word: String) {
    let steps = word.split(separator: "/", omittingEmptySubsequences: false)
    if let tail = steps.last, tail.contains(".") { tails.insert(String(tail)) }
    if word.count < 6 { endingsAlone.insert(word) }
    if word.hasSuffix("/") {
      if let folder = steps.dropLast().last, !folder.isEmpty, folder != ".", folder != ".." {
        folders.insert(String(folder))
      }
    } else if word.hasPrefix(".") {
      if word.count(where: { $0 == "." }) == 2, !word.hasPrefix("..") { endings.insert(word) }
    } else if let name = steps.last {
      names.insert(String(name))
    }
  }
}
