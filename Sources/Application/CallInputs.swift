package import Core
internal import Glibc
package import RenderModel
internal import Reports

/// Inputs of a call, used to prevent outputs from replacing them or from being written among a creative's files.
package struct CallInputs: Sendable {
  /// Folders that are creatives; `holders` are folders that are or contain one. Values are the arguments of the call.
  private var folders: [String: String] = [:]
  private var holders: [String: String] = [:]
  /// Input files by path; `identities` has them by their identity under any name.
  private var files: [String: String] = [:]
  private var identities: [FileIdentity: String] = [:]
  /// Folders with results, in which reports may be written.
  private var results: [String: String] = [:]

  /// - Parameters:
  /// - files: other files, as the caller wrote them; paths without a regular file are ignored.
  /// - results: result folders of renders, as the caller wrote them.
  package init(_ creatives: [CreativeReference] = [], files: [String?] = [], results: [String] = []) {
    for creative in creatives where creative.argument != "-" {
      guard let path = creative.path.map(AbsolutePath.resolved) else { continue }
      let isFolder = AbsolutePath.isFolder(path)
      if isFolder { folders[path] = creative.argument } else { add(file: path, creative.argument) }
      for holder in Self.ways(up: path).dropFirst(isFolder ? 0 : 1) where holders[holder] == nil {
        holders[holder] = creative.argument
      }
    }
    for file in files.compactMap(\.self) { add(file: AbsolutePath.resolved(file), file) }
    for folder in results where AbsolutePath.isFolder(folder) { self.results[AbsolutePath.resolved(folder)] = folder }
  }

  /// Rejects a folder of results that would mix with a creative.
  /// - Throws: a request's fault when a folder of results is, holds or lies in a creative.
  package func check(results folder: String) throws(Fault) {
    let ways = Self.ways(up: AbsolutePath.resolved(folder))
    if let own = ways.first.flatMap({ holders[$0] }) ?? creative(around: ways) {
      throw .request(
        "output-in-creative", "--out \(folder) would mix results with the creative \(own): choose another --out")
    }
  }

  /// Rejects an output file that would replace an input or lie in a creative's folder.
  /// - Throws: a request's fault when a file to be written is one that is read, or lies in a creative's folder.
  package func check(file: String) throws(Fault) {
    let place = AbsolutePath.resolved(file)
    if let own = files[place] ?? FileIdentity(place).flatMap({ identities[$0] }) ?? part(place) {
      throw .request(
        "output-is-input", "\(file) would overwrite \(own), which this command reads: choose another file")
    }
    if let own = creative(around: Self.ways(up: place)) {
      throw .request(
        "output-in-creative", "\(file) would be mixed with the creative \(own): choose a file outside it")
    }
  }

  /// Rejects output files that are the same.
  /// - Throws: a request's fault when two of a call's files are the same.
  package static func check(apart files: [String]) throws(Fault) {
    var taken: [String: String] = [:]
    for file in files {
      let place = AbsolutePath.resolved(file)
      // A device or pipe takes what comes, one after the other.
      guard !isSpecial(place) else { continue }
      if taken.updateValue(file, forKey: place) != nil {
        throw .request(
          "output-twice", "two outputs of this command have the path \(file): name two files")
      }
    }
  }

  private mutating func add(file path: String, _ written: String) {
    guard let identity = FileIdentity(path) else { return }
    files[path] = written
    identities[identity] = written
  }

  private func creative(around ways: [String]) -> String? { ways.lazy.compactMap { folders[$0] }.first }

  /// Returns the path itself if it is part of a result or report that the call reads; nil otherwise.
  private func part(_ path: String) -> String? {
    guard FileIdentity(path) != nil, Self.ways(up: path).contains(where: { results[$0] != nil }) else { return nil }
    return AbsolutePath.split(path).name == ReportSource.fileName || ResultFolder.holdsPart(at: path) ? path : nil
  }

  /// Returns the path and all folders above it.
  private static func ways(up path: String) -> [String] {
    var ways = [path]
    while let slash = ways[ways.count - 1].utf8.lastIndex(of: UInt8(ascii: "/")) {
      let parent = String(Substring(ways[ways.count - 1].utf8[..<slash]))
      guard !parent.isEmpty else { break }
      ways.append(parent)
    }
    return ways
  }

  private static func isSpecial(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG
  }
}

/// Identity of a regular file, independent of its name.
private struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// Makes the identity; nil if there is no regular file.
  init?(_ path: String) {
    var facts = stat()
    guard !path.utf8.contains(0), stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    (device, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
  }
}

extension BatchPlan {
  /// Returns the inputs of a call with this plan: creatives, their scenarios, a feed, and further named files.
  package func inputs(besides files: [String?] = []) -> CallInputs {
    var creatives: [CreativeReference] = []
    var files = files
    for item in items {
      switch item.work {
      case .render(let job):
        creatives += [job.creative] + (job.feed?.creatives ?? [])
        files += [job.feed?.path, job.scenario?.source]
      case .refused(let record): files.append(record.creative.path)
      }
    }
    return CallInputs(creatives, files: files)
  }
}
