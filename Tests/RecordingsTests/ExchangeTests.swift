import Testing

@testable import Recordings

@Suite struct ExchangeTests {
  @Test func whatPassesBeforeTheHeadIsAddedUp() {
    #expect(Exchange.Timing(dns: 1, connect: 2, tls: nil, send: 0, wait: 4, receive: 100).untilHead == 7)
  }
}
