package import Core
internal import FoundationEssentials
package import RenderModel

/// Finds the results below a folder: folders with a `result.json`, an event log or pictures.
package enum ResultTree {
  /// Maximum number of folders searched; `depth` is the maximum depth.
  private static let folders = 20_000
  private static let depth = 16

  /// Returns the results sorted by name; links to folders aren't followed.
  /// - Throws: a request's fault when there are none, too many folders, or one can't be read.
  package static func results(below path: String) throws(Fault) -> [ResultListing] {
    var found: [ResultListing] = []
    var waiting = [(name: "", depth: 0)]
    var looked = 0
    while let (name, depth) = waiting.popLast() {
      looked += 1
      guard looked <= folders, depth <= Self.depth else {
        throw .request("diff-folders-too-many", "\(path) has too many subfolders to compare")
      }
      let entries = try entries(of: join(path, name))
      if let listing = listing(name, join(path, name), entries) { found.append(listing) }
      for entry in entries where entry.isFolder && entry.name != "screenshots" {
        waiting.append((name.isEmpty ? entry.name : "\(name)/\(entry.name)", depth + 1))
      }
    }
    if found.isEmpty { throw .request("diff-results-missing", "\(path) contains no results and no PNG files") }
    return found.sorted { $0.name < $1.name }
  }

  private struct Entry {
    let name: String
    let isFolder: Bool
  }

  private static func entries(of folder: String) throws(Fault) -> [Entry] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
        let type = try? FileManager.default.attributesOfItem(atPath: join(folder, name))[.type] as? FileAttributeType
        return Entry(name: name, isFolder: type == .typeDirectory)
      }
    } catch {
      throw .request("diff-unreadable", "can't read \(folder)")
    }
  }

  /// Returns the listing of a folder; nil if the folder has no part of a result.
  private static func listing(_ name: String, _ path: String, _ entries: [Entry]) -> ResultListing? {
    let files = Set(entries.filter { !$0.isFolder }.map(\.name))
    var folder = path
    var pictures = files.filter { $0.hasSuffix(".png") }
    if entries.contains(where: { $0.isFolder && $0.name == "screenshots" }) {
      folder = path + "/screenshots"
      pictures = Set((try? self.entries(of: folder))?.map(\.name).filter { $0.hasSuffix(".png") } ?? [])
    }
    let logs = ["events.ndjson", "result.json"].map { files.contains($0) ? join(path, $0) : nil }
    guard !pictures.isEmpty || logs.contains(where: { $0 != nil }) else { return nil }
    let paths = Dictionary(uniqueKeysWithValues: pictures.map { ($0, join(folder, $0)) })
    return ResultListing(name: name, path: path, pictures: paths, events: logs[0], record: logs[1])
  }

  private static func join(_ folder: String, _ name: String) -> String {
    name.isEmpty ? folder : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}

/// Files in a folder of results: the output of one render, or only pictures.
package struct ResultListing: Hashable, Sendable {
  /// Path relative to the compared folder; empty for that folder itself.
  package let name: String
  package let path: String
  /// Paths of the pictures by their file names, which end in `.png`.
  package let pictures: [String: String]
  /// Paths of `events.ndjson` and `result.json`; nil if the file is missing.
  package let events: String?
  package let record: String?

  package init(
    name: String, path: String, pictures: [String: String], events: String? = nil, record: String? = nil
  ) {
    (self.name, self.path, self.pictures, self.events, self.record) = (name, path, pictures, events, record)
  }
}

extension RenderRecord {
  /// Reads the record of an earlier render.
  /// - Throws: a request's fault when the file is no record.
  package static func read(_ path: String) throws(Fault) -> RenderRecord {
    do throws(ResultProblem) {
      return try ResultFolder.record(at: path)
    } catch {
      switch error {
      case .unreadable: throw .request("diff-unreadable", "can't read \(path)")
      case .broken: throw .request("diff-record-broken", "\(path) isn't a result of a render")
      case .schema(let schema):
        try DocumentVersion.check(schema, of: path, remedy: "render the creative again")
        throw .request("diff-record-broken", "\(path) isn't a result of a render")
      }
    }
  }
}

extension EventLogFile {
  /// Reads all events of an earlier render's log.
  /// - Throws: a request's fault that names the line, when the file is no event log or too long.
  package static func read(_ path: String) throws(Fault) -> [Event] {
    do throws(Problem) {
      return try EventLogFile(path).everyEvent()
    } catch {
      switch error {
      case .unreadable: throw .request("diff-unreadable", "can't read \(path)")
      case .tooManyLines(let count): throw .request("diff-log-too-long", "\(path) has \(count) lines")
      case .broken(let line): throw .request("diff-log-broken", "\(path):\(line) isn't an event")
      }
    }
  }
}
