import Parties
import Testing

@Suite struct PartyTests {
  @Test(arguments: [
    ("cdn.shop.co.uk", "shop.co.uk"), ("SHOP.example.com", "example.com"), ("example.com", "example.com"),
    ("a.b.github.io", "b.github.io"), ("x.d1.cloudfront.net", "d1.cloudfront.net"), ("co.uk", "co.uk"),
    ("127.0.0.1", "127.0.0.1"), ("::1", "::1"),
    ("localhost", "localhost"), ("", ""), (String(repeating: "a.", count: 200), String(repeating: "a.", count: 200)),
  ])
  func knowsWhatWasRegistered(host: String, domain: String) { #expect(RegistrableDomain.of(host) == domain) }

  @Test func namesTrackersAndWhatIsBelowThem() {
    let found = TrackerList.tracker(of: "ad.DoubleClick.net")
    #expect(found?.company == "Google" && found?.purpose == .advertising)
    #expect(TrackerList.tracker(of: "px.ads.linkedin.com")?.company == "LinkedIn")
    for host in ["notdoubleclick.net", "linkedin.com", "net", "", "."] { #expect(TrackerList.tracker(of: host) == nil) }
    #expect(TrackerList.count > 100)
  }

  @Test func gathersRequestsByWhoRegisteredTheirHosts() {
    let parties = RequestParty.all(of: [
      .init(host: "a.cdn.example.com", bytes: 10), .init(host: "B.example.com", bytes: 5, setsCookie: true),
      .init(host: "stats.g.doubleclick.net"),
    ])
    #expect(parties.map(\.domain) == ["example.com", "doubleclick.net"])
    #expect(parties[0].hosts == ["a.cdn.example.com", "b.example.com"])
    #expect(parties[0].requests == 2 && parties[0].bytes == 15 && parties[0].cookies == 1 && !parties[0].isTracker)
    #expect(parties[1].who == "Google, advertising")
  }
}
