internal import Core
internal import FoundationEssentials
internal import Glibc

/// An object of the library's that may be used on any thread; whoever holds one keeps its owner alive.
struct LibraryPointer: Sendable {
  private let bits: UInt

  init?(_ pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    bits = UInt(bitPattern: pointer)
  }

  var pointer: OpaquePointer {
    guard let pointer = OpaquePointer(bitPattern: bits) else { preconditionFailure("a pointer became none") }
    return pointer
  }
}

/// Texts and lists as C has them, for as long as one call lasts.
final class CTexts {
  private var texts: [UnsafeMutablePointer<CChar>] = []
  private var lists: [UnsafeMutablePointer<UnsafePointer<CChar>?>] = []

  private init() {}

  /// Frees what `body` asked for when it is done.
  static func use<Value>(_ body: (CTexts) throws(Fault) -> Value) throws(Fault) -> Value {
    let texts = CTexts()
    defer { texts.free() }
    return try body(texts)
  }

  /// One text; nil stays nil.
  func text(_ text: String?) -> UnsafePointer<CChar>? {
    guard let text, let copy = strdup(text) else { return nil }
    texts.append(copy)
    return UnsafePointer(copy)
  }

  /// Several texts.
  func list(_ all: [String]) -> UnsafeMutablePointer<UnsafePointer<CChar>?> {
    let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: max(1, all.count))
    list.initialize(repeating: nil, count: max(1, all.count))
    for (index, each) in all.enumerated() { list[index] = text(each) }
    lists.append(list)
    return list
  }

  private func free() {
    texts.forEach { Glibc.free($0) }
    lists.forEach { $0.deallocate() }
  }
}

extension Duration {
  /// Whole milliseconds, at least 1 and at most an hour: no wait is endless.
  var boundedMilliseconds: Int64 { min(max(milliseconds, 1), 3_600_000) }

  /// Whole milliseconds, rounded down; years at most.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    guard abs(seconds) < 1_000_000_000 else { return seconds < 0 ? 0 : 1_000_000_000_000 }
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  /// Whole nanoseconds, years at most.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    guard abs(seconds) < 1_000_000_000 else { return seconds < 0 ? 0 : 1_000_000_000_000_000_000 }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
