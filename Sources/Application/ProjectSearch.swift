internal import Core
internal import Creatives
internal import Glibc

/// Search for the project file that applies to a call's creatives.
///
/// The working folder is searched first, then the folders above it up to the repository's root, then those on the path
/// down to the creatives. Folders that are delivered with a creative are not searched.
struct ProjectSearch {
  /// Real path of the file that applies to all creatives of the call; nil for none.
  let file: String?
  /// Project files that were ignored because they lie in creatives.
  let passed: [String]

  /// - Parameter searches: true if the call looks for creatives in folders.
  /// - Throws: `policy-ambiguous` if different files apply to the creatives of one call.
  init(_ creatives: [String], searches: Bool, in working: String = ".") throws(Fault) {
    let here = AbsolutePath.resolved(working)
    let named = CreativeFinder.creatives(among: creatives)
    let delivered = named.compactMap { DeliveredFolder(of: $0, searches: searches, here: here) }
    var places = ProjectPlaces(here: here, delivered: Set(delivered.compactMap(\.folder)))
    for folder in places.delivered { places.note(folder) }
    var starts: [String] = []
    for start in delivered.map(\.outside) where !starts.contains(start) { starts.append(start) }
    let found = starts.map { places.file(from: $0) }
    let names = Set(found)
    guard names.count < 2 else {
      let files = names.compactMap(\.self).sorted()
      let told =
        files.count > 1 ? "\(files[0]) and \(files[1]) both apply" : "\(files[0]) applies to some creatives only"
      throw .request("policy-ambiguous", "\(told.printable); name one with --policy, or run the command for each")
    }
    file = found.first ?? nil
    passed = places.passed.sorted()
  }
}

/// Folders that may contain a project file.
private struct ProjectPlaces {
  /// Working folder of the call.
  let here: String
  /// Folders that creatives are delivered in.
  let delivered: Set<String>
  private(set) var passed: Set<String> = []
  /// Root of the repository that contains the working folder, or the working folder itself.
  private let root: String

  init(here: String, delivered: Set<String>) {
    (self.here, self.delivered) = (here, delivered)
    root = Self.ways(up: here).first(where: Self.isRepository) ?? here
  }

  /// Returns the file that applies to a folder; nil for none.
  mutating func file(from start: String) -> String? {
    let ways = Self.ways(up: start)
    // Elsewhere than in the project of the call, another repository may be meant.
    let top = Self.isIn(start, root) ? root : ways.first(where: Self.isRepository) ?? start
    let candidates = ways.filter { Self.isIn($0, top) }
    // The nearest to the folder of the call goes first: what lies further down may come from others.
    let above = candidates.filter { Self.isIn(here, $0) }
    let below = candidates.filter { !Self.isIn(here, $0) }.reversed()
    for folder in above + below where Self.hasFile(folder) {
      if isTrusted(folder) { return Self.file(in: folder) }
      note(folder)
    }
    return nil
  }

  /// Notes the file of a folder that isn't searched, for users who expect it to apply.
  mutating func note(_ folder: String) {
    if Self.hasFile(folder) { passed.insert(Self.file(in: folder)) }
  }

  private func isTrusted(_ folder: String) -> Bool {
    guard !delivered.contains(where: { Self.isIn(folder, $0) }), !Self.isShared(folder) else { return false }
    return folder == here || !DeliveredFolder.holdsCreative(folder)
  }

  /// Returns true if every user of the machine may write to the folder, as in `/tmp`.
  private static func isShared(_ folder: String) -> Bool {
    var facts = stat()
    return stat(folder, &facts) == 0 && facts.st_mode & S_ISVTX != 0 && facts.st_mode & S_IWOTH != 0
  }

  private static func isRepository(_ folder: String) -> Bool { isThere(folder == "/" ? "/.git" : "\(folder)/.git") }

  private static func hasFile(_ folder: String) -> Bool { isThere(file(in: folder)) }

  /// Returns true if the name exists, even as a broken link, which is then reported instead of ignored.
  private static func isThere(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  private static func file(in folder: String) -> String {
    (folder == "/" ? "" : folder) + "/" + StarterPolicy.fileName
  }

  /// Returns true if a path is a folder or lies in it.
  private static func isIn(_ path: String, _ folder: String) -> Bool {
    folder == "/" || path == folder || path.utf8.starts(with: "\(folder)/".utf8)
  }

  /// Returns the folder and all folders above it, nearest first.
  private static func ways(up path: String) -> [String] {
    var ways = [path]
    while ways[ways.count - 1] != "/", ways[ways.count - 1] != "." {
      ways.append(AbsolutePath.split(ways[ways.count - 1]).parent)
    }
    return ways
  }
}
