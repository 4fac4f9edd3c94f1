internal import Foundation
internal import Jobs

/// A source that has been read: its records, and where each stands.
struct SourceList<Record: Decodable & Sendable>: Sendable {
  let source: String
  let records: [Record]
  private let bytes: [UInt8]

  /// Reads a JSON list; a fault names the line of what is wrong.
  init(_ bytes: [UInt8], source: String) throws(Fault) {
    self.source = source
    self.bytes = bytes
    do {
      records = try JSONDecoder().decode([Record].self, from: Data(bytes))
    } catch let error as DecodingError {
      throw Self.fault(error, bytes, source)
    } catch {
      throw .request("feed-source-invalid", "\(source): \(error)")
    }
  }

  /// What is wrong with a record that can be read.
  func fault(at index: Int, _ problem: String) -> Fault {
    Self.fault(source, JSONLocator(bytes).line(of: [.index(index)]), problem)
  }

  private static func fault(_ error: DecodingError, _ bytes: [UInt8], _ source: String) -> Fault {
    let locator = JSONLocator(bytes)
    if let problem = locator.problem { return fault(source, problem.line, "not JSON: \(problem.text)") }
    switch error {
    case .keyNotFound(let key, let context):
      let place = steps(context.codingPath)
      return fault(source, locator.line(of: place), "\(name(place)) has no \(key.stringValue)")
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      let place = steps(context.codingPath)
      return fault(source, locator.line(of: place), "\(name(place)) must be \(word(for: type))")
    case .dataCorrupted(let context):
      return fault(source, locator.line(of: steps(context.codingPath)), context.debugDescription)
    @unknown default: return fault(source, 1, "\(error)")
    }
  }

  private static func fault(_ source: String, _ line: Int, _ problem: String) -> Fault {
    .request("feed-source-invalid", "\(source):\(line): \(problem)")
  }

  private static func steps(_ path: [any CodingKey]) -> [JSONLocator.Step] {
    path.map { key in key.intValue.map { .index($0) } ?? .key(key.stringValue) }
  }

  /// The innermost name, or else the record.
  private static func name(_ path: [JSONLocator.Step]) -> String {
    switch path.last {
    case .key(let key): key
    case .index(let index): "record \(index + 1)"
    case nil: "the source"
    }
  }

  private static func word(for type: Any.Type) -> String {
    if type == String.self { return "text" }
    if type == Int.self { return "a whole number" }
    return type is any Collection.Type && type != [String: Any].self ? "a list" : "an object"
  }
}
