internal import Application
internal import Comparison
internal import Core
internal import Foundation
internal import Pixels

/// Keeps what comparisons found for a while, so that their pictures can be fetched.
struct DiffStore: Sendable {
  private let folder: String
  private let others: FarmShelf?
  /// Comparisons that are kept: the latest.
  private static let most = 500

  init(_ data: DataFolder) { (folder, others) = (data.path + "/diffs", data.shelf) }

  /// A new place, and its id.
  func begin() throws(Fault) -> (id: String, path: String) {
    let id = RenderID.make(at: Instant.now)
    let path = "\(folder)/\(id)"
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .engine("data-failed", "can't make the folder \(path): \(error.localizedDescription)")
    }
    return (id, path)
  }

  /// Writes a comparison's document down: `galley diff --json`'s, with addresses where that has paths.
  func keep(_ id: String, _ document: DiffDocument, first: String, second: String) throws(Fault) -> JSONValue {
    let path = "\(folder)/\(id)"
    var value = JSONText.value(Array(JSONText.line(document).utf8)) ?? .null
    value = Self.addressed(value, path)
    if case .object(var members) = value {
      members["id"] = .string(id)
      members["exitCode"] = nil
      value = .object(members)
    }
    try DurableFile.write(Array(JSONText.line(value).utf8), to: "\(path)/diff.json")
    clear()
    return value
  }

  /// Lets other servers have a comparison.
  func share(_ id: String) async throws(Fault) { try await others?.share(comparison: id, at: "\(folder)/\(id)") }

  /// What was found; nil once it has made room for later ones.
  func document(_ id: String) async throws(Fault) -> JSONValue? {
    try await others?.bring(comparison: id, to: "\(folder)/\(id)")
    return FileContents.read("\(folder)/\(id)/diff.json").flatMap(JSONText.value)
  }

  /// A picture by its file's name.
  func screenshot(_ id: String, _ name: String) async throws(Fault) -> [UInt8]? {
    try await others?.bring(comparison: id, to: "\(folder)/\(id)")
    // Only what lies in the folder itself has such a name.
    guard !name.hasPrefix("."), !name.contains("/"), name.hasSuffix(".png") else { return nil }
    return FileContents.read("\(folder)/\(id)/\(name)")
  }

  /// Paths of pictures become addresses; those of what was compared are nobody's business.
  private static func addressed(_ value: JSONValue, _ folder: String) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map { addressed($0, folder) })
    case .object(let members):
      var kept = members.mapValues { addressed($0, folder) }
      if members["verdict"] != nil, members["difference"] != nil || members["name"] != nil {
        kept["first"] = nil
        kept["second"] = nil
      }
      return .object(kept)
    case .string(let text) where text.hasPrefix(folder + "/"):
      let id = folder.split(separator: "/").last ?? ""
      return .string("/v1/diffs/\(id)/images/\(text.dropFirst(folder.count + 1))")
    default: return value
    }
  }

  private func clear() {
    let all = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter(RenderID.isOne).sorted()
    for id in all.dropLast(Self.most) { try? FileManager.default.removeItem(atPath: "\(folder)/\(id)") }
  }
}

/// Compares what is on disk, and draws what differs.
struct RenderPair: Sendable {
  /// The folder that pictures of differences go to.
  let pictures: String

  private var comparer: ResultComparer {
    let pictures = DiffImages(folder: pictures)
    return ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget()) { (screenshot, _) throws(Fault) in
      try pictures.write(&screenshot, below: "")
    }
  }

  /// Two results' folders.
  func results(_ first: String, _ second: String) async throws(Fault) -> [ResultVerdict] {
    try await comparer.compare(try Self.listing(first), try Self.listing(second))
  }

  /// Two PNG files.
  func files(_ first: String, _ second: String) async throws(Fault) -> ResultVerdict {
    let screenshot = try await comparer.screenshot("picture.png", first, second, of: "")
    if let problem = screenshot.problem { throw .creative("diff-unreadable", problem) }
    var result = ResultVerdict(name: "")
    result.pictures = [screenshot]
    return result
  }

  /// A result and the baseline recorded under a key.
  func baseline(_ recorded: RecordedBaseline, _ render: BaselineRender) async throws(Fault) -> ResultVerdict {
    try await recorded.compare(render, comparer)
  }

  /// The result that a folder itself is.
  private static func listing(_ folder: String) throws(Fault) -> [ResultListing] {
    try ResultTree.results(below: folder).filter(\.name.isEmpty)
  }
}
