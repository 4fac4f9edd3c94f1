internal import Core

/// Files of a folder or zip in which creatives are searched for.
protocol SearchedTree {
  /// Returns the visible folders and files of a folder, sorted by their bytes.
  func content(of folder: [String]) throws(Fault) -> SearchedFolder
  /// Returns the first bytes of a file, at most `most`; nil if it can't be read.
  func head(of file: [String], most: Int) -> [UInt8]?
}

/// Names of the folders and files in one folder of a searched tree.
struct SearchedFolder {
  var folders: [String] = []
  var files: [String] = []
}

/// Search for creatives in a folder or zip: sorted, hidden entries are skipped.
///
/// A folder with `index.html` is one creative including everything below it. Otherwise each page, zip and ad server's
/// answer in it is a creative, except those that an answer names; a single answer makes its folder the creative.
struct CreativeTree {
  /// Creative below the root, or a folder that couldn't be searched.
  struct Leaf {
    enum Form {
      case folder, file
      case unreadable(Fault)
    }
    /// Path components from the root.
    let components: [String]
    let form: Form
  }

  /// Maximum depth of folders that are searched.
  private static let deepest = 64
  /// Maximum number of bytes in which an answer or a page is searched for names of files.
  private static let longestAnswer = 1_000_000
  /// Maximum number of creatives reported below a page's own folder.
  private static let mostBelowPage = 20

  private let tree: any SearchedTree

  /// Creates a search; throws `file-unreadable` if the root can't be listed.
  init(_ tree: any SearchedTree) throws(Fault) {
    self.tree = tree
    _ = try tree.content(of: [])
  }

  /// Indicates if the root has a page, or an ad server's answer under one of its names.
  var isCreative: Bool {
    guard let content = try? tree.content(of: []) else { return false }
    return content.files.contains { $0 == "index.html" || ResponseForm.documentNames.contains($0) }
  }

  /// Returns all creatives, depth first in sorted order, up to `mostLeaves`.
  func search(mostLeaves: Int = .max) -> CreativeFindings {
    var findings = CreativeFindings()
    findings.leaves = leaves(in: [], most: mostLeaves, &findings.leftOut)
    return findings
  }

  private func leaves(in folder: [String], most: Int, _ leftOut: inout [[String]]) -> [Leaf] {
    guard folder.count <= Self.deepest else { return [] }
    let content: SearchedFolder
    do throws(Fault) {
      content = try tree.content(of: folder)
    } catch {
      return [Leaf(components: folder, form: .unreadable(error))]
    }
    if content.files.contains("index.html") {
      leftOut += besides(folder, content)
      return [Leaf(components: folder, form: .folder)]
    }
    return leaves(in: folder, content, most: most, &leftOut)
  }

  /// Returns creatives below a page that the page doesn't name, as they aren't rendered by themselves.
  private func besides(_ folder: [String], _ content: SearchedFolder) -> [[String]] {
    let named = NamedFiles(tree.head(of: folder + ["index.html"], most: Self.longestAnswer) ?? [])
    var ignored: [[String]] = []
    var found = content.files.filter { Self.isZip($0) && !named.contains([$0]) }.map { folder + [$0] }
    for name in content.folders where found.count < Self.mostBelowPage && !named.contains([name]) {
      found += leaves(in: folder + [name], most: Self.mostBelowPage, &ignored).filter(\.isCreative).map(\.components)
    }
    return Array(found.prefix(Self.mostBelowPage))
  }

  private func leaves(
    in folder: [String], _ content: SearchedFolder, most: Int, _ leftOut: inout [[String]]
  ) -> [Leaf] {
    let answers = FolderAnswers(content.files.filter { isAnswer($0, in: folder) }) {
      tree.head(of: folder + [$0], most: Self.longestAnswer) ?? []
    }
    let others = content.files.filter { (Self.isPage($0) || Self.isZip($0)) && !answers.name([$0]) }
    var below: [(name: String, leaf: Leaf)] = others.map { ($0, Leaf(components: folder + [$0], form: .file)) }
    for name in content.folders where below.count < most && !isOwn(name, in: folder) {
      below += leaves(in: folder + [name], most: most - below.count, &leftOut).filter {
        !answers.name($0.components.dropFirst(folder.count))
      }.map { (name, $0) }
    }
    if below.isEmpty, answers.kept.count == 1, ResponseForm.documentNames.contains(answers.kept[0]) {
      return [Leaf(components: folder, form: .folder)]
    }
    leftOut += content.files.filter {
      isSuspect($0, in: folder) && !answers.all.contains($0) && !answers.name([$0]) && !SideFile.isSideFile([$0])
    }.map { folder + [$0] }
    let kept = answers.kept.map { Leaf(components: folder + [$0], form: .file) }
    let sorted = below.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map(\.leaf)
    return Array((kept + sorted).prefix(most))
  }

  /// Indicates if a folder is one of Galley's own rather than a creative of that name.
  private func isOwn(_ name: String, in folder: [String]) -> Bool {
    guard Self.own.contains(name), let content = try? tree.content(of: folder + [name]) else { return false }
    return !content.files.contains("index.html")
  }

  /// Names of folders that Galley makes beside creatives.
  static let own: Set<String> = ["galley-baselines", "galley-containers", "galley-out", "galley-verified"]

  /// Indicates if a file is an ad server's answer, by its name or its content.
  private func isAnswer(_ name: String, in folder: [String]) -> Bool {
    if ResponseForm.documentNames.contains(name) { return true }
    switch AbsolutePath.stem(name).fileExtension {
    case "xml", "vast", "vmap":
      return tree.head(of: folder + [name], most: 1 << 14).flatMap { ResponseForm($0) }.map { $0 != .bid } ?? false
    case "json": return tree.head(of: folder + [name], most: Self.longestAnswer).map { ResponseForm.isBid($0) } ?? false
    default: return false
    }
  }

  private static func isPage(_ name: String) -> Bool {
    ["html", "htm"].contains(AbsolutePath.stem(name).fileExtension)
  }

  private static func isZip(_ name: String) -> Bool { AbsolutePath.stem(name).fileExtension == "zip" }

  /// Indicates if a file resembles tags, answers or archives; JSON, which may be anything, only if it has bids.
  private func isSuspect(_ name: String, in folder: [String]) -> Bool {
    let ending = AbsolutePath.stem(name).fileExtension
    if ending == "json" {
      return tree.head(of: folder + [name], most: 1 << 14).map { String(decoding: $0, as: UTF8.self) }?
        .contains("\"seatbid\"") ?? false
    }
    return ["txt", "tag", "vast", "vmap", "xml", "rar", "7z", "tar", "tgz", "gz"].contains(ending)
  }
}

extension CreativeTree.Leaf {
  /// Indicates if there is a creative to render.
  var isCreative: Bool { if case .unreadable = form { false } else { true } }
}

/// Result of a search.
struct CreativeFindings {
  var leaves: [CreativeTree.Leaf] = []
  /// Paths of files and folders that look like creatives and aren't rendered by themselves.
  var leftOut: [[String]] = []

  /// Indicates if the root is the only creative.
  var isWhole: Bool {
    guard case .folder? = leaves.first?.form else { return false }
    return leaves.count == 1 && leaves[0].components.isEmpty
  }

  /// Name of the only creative if it is a file of the root other than a zip; nil otherwise.
  var onlyFile: String? {
    guard leaves.count == 1, case .file = leaves[0].form, leaves[0].components.count == 1,
      AbsolutePath.stem(leaves[0].components[0]).fileExtension != "zip"
    else { return nil }
    return leaves[0].components[0]
  }

  /// End of a sentence with the creatives below and the option to render them; empty if there are none.
  var hint: String {
    let names = leaves.filter(\.isCreative).map { $0.components.joined(separator: "/") }
    guard !names.isEmpty else { return "" }
    let count = names.count == 1 ? "a creative" : "\(names.count) creatives"
    return "; it has \(count) below (\(names.listed)): use --recursive"
  }
}
