internal import Core
internal import FoundationEssentials
internal import Glibc

/// Pointer to an object of the library that may be used on any thread; its holder has to keep the object's owner alive.
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

/// Texts and lists in C's form, valid for one call.
final class CTexts {
  private var texts: [UnsafeMutablePointer<CChar>] = []
  private var lists: [UnsafeMutablePointer<UnsafePointer<CChar>?>] = []

  private init() {}

  /// Calls `body` and frees the texts that it asked for.
  static func use<Value>(_ body: (CTexts) throws(Fault) -> Value) throws(Fault) -> Value {
    let texts = CTexts()
    defer { texts.free() }
    return try body(texts)
  }

  /// Returns a text in C's form; nil stays nil.
  func text(_ text: String?) -> UnsafePointer<CChar>? {
    guard let text, let copy = strdup(text) else { return nil }
    texts.append(copy)
    return UnsafePointer(copy)
  }

  /// Returns several texts in C's form.
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
  /// Whole milliseconds, at least 1 and at most an hour, so that no wait is endless.
  var boundedMilliseconds: Int64 { min(max(milliseconds, 1), 3_600_000) }

  /// Whole milliseconds, rounded down and limited to about 30 years; 0 for very negative durations.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    guard abs(seconds) < 1_000_000_000 else { return seconds < 0 ? 0 : 1_000_000_000_000 }
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  /// Whole nanoseconds, limited to about 30 years; 0 for very negative durations.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    guard abs(seconds) < 1_000_000_000 else { return seconds < 0 ? 0 : 1_000_000_000_000_000_000 }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
