package import Core
internal import Foundation
internal import Glibc

/// Contents as files in a folder of this machine.
package struct FileContents: ContentStore {
  private let folder: String

  package init(_ folder: String) throws(Fault) {
    self.folder = folder
    try Self.make(folder)
  }

  package func put(file: String) async throws(Fault) -> String {
    let scratch = "\(folder)/part-\(UUID().uuidString)"
    defer { unlink(scratch) }
    let (source, target, hash) = (try ContentFile.reading(file), try ContentFile.writing(scratch), SHA256())
    while let bytes = try source.next() {
      hash.update(bytes)
      try target.write(bytes)
    }
    try target.synchronise()
    let name = hash.finish().hex
    if try await has(name) { return name }
    try Self.make("\(folder)/\(name.prefix(2))")
    guard rename(scratch, path(of: name)) == 0 else { throw Fault.writing(path(of: name), POSIXError(.EIO)) }
    return name
  }

  package func get(_ hash: String, to file: String) async throws(Fault) {
    try ContentFile.check(hash)
    guard access(path(of: hash), F_OK) == 0 else { throw ContentFile.missing(hash) }
    let (source, target, digest) = (try ContentFile.reading(path(of: hash)), try ContentFile.writing(file), SHA256())
    while let bytes = try source.next() {
      digest.update(bytes)
      try target.write(bytes)
    }
    guard digest.finish().hex == hash else {
      unlink(file)
      throw .engine("content-broken", "the contents \(hash) aren't what was kept")
    }
  }

  package func has(_ hash: String) async throws(Fault) -> Bool {
    try ContentFile.check(hash)
    return utimes(path(of: hash), nil) == 0
  }

  package func remove(_ hash: String) async throws(Fault) {
    try ContentFile.check(hash)
    unlink(path(of: hash))
  }

  package func expire(before timestamp: Int64) async throws(Fault) -> Int {
    var count = 0
    for first in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      for rest in (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(first)")) ?? [] {
        let path = "\(folder)/\(first)/\(rest)"
        var facts = stat()
        guard stat(path, &facts) == 0 else { continue }
        let changed = Int64(facts.st_mtim.tv_sec) * 1000 + Int64(facts.st_mtim.tv_nsec / 1_000_000)
        if changed < timestamp, unlink(path) == 0 { count += 1 }
      }
    }
    return count
  }

  private func path(of hash: String) -> String { "\(folder)/\(hash.prefix(2))/\(hash.dropFirst(2))" }

  private static func make(_ folder: String) throws(Fault) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Fault.writing(folder, error)
    }
  }
}
