internal import Application
internal import Comparison
internal import Core
internal import Foundation
internal import Pixels
internal import Scheduling

/// Keeps the results of comparisons for a while, so that their images can be fetched.
struct DiffStore: Sendable {
  private let folder: String
  private let others: SharedFileStore?
  /// Number of the latest comparisons that are kept.
  private static let most = 500

  init(_ data: DataFolder) { (folder, others) = (data.path + "/diffs", data.shelf) }

  /// Creates a folder for a comparison; returns it with its id.
  func begin() throws(Fault) -> (id: String, path: String) {
    let id = RenderID.make(at: Instant.now)
    let path = "\(folder)/\(id)"
    do {
      try PrivateFolder.make(path)
    } catch {
      throw .engine("data-failed", "can't make the folder \(path): \(error)")
    }
    return (id, path)
  }

  /// Stores a comparison's document: that of `galley diff --json`, with addresses in place of paths.
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

  /// Shares a comparison with the other servers of the queue.
  func share(_ id: String) async throws(Fault) { try await others?.share(comparison: id, at: "\(folder)/\(id)") }

  /// The document of a comparison; nil once it was removed in favour of later ones.
  func document(_ id: String) async throws(Fault) -> JSONValue? {
    try await others?.bring(comparison: id, to: "\(folder)/\(id)")
    return FileContents.read("\(folder)/\(id)/diff.json").flatMap(JSONText.value)
  }

  /// An image by its file name.
  func screenshot(_ id: String, _ name: String) async throws(Fault) -> [UInt8]? {
    try await others?.bring(comparison: id, to: "\(folder)/\(id)")
    // Only what lies in the folder itself has such a name.
    guard !name.hasPrefix("."), !name.contains("/"), name.hasSuffix(".png") else { return nil }
    return FileContents.read("\(folder)/\(id)/\(name)")
  }

  /// Replaces paths of images by their addresses, and removes the paths of the compared files, which are private.
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

/// Compares files on disk and draws their differences.
struct RenderPair: Sendable {
  /// The folder for images of the differences.
  let pictures: String

  private var comparer: ResultComparer {
    let pictures = DiffImages(folder: pictures)
    return ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget()) { (screenshot, _) throws(Fault) in
      try pictures.write(&screenshot, below: "")
    }
  }

  /// Compares two results by their folders.
  func results(_ first: String, _ second: String) async throws(Fault) -> [ResultVerdict] {
    try await comparer.compare(try Self.listing(first), try Self.listing(second))
  }

  /// Compares two PNG files.
  func files(_ first: String, _ second: String) async throws(Fault) -> ResultVerdict {
    let screenshot = try await comparer.screenshot("picture.png", first, second, of: "")
    if let problem = screenshot.problem { throw .creative("diff-unreadable", problem) }
    var result = ResultVerdict(name: "")
    result.pictures = [screenshot]
    return result
  }

  /// Compares a render with a recorded baseline.
  func baseline(_ recorded: RecordedBaseline, _ render: BaselineRender) async throws(Fault) -> ResultVerdict {
    try await recorded.compare(render, comparer)
  }

  /// The result that lies directly in a folder.
  private static func listing(_ folder: String) throws(Fault) -> [ResultListing] {
    try ResultTree.results(below: folder).filter(\.name.isEmpty)
  }
}
