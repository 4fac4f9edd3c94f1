import Jobs
import MRAID
import Testing

@testable import Service

/// Numbers in requests that end careless servers.
@Suite struct HostileNumberTests {
  private static let numbers = [
    "1e308", "-1e308", "2147483649", "-2147483649", "9007199254740993", "9223372036854775808", "-0", "1e19", "0.1",
    "1e400", "\"nan\"", "\"inf\"", "\"-Infinity\"", "\"0x10\"", "null",
  ]
  private static let members = [
    "timeout", "patience", "memory", "watch", "seed", "at", "filmstrip", "size", "date", "device", "explore", "screen",
    "scenario", "scale", "width",
  ]

  @Test(arguments: numbers, members)
  func `each member of a request is read or refused`(number: String, member: String) {
    let values = [
      number, "[\(number)]", "{\"width\": \(number), \"height\": \(number), \"scale\": \(number)}",
      "{\"actions\": \(number), \"seconds\": \(number)}", "{\"interval\": \(number), \"length\": \(number)}",
      "{\"steps\": [{\"wait\": \(number)}, {\"scroll\": \(number)}, {\"tap\": {\"x\": \(number), \"y\": \(number)}}]}",
    ]
    for value in values {
      let body = "{\"markup\": \"<p>\", \"\(member)\": \(value)}"
      guard let submission = try? Submission(json: Array(body.utf8), bounds: ServiceSettings.Bounds()) else { continue }
      let job = try? submission.request.job(path: "/creative", output: "/out", reach: .any)
      #expect(job.map { (0.1...3600).contains($0.limits.timeout) } ?? true)
    }
  }

  @Test(arguments: [
    "1:9223372036854775807", "1:-9223372036854775808", "1:99999999999999999999", "1:", ":", "1:1:1", "nan:nan", "",
  ])
  func `a place in a log may be any text`(last: String) {
    var tail = LogTail(path: "/nowhere/events.ndjson", attempt: 1, after: last)
    #expect(tail.read() == [])
  }

  @Test(arguments: ["wait=9223372036854775807", "wait=-1", "wait=nan", "wait=1e9", "wait="])
  func `a client prefers to wait for a bounded time`(text: String) {
    #expect(Preference(text).wait.map { (1...Preference.longest).contains($0) } ?? true)
  }

  @Test(arguments: [Double.nan, .infinity, 0, -1, 1e308, 1e-308])
  func `advice on when to come again is bounded`(pace: Double) {
    #expect((1...60).contains(RetryAdvice.seconds(waiting: 10, width: 1, pace: pace)))
  }
}
