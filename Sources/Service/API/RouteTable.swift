internal import Hummingbird

/// Which methods each path knows; what Hummingbird's router doesn't tell.
struct RouteTable: Sendable {
  /// One method of one path.
  struct Route: Hashable, Sendable {
    let method: String
    /// `/v1/renders/{id}`
    let path: String
  }

  let routes: [Route]

  init(_ routes: [Route]) { self.routes = routes }

  /// Of a router.
  init(_ router: Router<ServiceContext>) {
    self.init(router.routes.map { Route(method: $0.method.rawValue, path: "\($0.path)") })
  }

  /// The methods of a path, sorted; none where nothing is.
  func methods(of path: String) -> [String] {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let found = routes.filter { route in
      var own = route.path.split(separator: "/", omittingEmptySubsequences: false)
      let isOpen = own.last == "**"
      if isOpen { own.removeLast() }
      return (isOpen ? parts.count > own.count : parts.count == own.count)
        && zip(own, parts).allSatisfy { $0.hasPrefix("{") ? !$1.isEmpty : $0 == $1 }
    }.map(\.method)
    return Set(found + (found.contains("GET") ? ["HEAD"] : [])).sorted()
  }
}
