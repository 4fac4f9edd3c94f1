import Jobs
import Testing

@testable import Service

@Suite struct HookRouteTests {
  private func route(
    _ address: String, allowsPrivate: Bool = false, proxy: ProxyAddress? = nil
  ) async throws -> HookRoute {
    // Taken when private ones were allowed, so that only the looking up can refuse it.
    try await HookRoute.find(
      to: OutsideAddress(address, allowsPrivate: true), allowsPrivate: allowsPrivate, proxy: proxy)
  }

  @Test(arguments: [
    ("http://1.1.1.1:8080/", "1.1.1.1"), ("https://16843009/", "1.1.1.1"),
    ("http://[2606:4700::1111]/", "2606:4700::1111"),
  ])
  func pinsTheAddressThatIsPublic(address: String, pin: String) async throws {
    #expect(try await route(address) == .pinned(pin))
  }

  @Test(arguments: [
    ("http://localhost/", "address-private"), ("http://[::1]/", "address-private"),
    ("http://\(String(repeating: "a", count: 64)).example/", "host-unknown"),
  ])
  func refusesWhatLeadsInside(address: String, code: String) async throws {
    await #expect { try await route(address) } throws: { ($0 as? Fault)?.code == code }
  }

  @Test func looksNothingUpWhereOthersDecide() async throws {
    let proxy = try #require(ProxyAddress("http://10.0.0.1:3128"))
    #expect(try await route("http://localhost/", proxy: proxy) == .proxy(proxy))
    #expect(try await route("http://localhost/", allowsPrivate: true) == .open)
  }
}
