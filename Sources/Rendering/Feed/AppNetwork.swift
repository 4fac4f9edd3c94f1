internal import AdManager
internal import Core
internal import Foundation
internal import WebKitRuntime

/// The app's own network, which can be taken away: the feed's sources come by it, and it decides whether ads do.
@WebKitActor final class AppNetwork {
  /// Whether there is none.
  var isOffline = false
  /// How many of the next requests fail whatever they ask for.
  var failures = 0
  /// Where sources without an address are.
  private let folder: String
  private let client: HTTPClient
  private let clock: RenderClock
  /// Seconds a server may be silent, and bytes it may send.
  private nonisolated static let (patience, limit) = (20, 16_000_000)

  /// - Parameter session: whose pages' requests go the same way.
  init(folder: String, session: WebSession, clock: RenderClock) {
    self.clock = clock
    self.folder = folder
    client = HTTPClient(proxy: session.proxy, patience: Self.patience, trustsProxy: session.trustsProxy)
  }

  /// Why a request that goes out now fails; nil when it may go.
  func refusal() -> AdError? {
    if isOffline { return AdError("there is no network") }
    guard failures > 0 else { return nil }
    failures -= 1
    return AdError("the request failed, as the scenario wants")
  }

  /// A source: a file below the feed's folder, or an http(s) address.
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
      throw AdError("\(request.url) can't be fetched: \(error)")
    }
    guard (200..<300).contains(answer.status) else {
      throw AdError("\(request.url) answered with status \(answer.status)")
    }
    return answer.body
  }

  @concurrent private nonisolated static func readFile(_ path: String, in folder: String) async throws -> [UInt8] {
    try file(path, in: folder)
  }

  /// The bytes of a file below a folder; nothing beside or above it is read.
  nonisolated static func file(_ path: String, in folder: String) throws(AdError) -> [UInt8] {
    guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
      throw AdError("\(path) isn't below the feed's folder")
    }
    do throws(FileReadingError) {
      return try FileReading.regular("\(folder)/\(path)", most: limit)
    } catch {
      throw AdError("\(path) can't be read: \(error)")
    }
  }
}
