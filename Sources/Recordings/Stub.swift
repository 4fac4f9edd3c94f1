package import Core
internal import Files
internal import Foundation

package struct AskedRequest {
  package var method: String
  package var url: String
  package var headers: [Exchange.Header]
  package var body: [UInt8]?
  package init(method: String, url: String, headers: [Exchange.Header], body: [UInt8]?) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
  }
}
package struct MatchRule: Sendable {}
package enum MatchResult {
  case found(Exchange, by: MatchRule?)
  case missing(nearest: [Exchange])
}
package struct RecordingIndex: Sendable {
  private var byKey: [String: [Exchange]] = [:]
  package init(exchanges: [Exchange], rules: [MatchRule]) {
    for exchange in exchanges { byKey["\(exchange.method) \(exchange.url)", default: []].append(exchange) }
  }
  package mutating func match(_ request: AskedRequest) -> MatchResult {
    let key = "\(request.method) \(request.url)"
    guard let list = byKey[key], let first = list.first else { return .missing(nearest: []) }
    if list.count > 1 { byKey[key] = Array(list.dropFirst()) }
    return .found(first, by: nil)
  }
}
package final class BodyFile {
  let path: String, folder: String
  let handle: FileHandle
  let hash = SHA256()
  var size = 0
  init(_ folder: String) throws {
    self.folder = folder
    path = "\(folder)/bodies/.part-\(UUID().uuidString)"
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    handle = FileHandle(forWritingAtPath: path)!
  }
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    try handle.write(contentsOf: Data(bytes))
    hash.update(bytes)
    size += bytes.count
  }
  package func finish(mimeType: String) throws -> Exchange.Content {
    try handle.close()
    let digest = "\(hash.finish())"
    rename(path, "\(folder)/bodies/\(digest)")
    return Exchange.Content(digest: digest, size: size, mimeType: mimeType)
  }
}
package struct RecordingFolder {
  package let path: String
  package static func create(_ path: String) throws(Fault) -> RecordingFolder {
    try? FileManager.default.createDirectory(atPath: "\(path)/bodies", withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: "\(path)/exchanges.ndjson", contents: nil)
    return RecordingFolder(path: path)
  }
  package static func open(_ path: String) throws(Fault) -> RecordingFolder { RecordingFolder(path: path) }
  package func exchanges() throws -> [Exchange] {
    try String(contentsOfFile: "\(path)/exchanges.ndjson", encoding: .utf8).split(separator: "\n").map {
      try JSONDecoder().decode(Exchange.self, from: Data($0.utf8))
    }.sorted { $0.index < $1.index }
  }
  package func rules() throws -> [MatchRule] { [] }
  package func beginBody() throws -> BodyFile { try BodyFile(path) }
  package func append(_ exchange: Exchange) throws {
    let handle = FileHandle(forWritingAtPath: "\(path)/exchanges.ndjson")!
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(JSONText.bytes(exchange) + [10]))
    try handle.close()
  }
  package func bodyPath(_ digest: String) -> String { "\(path)/bodies/\(digest)" }
}
package struct NetworkProfile: Sendable {
  package var latency: Double
  package var down: Double?
  package var loss: Double
  package var offlineAfter: Double?
  package init(parsing text: String) throws(Fault) {
    (latency, down, loss, offlineAfter) = (0.15, 200_000, 0, nil)
  }
}
package struct NetworkFault: Sendable {
  package enum Effect: Sendable { case status(Int), dns, reset, stall, tls }
  package init(parsing: String) throws(Fault) {}
}
package struct FaultPlan {
  package init(_ faults: [NetworkFault]) {}
  package mutating func effect(for request: AskedRequest) -> NetworkFault.Effect? { nil }
}
package enum RecordingFile {
  package static func unpack(_ path: String, into folder: String) throws(Fault) {
    let tar = Process(); tar.executableURL = URL(fileURLWithPath: "/bin/tar"); tar.arguments = ["-xf", path, "-C", folder]
    try? tar.run(); tar.waitUntilExit()
  }
  package static func pack(_ folder: String, to path: String) throws(Fault) {
    let tar = Process(); tar.executableURL = URL(fileURLWithPath: "/bin/tar"); tar.arguments = ["-cf", path, "-C", folder, "."]
    try? tar.run(); tar.waitUntilExit()
  }
}
