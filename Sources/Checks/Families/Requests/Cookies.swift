internal import Jobs

extension Check {
  static let cookieCount = limit(
    "cookie-count", family: .requests, unit: .cookies, title: "Cookies",
    why: "Each cookie goes along with every later request, and says more about a person than an ad needs.",
    remedy: "Set fewer, and none from servers that only deliver pictures.", source: .dv360
  ) { evidence in
    guard let resources = evidence.measurements?.resources, !resources.isEmpty else { return nil }
    let set = resources.flatMap { resource in
      resource.responseHeaders.filter { $0.name.lowercased() == "set-cookie" }.map {
        "\(resource.host) \($0.value.prefix { $0 != "=" })"
      }
    }
    return [Reading(Double(Set(set).count), what: "the ad")]
  }
}
