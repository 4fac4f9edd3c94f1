internal import AdManager
internal import Core
internal import Engine
internal import Foundation
internal import WebKitRuntime

/// Simulated network of the app, which can be offline: it carries the feed's sources, and decides if ads may load.
@EngineActor final class AppNetwork {
  /// Indicates that there is no network.
  var isOffline = false
  /// Number of the next requests that fail, whatever their address.
  var failures = 0
  /// Folder of the sources without an address.
  private let folder: String
  private let client: HTTPClient
  private let clock: RenderClock
  /// Seconds that a server may be silent, and maximum number of bytes that it may send.
  private nonisolated static let (patience, limit) = (20, 16_000_000)

  /// - Parameter session: the session whose proxy the requests use too.
  init(folder: String, session: WebSession, clock: RenderClock) {
    self.clock = clock
    self.folder = folder
    client = HTTPClient(proxy: session.proxy, patience: Self.patience, trustsProxy: session.trustsProxy)
  }

  /// Error of a request that is sent now; nil if it may be sent. Counts the failures that remain.
  func refusal() -> AdError? {
    if isOffline { return AdError("there is no network") }
    guard failures > 0 else { return nil }
    failures -= 1
    return AdError("the request failed, as the scenario requires")
  }

  /// Gets a source: a file below the feed's folder, or an http(s) address.
  func get(_ request: AdRequest) -> Promise<[UInt8]> {
    if let refusal = refusal() { return Promise(error: refusal) }
    return Promise { [client, clock, folder] in
      // However long it takes, it is the machine's time.
      try await clock.hold {
        guard request.url.hasPrefix("http://") || request.url.hasPrefix("https://") else {
          return try await Self.readFile(request.url, in: folder)
        }
        return try await Self.fetch(request, by: client)
      }
    }
  }

  private static func fetch(_ request: AdRequest, by client: HTTPClient) async throws(AdError) -> [UInt8] {
    let answer: HTTPAnswer
    do {
      answer = try await client.get(request.url, headers: request.headers, limit: limit)
    } catch {
      throw AdError("can't load \(request.url): \(error)")
    }
    guard (200..<300).contains(answer.status) else {
      throw AdError("\(request.url) answered with status \(answer.status)")
    }
    return answer.body
  }

  @concurrent private nonisolated static func readFile(_ path: String, in folder: String) async throws -> [UInt8] {
    try file(path, in: folder)
  }

  /// Bytes of a file below a folder; throws for a path beside or above it.
  nonisolated static func file(_ path: String, in folder: String) throws(AdError) -> [UInt8] {
    guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
      throw AdError("\(path) isn't below the feed's folder")
    }
    do throws(FileReadingError) {
      return try FileReading.regular("\(folder)/\(path)", most: limit)
    } catch {
      throw AdError("can't read \(path): \(error)")
    }
  }
}
