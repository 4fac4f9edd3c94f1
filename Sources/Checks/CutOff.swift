internal import Core
internal import RenderModel

/// A request that was kept from its server, so that the effects of its answer can't be judged.
struct CutOff: Hashable {
  enum Reason: Hashable {
    /// The call allows no network.
    case offline
    /// The host's address isn't of the public internet, and the call doesn't allow it.
    case guarded
    /// This machine reaches no network.
    case machine
  }

  let host: String
  let reason: Reason

  /// Word in the log for a forbidden network.
  static let offline = "offline"
  /// Words in the log for hosts that couldn't be reached.
  static let vain: Set<String> = ["unknown-host", "unreachable"]
}

extension CheckContext {
  /// Returns the reason why a request's answer can't be judged; nil if the server, or its absence, is the ad's own.
  func cutOff(_ resource: MeasuredResource) -> CutOff? {
    guard resource.origin == .network else { return nil }
    return reason(resource.url, isUnreached: resource.isUnreached).map { CutOff(host: resource.host, reason: $0) }
  }

  /// All requests that were cut off, each address once.
  var cutOffs: [CutOff] {
    let asked = requests.compactMap { request in cutOff(request.resource).map { (request.resource.url, $0) } }
    let named = refusals.compactMap { url, _ in
      reason(url, isUnreached: false).map { (url, CutOff(host: url.addressHost, reason: $0)) }
    }
    return Dictionary(asked + named, uniquingKeysWith: { first, _ in first }).sorted { $0.key < $1.key }.map(\.value)
  }

  private func reason(_ url: String, isUnreached: Bool) -> CutOff.Reason? {
    let refusal = refusals[url]
    if refusal == CutOff.offline { return .offline }
    if let refusal, !CutOff.vain.contains(refusal) { return .guarded }
    guard isMachineOffline, isUnreached || refusal != nil, !isNobodys(url.addressHost) else { return nil }
    return .machine
  }

  /// Indicates if hosts were requested and none answered, as on a machine without a network.
  package var reachedNothing: Bool {
    let asked = requests.map(\.resource).filter { $0.origin == .network }
    let isVain = { (resource: MeasuredResource) in
      resource.isUnreached || refusals[resource.url].map(CutOff.vain.contains) == true
    }
    return asked.contains { isVain($0) && !isNobodys($0.host) }
      && asked.allSatisfy { isVain($0) || $0.host.isPrivateHost || refusals[$0.url] != nil }
  }
}

extension CheckContext {
  /// Indicates if a host exists nowhere, by the ad's mistake; the creative's own host is the caller's choice.
  private func isNobodys(_ host: String) -> Bool {
    host.isReservedName && host != record.creative.path.addressHost
  }
}

extension MeasuredResource {
  /// Indicates if no server was reached, by the engine's messages, which are in English in a worker.
  fileprivate var isUnreached: Bool {
    guard let failure, status == 0 else { return false }
    return ["Error resolving", "Network is unreachable", "No route to host"].contains { failure.contains($0) }
  }
}

extension String {
  /// Indicates if a host's name is reserved (RFC 2606, 6761), so that requesting it is a mistake on any machine.
  fileprivate var isReservedName: Bool {
    let last = split(separator: ".").last.map(String.init) ?? self
    return ["invalid", "test", "example", "localhost", "local", "internal"].contains(last)
  }
}

extension Finding {
  /// Indicates if the finding concerns the machine; it is reported once for all creatives.
  package var isTheMachines: Bool { key == "\(CutOffCheck.cutOffRequest.id):\(CutOffCheck.machine)" }
}

/// Parts of an ad that couldn't be judged, as they never arrived.
enum CutOffCheck {
  static let machine = "machine"

  static let cutOffRequest = Check(
    "cut-off-request", family: .robustness, severity: .note, title: "Not judged: requests cut off",
    why: "The servers' responses are part of the ad: its look, weight and errors with them weren't judged.",
    remedy: "Check the ad again with a network, or with a recording of the servers' responses.",
    source: .galleyNetwork, needs: [.load]
  ) { context in
    let cutOffs = context.cutOffs
    guard !cutOffs.isEmpty || context.requests.contains(where: { $0.resource.origin == .network }) else { return nil }
    return [
      (CutOff.Reason.offline, "offline", "no network was allowed"),
      (.guarded, "guard", "addresses outside the public internet"),
      (.machine, machine, "this machine reaches no network"),
    ].compactMap { (reason, subject, why) -> CheckIssue? in
      let mine = cutOffs.filter { $0.reason == reason }
      guard !mine.isEmpty else { return nil }
      let hosts = Array(Set(mine.map(\.host))).sorted()
      let count = mine.count == 1 ? "a request" : "\(mine.count) requests"
      return CheckIssue("not judged: \(count) cut off, \(why): \(hosts.listed)", subject: subject)
    }
  }
}
