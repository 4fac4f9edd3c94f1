internal import Core
internal import MRAID
internal import RenderModel

/// Files of a delivery that nothing asks for.
enum OrphanedFileCheck {
  static let orphanedFile = Check(
    "orphaned-file", family: .robustness, severity: .note, title: "File that nothing uses",
    why: "It counts against size and number of files, and some networks refuse it.",
    remedy: "Take it out.", source: .cm360
  ) { context in
    guard let inventory = context.inventory, inventory.isWhole, !inventory.isCut,
      context.record.outcome == .completed
    else { return nil }
    let asked = Set(
      context.resources.map(\.shortName)
        + context.requestsWhileExploring.compactMap {
          $0.hasPrefix(ownAddress) ? String($0.withoutQuery.dropFirst(ownAddress.count)) : nil
        })
    let texts = inventory.files.compactMap { $0.text ?? $0.names }
    let unnamed = inventory.files.filter { file in
      file.path != inventory.entry && !asked.contains(file.path) && !MRAIDScriptRequest.matches(file.path)
        && !file.spellings.contains { name in texts.contains { $0.contains(name) } }
    }
    guard !unnamed.isEmpty else { return [] }
    let spoken = SpokenNames(of: inventory)
    return unnamed.filter { !spoken.mayMean($0.path) }.map {
      CheckIssue("\($0.path) is never named or asked for", subject: $0.path, place: Finding.Place(file: $0.path))
    }
  }

  /// What the creative's own addresses begin with in logs.
  private static let ownAddress = "creative://ad/"
}

extension Inventory.File {
  /// Its name as texts may write it.
  fileprivate var spellings: [String] {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.contains(" ") ? [name, name.replacing(" ", with: "%20")] : [name]
  }
}

/// What scripts say of names that they put together as they run: `"img/" + name + ".png"`.
///
/// Whatever stands right before a quote or a `${` counts, so that no quote has to be paired with another.
private struct SpokenNames {
  /// Names without their ending, or the beginnings of them.
  private var names: Set<String> = []
  /// Folders that something is to follow.
  private var folders: Set<String> = []
  /// Endings of two parts: `.chunk.js`.
  private var endings: Set<String> = []
  /// What names may end with: `.png`, `_small.png`.
  private var tails: Set<String> = []
  /// `png`, for what sets the dot by itself; not that of `image/png`.
  private var endingsAlone: Set<String> = []
  private static let longestName = 100
  /// What loaders find without being told the ending.
  private static let modules: Set<String> = ["js", "mjs"]

  init(of inventory: Inventory) {
    for file in inventory.files {
      guard let text = file.text ?? file.names else { continue }
      let isMarkup = text.utf8.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
      for script in isMarkup ? Self.scripts(in: text) : [text[...]] { read(script.utf8) }
    }
  }

  /// Whether a file's name may come of what is said.
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

  /// Whether a script says how the name of a picture, a sound or the like ends; else the word means something else.
  private func mayEnd(_ file: Substring) -> Bool {
    let ending = file.split(separator: ".").last.map(String.init) ?? ""
    if Self.modules.contains(ending.lowercased()) || endingsAlone.contains(ending) { return true }
    return file.indices.contains { tails.contains(String(file[$0...])) }
  }

  private mutating func read(_ script: Substring.UTF8View) {
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

  /// What stands between script tags.
  private static func scripts(in text: String) -> [Substring] {
    var rest = text[...]
    var found: [Substring] = []
    while let open = rest.firstRange(of: "<script"), let start = rest[open.upperBound...].firstIndex(of: ">") {
      let end = rest[start...].firstRange(of: "</script")?.lowerBound ?? rest.endIndex
      found.append(rest[rest.index(after: start)..<end])
      rest = rest[end...].dropFirst()
    }
    return found
  }
}
