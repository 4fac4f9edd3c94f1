import Core
import Testing

@testable import Recordings

@Suite struct ConditionTests {
  @Test func profilesHaveNamesOrNumbers() throws {
    let named = try NetworkProfile(parsing: "3g")
    #expect(named.latency == 0.3 && named.down == 200_000 && named.loss == 0 && named.offlineAfter == nil)
    let own = try NetworkProfile(parsing: "latency=50ms,down=10mbit,loss=2%,offline-after:2s")
    #expect(own.latency == 0.05 && own.down == 1_250_000 && own.loss == 0.02 && own.offlineAfter == 2)
    #expect(try NetworkProfile(parsing: "4g,offline-after:1500ms").offlineAfter == 1.5)
    for name in NetworkProfile.named.keys { _ = try NetworkProfile(parsing: name) }
  }

  @Test(arguments: [
    "", "5g", "latency=1", "latency=-5ms", "down=1e99mbit", "loss=100%", "3g,", "down=nanmbit", "offline-after:9h",
  ])
  func aNetworkThatIsNoneIsToldWithThoseThatAre(_ text: String) {
    #expect { try NetworkProfile(parsing: text) } throws: { ($0 as? Fault)?.code == "network-profile-invalid" }
  }

  @Test func faultsMeetTheRequestsThatTheyName() throws {
    var plan = FaultPlan([
      try NetworkFault(parsing: "host=cdn.* status=503 at=first"),
      try NetworkFault(parsing: "path=/track* method=post reset"),
      try NetworkFault(parsing: "host=gone.example dns"), try NetworkFault(parsing: "path=/late stall at=2"),
    ])
    let ask = { (method: String, url: String) in AskedRequest(method: method, url: url) }
    #expect(plan.effect(for: ask("GET", "https://cdn.example/a.js")) == .status(503))
    #expect(plan.effect(for: ask("GET", "https://cdn.example/a.js")) == nil)
    #expect(plan.effect(for: ask("POST", "https://x.example/track/1?u=2")) == .reset)
    #expect(plan.effect(for: ask("GET", "https://x.example/track/1")) == nil)
    #expect(plan.effect(for: ask("GET", "wss://gone.example:8443/s")) == .dns)
    #expect(
      plan.effect(for: ask("GET", "https://a/late")) == nil && plan.effect(for: ask("GET", "https://a/late")) == .stall)
  }

  @Test(arguments: ["", "host=a", "dns reset", "status=42", "status=x", "at=0 dns", "host= dns", "where=a dns"])
  func aFaultThatIsNoneIsToldWithWhatMayStandThere(_ text: String) {
    #expect { try NetworkFault(parsing: text) } throws: { ($0 as? Fault)?.code == "network-fault-invalid" }
  }
}
