import Core
import RenderModel
import Testing

/// Numbers in the input of users and pages, each of which is read within its bounds or refused.
@Suite struct HostileNumberTests {
  private static let numbers = [
    ".nan", ".inf", "-.inf", "1e308", "-1e308", "1e400", "2147483649", "-2147483649", "9007199254740993",
    "9223372036854775808", "-0", "0", "0x7fffffffffffffff", "1e19",
  ]
  private static let steps = [
    "wait: %", "wait: {seconds: %}", "wait: {event: mraid/error, count: %, timeout: %}", "advance: %", "scroll: %",
    "volume: %", "tap: {x: %, y: %}", "swipe: {from: {x: %, y: %}, to: {x: %, y: %}}", "exposure: %", "rotate: %",
    "expect: {evaluate: {\"1\": %}}", "expect: {events: [{name: error, count: %}]}", "screenshot: %",
  ]

  @Test(arguments: numbers, steps)
  func `a scenario's step is read or refused`(number: String, step: String) {
    let text = "- \(step.replacing("%", with: number))"
    guard let scenario = try? ScenarioParser.parse(text, source: "s.yaml") else { return }
    for step in scenario.steps {
      if case .wait(let wait) = step.action { #expect((0...3600).contains(wait.timeout)) }
    }
  }

  @Test(
    arguments: [Double.nan, .infinity, -.infinity, 1e308, 0, -0.0, 1e-308], [Double.nan, .infinity, 1e308, 0, -1, 2])
  func `a filmstrip has a bounded number of frames`(interval: Double, length: Double) {
    #expect(
      CaptureSchedule.Filmstrip(interval: interval, length: length).instants.count
        <= CaptureSchedule.Filmstrip.mostFrames)
  }

  private struct Answer: Decodable, Hashable {
    var size: Double
    var count: Int
  }

  @Test(arguments: ["1e308", "1e20", "9223372036854775808", "-9223372036854775809", "1e13"])
  func `a page's number is held to what fits`(number: String) throws {
    let answer = try #require(PageAnswer.decode(Answer.self, from: "{\"size\": \(number), \"count\": \(number)}"))
    #expect(abs(answer.size) == 1e13)
    #expect(abs(answer.count) == 10_000_000_000_000)
  }

  @Test func `an ordinary answer stays as it is`() {
    #expect(PageAnswer.decode(from: "{\"size\": 12.5, \"count\": 3}") == Answer(size: 12.5, count: 3))
    #expect(PageAnswer.decode(Answer.self, from: "{\"size\": null}") == nil)
    #expect(PageAnswer.decode([String].self, from: "[\"a\", \"é\"]") == ["a", "é"])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e308, -0.0])
  func `every number in a document has a JSON form`(number: Double) {
    #expect(!JSONText.line(JSONValue.object(["n": .number(number)])).isEmpty)
  }

  @Test func `weights of any size add up`() {
    let heavy = MeasuredResource(url: "https://a.example/a", origin: .network, encoded: .max)
    let weight = LoadWeight([heavy, heavy])
    #expect(weight.bytes == .max)
    #expect(weight.requests == 2)
  }
}
