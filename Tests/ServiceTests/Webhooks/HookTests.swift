import Jobs
import Testing

@testable import Service

@Suite struct HookTests {
  /// The example of the specification at standardwebhooks.com.
  @Test func signsAsTheSpecificationSays() throws {
    let signature = try #require(HookSignature(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let headers = signature.headers(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: #"{"test": 2432232314}"#)
    #expect(headers.map(\.0) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
    #expect(headers.map(\.1).last == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test func makesSecretsThatItTakes() {
    #expect(HookSignature(secret: HookSignature.newSecret() + "\n") != nil)
    for secret in ["", "whsec_", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
      #expect(HookSignature(secret: secret) == nil)
    }
  }

  @Test func triesAgainLessAndLessOftenAndThenGivesUp() {
    let pauses = (1...10).map { HookSchedule.next(after: $0, at: 1000, chance: 0).map { ($0 - 1000) / 1000 } }
    #expect(pauses == [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 36_000, nil])
    #expect(HookSchedule.next(after: 1, at: 0, chance: 1) == 5500)
  }
}
