internal import Jobs

extension Check {
  static let externalRequest = Check(
    "external-request", family: .requests, severity: .error, title: "Loads from elsewhere",
    why: "The network wants everything in the creative: what comes from another server can change or fail.",
    remedy: "Put the file into the creative and refer to it by a relative address.",
    source: .googleAds, needsProfile: true
  ) { evidence in
    let rules = evidence.rules(for: "external-request")
    guard !rules.isEmpty, evidence.record.creative.kind != "url" else { return nil }
    var known: Set<String> = []
    return evidence.resources.filter { $0.origin == .network && !$0.url.hasPrefix("data:") }.compactMap { resource in
      let refusing = rules.filter { !resource.host.matches(any: $0.rule.except ?? []) }
      guard !refusing.isEmpty, known.insert(resource.shortName).inserted else { return nil }
      var remark = Remark("\(resource.shortName) is loaded from outside the creative", subject: resource.shortName)
      remark.profiles = refusing.map(\.profile)
      remark.severity = refusing.map { $0.rule.severity ?? .error }.max()
      return remark
    }
  }
}

extension MeasuredResource {
  /// `fonts.googleapis.com`; empty when there is none.
  var host: String { url.addressHost }
}

extension String {
  /// The host of an address, without port and user; empty when there is none.
  var addressHost: String {
    guard let start = firstRange(of: "://")?.upperBound else { return "" }
    let authority = self[start...].prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@").last ?? ""
    if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }).lowercased() }
    return String(host.prefix { $0 != ":" }).lowercased()
  }

  /// Whether it is one of these hosts, or below one.
  fileprivate func matches(any hosts: [String]) -> Bool {
    hosts.contains { self == $0 || hasSuffix("." + $0) }
  }
}
