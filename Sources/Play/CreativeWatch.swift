internal import Core
internal import Foundation
internal import Glibc
internal import RenderModel

/// Detects changes of a creative's files on the disk.
struct CreativeWatch: Sendable {
  /// Maximum number of watched files; changes of further files aren't noticed.
  private static let mostFiles = 5_000
  private static let interval = Duration.milliseconds(300)

  /// Files and folders to watch; the last is visited first.
  private let roots: [String]
  private let exception: String

  /// Watches a creative's files, except for `exception`, a file whose changes don't count.
  init(_ creative: CreativeReference, except exception: String) {
    self.exception = exception
    let path = creative.path.map { [$0] } ?? []
    // A document's pictures and scripts lie beside it.
    let isDocument = path.contains { ["html", "htm"].contains(AbsolutePath.stem($0).fileExtension) }
    roots = isDocument ? path.map { AbsolutePath.split($0).parent } + path : path
  }

  /// State of a file at one inspection: size, time of the last change, inode.
  private struct Trace: Hashable {
    let bytes: Int
    let changed: Int
    let nanoseconds: Int
    let node: UInt64
  }

  /// Yields names of files that changed, appeared or vanished, at most 5 each time, once no more changes occur.
  func changes() -> AsyncStream<[String]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [String].self, bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      var known = traces()
      var pending: [String: Trace]?
      while (try? await Task.sleep(for: Self.interval)) != nil {
        let now = traces()
        // What changes on and on is told once it rests.
        if now == known {
          pending = nil
        } else if now == pending {
          continuation.yield(Self.names(of: known, now))
          (known, pending) = (now, nil)
        } else {
          pending = now
        }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  private static func names(of before: [String: Trace], _ after: [String: Trace]) -> [String] {
    Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted().prefix(5)
      .map { AbsolutePath.split($0).name }
  }

  private func traces() -> [String: Trace] {
    var found: [String: Trace] = [:]
    var waiting = roots
    while let path = waiting.popLast(), found.count < Self.mostFiles {
      var facts = stat()
      guard path != exception, lstat(path, &facts) == 0 else { continue }
      if facts.st_mode & S_IFMT == S_IFDIR {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        waiting += names.filter { !$0.hasPrefix(".") }.map { "\(path)/\($0)" }
      } else if facts.st_mode & S_IFMT == S_IFREG {
        found[path] = Trace(
          bytes: Int(facts.st_size), changed: facts.st_mtim.tv_sec, nanoseconds: facts.st_mtim.tv_nsec,
          node: UInt64(facts.st_ino))
      }
    }
    return found
  }
}
