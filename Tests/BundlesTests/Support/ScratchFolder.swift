import FoundationEssentials
import Glibc
import Jobs
import Testing

@testable import Bundles

/// A folder of a test's own, removed with its last reference.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/galley-bundles-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!).map { String(cString: $0) } }
    path = try #require(made.flatMap { AbsolutePath.real($0) })
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, making the folders on the way; returns its absolute path.
  @discardableResult
  func write(_ relative: String, _ text: String) throws -> String { try write(relative, Array(text.utf8)) }

  @discardableResult
  func write(_ relative: String, _ bytes: [UInt8]) throws -> String {
    let target = path + "/" + relative
    makeFolder(AbsolutePath.split(relative).parent)
    let file = try #require(fopen(target, "w"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    return target
  }

  /// Makes a folder and those on the way.
  func makeFolder(_ relative: String) {
    var made = path
    for component in ResourcePath.split(relative.utf8) where component != "." {
      made += "/" + component
      mkdir(made, 0o755)
    }
  }

  /// The text in UTF-16 with its byte order mark.
  static func littleEndian(_ text: String) -> [UInt8] {
    ([0xFEFF] + Array(text.utf16)).flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
  }

  func link(_ relative: String, to target: String) throws {
    try #require(symlink(target, path + "/" + relative) == 0)
  }

  /// Makes a file of `size` zero bytes that takes no space.
  func writeSparse(_ relative: String, size: Int) throws -> String {
    let target = try write(relative, "")
    try #require(truncate(target, size) == 0)
    return target
  }

  /// Opens what stands at `relative` as a creative.
  func open(_ relative: String = "", limits: BundleLimits = .standard) throws(Fault) -> CreativeBundle {
    let target = relative.isEmpty ? path : path + "/" + relative
    return try .open(CreativeReference(argument: target, path: target, name: "test"), limits: limits)
  }

  /// The fault opening `relative` ends in.
  func fault(_ relative: String = "", limits: BundleLimits = .standard) -> Fault? {
    do throws(Fault) {
      _ = try open(relative, limits: limits)
      return nil
    } catch {
      return error
    }
  }
}
