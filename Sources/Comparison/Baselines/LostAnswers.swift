package import Core
package import RenderModel

/// Requests of a render that got no answer though they had one when the baseline was recorded.
///
/// Without these answers the ad's look says nothing about the ad, so the render isn't compared.
package struct LostAnswers: Hashable, Sendable {
  /// Code of the fault.
  package static let code = "baseline-not-compared"

  /// Addresses of the requests, each once, sorted.
  private let addresses: [String]
  /// Indicates if requests were cut off because the call allowed no network.
  private let isByCall: Bool

  /// - Parameters:
  ///   - recorded: the baseline's log.
  ///   - events: the render's.
  package init(_ recorded: [Event], _ events: [Event]) {
    let (before, after) = (Self.requests(recorded), Self.requests(events))
    let answered = { (requests: [Request]) in Set(requests.filter(\.isAnswered).map(\.url)) }
    let (had, has) = (answered(before), answered(after))
    let known = Set(before.map(\.url))
    // Nobody knows what would have come of one that is new, either.
    let lost = after.filter { request in
      request.isCutOff && !has.contains(request.url)
        && (had.contains(request.url) || request.isOffline && !known.contains(request.url))
    }
    addresses = Array(Set(lost.map(\.url))).sorted()
    isByCall = lost.contains { $0.isOffline }
  }

  /// Fault that names the lost hosts and tells a call without network from an unreached server; nil if nothing was
  /// lost.
  package var fault: Fault? {
    guard !addresses.isEmpty else { return nil }
    let hosts = Array(Set(addresses.map(\.addressHost))).sorted().listed
    let count = addresses.count == 1 ? "a request" : "\(addresses.count) requests"
    if isByCall {
      return .request(Self.code, "not compared: \(count) blocked, because no network was allowed: \(hosts)")
    }
    let had = addresses.count == 1 ? "that had a response" : "that had responses"
    return .engine(Self.code, "not compared: \(count) \(had) in the baseline had none now: \(hosts)")
  }

  private struct Request {
    let url: String
    let isAnswered: Bool
    /// Indicates if the server wasn't reached, or if the request was refused.
    let isCutOff: Bool
    /// Indicates if the request was refused because no network was allowed.
    let isOffline: Bool
  }

  private static func requests(_ events: [Event]) -> [Request] {
    events.compactMap { event in
      guard event.source == .network, event.isNamed(.resource), let url = event.detail["url"]?.string else {
        return nil
      }
      let (refusal, failure) = (event.detail["refused"]?.string, event.detail["failure"]?.string)
      let isUnreached = failure.map { failure in unreached.contains { failure.contains($0) } } ?? false
      // What a page may not read was answered all the same.
      let isAnswered = (event.detail["status"]?.number ?? 0) > 0 || failure?.contains("Access-Control") == true
      return Request(
        url: url, isAnswered: refusal == nil && isAnswered, isCutOff: refusal != nil || isUnreached,
        isOffline: refusal == "offline")
    }
  }

  /// Parts of the engine's messages for a server that wasn't reached; they are in English in a worker.
  private static let unreached = [
    "Error resolving", "Could not connect", "Connection refused", "Network is unreachable", "No route to host",
  ]
}
