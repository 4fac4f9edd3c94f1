internal import AdExperience
internal import Foundation
internal import Jobs
internal import WebKitRuntime

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The app's own network, which can be taken away: the feed's sources come by it, and it decides whether ads do.
@WebKitActor final class AppNetwork {
  /// Whether there is none.
  var isOffline = false
  /// How many of the next requests fail whatever they ask for.
  var failures = 0
  /// Where sources without an address are.
  private let folder: String
  /// Whether requests may leave the machine.
  private let mayLeave: Bool

  init(folder: String, mayLeave: Bool) {
    self.folder = folder
    self.mayLeave = mayLeave
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
    let (folder, mayLeave) = (folder, mayLeave)
    return Promise { try await Self.load(request, folder, mayLeave) }
  }

  @concurrent private nonisolated static func load(
    _ request: AdRequest, _ folder: String, _ mayLeave: Bool
  ) async throws -> [UInt8] {
    guard request.url.hasPrefix("http://") || request.url.hasPrefix("https://") else {
      return try file(request.url, in: folder)
    }
    guard mayLeave else { throw AdError("\(request.url) isn't fetched: the render may not reach every address") }
    guard let url = URL(string: request.url) else { throw AdError("\(request.url) is no address") }
    var outgoing = URLRequest(url: url, timeoutInterval: 20)
    for (name, value) in request.headers { outgoing.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: outgoing)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 200
    guard (200..<300).contains(status) else { throw AdError("\(request.url) answered with status \(status)") }
    return Array(data)
  }

  /// The bytes of a file below a folder; nothing beside or above it is read.
  nonisolated static func file(_ path: String, in folder: String) throws(AdError) -> [UInt8] {
    guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
      throw AdError("\(path) isn't below the feed's folder")
    }
    guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)") else {
      throw AdError("\(path) can't be read")
    }
    return Array(data)
  }
}
