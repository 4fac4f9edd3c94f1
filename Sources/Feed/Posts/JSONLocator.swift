/// Finds the line on which something stands in a JSON text, since decoders don't say.
struct JSONLocator {
  /// One step from a value into it.
  enum Step: Hashable {
    case key(String)
    case index(Int)
  }

  /// Where a text stops being JSON.
  struct Problem: Error {
    var line: Int
    var text: String
  }

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The first thing that isn't JSON; nil when all is.
  var problem: Problem? {
    var scanner = JSONScanner(bytes)
    do throws(Problem) {
      try scanner.skipValue()
      try scanner.end()
      return nil
    } catch {
      return error
    }
  }

  /// The line, from 1, on which the value at the end of the path begins; of a path that ends early, its last value's.
  func line(of path: [Step]) -> Int {
    var scanner = JSONScanner(bytes)
    scanner.skipSpace()
    var line = scanner.line
    do throws(Problem) {
      for step in path {
        guard try scanner.enter(step) else { return line }
        line = scanner.line
      }
    } catch {
      return error.line
    }
    return line
  }
}
