import Engine
import Testing

@testable import Hosting

@Suite("How long requests hold stepped time")
struct RequestPatienceTests {
  private let asked = ContinuousClock.now
  private var last: ContinuousClock.Instant { asked + .seconds(20) }

  private func request(
    _ purpose: OpenRequest.Purpose, url: String = "https://a.example/", _ answer: OpenRequest.Answer = .awaited
  ) -> OpenRequest {
    var request = OpenRequest(url: url, purpose: purpose, asked: asked)
    request.answer = answer
    return request
  }

  private func hold(_ request: OpenRequest) -> Duration? {
    RequestPatience.end(of: request, last: last).map { $0 - asked }
  }

  @Test("what a page consists of is waited for to the last, with a head or without")
  func parts() {
    #expect(hold(request(.part)) == .seconds(20))
    #expect(hold(request(.part, .coming(since: asked, hasLength: false))) == .seconds(20))
  }

  @Test("what a script asks for has five seconds for its head, and its body as long as it says how much comes")
  func scripts() {
    #expect(hold(request(.script)) == .seconds(5))
    let head = asked + .seconds(3)
    #expect(hold(request(.script, .coming(since: head, hasLength: true))) == .seconds(20))
    #expect(hold(request(.script, .coming(since: head, hasLength: false))) == .seconds(4))
  }

  @Test("what is meant to stay open holds nothing")
  func streams() {
    #expect(hold(request(.stream)) == nil)
    #expect(hold(request(.part, .endless)) == nil)
    #expect(hold(request(.script, OpenRequest.Answer(mimeType: "text/event-stream", length: nil, at: asked))) == nil)
    #expect(
      hold(request(.part, OpenRequest.Answer(mimeType: "multipart/x-mixed-replace", length: nil, at: asked))) == nil)
  }

  @Test("a picture has two seconds to begin, and then as long as it takes")
  func images() {
    #expect(hold(request(.image)) == .seconds(2))
    #expect(hold(request(.image, .coming(since: asked + .seconds(1), hasLength: false))) == .seconds(20))
  }

  @Test("hosts that never answer have three seconds in all for pictures, and ten for what scripts and players ask for")
  func silence() {
    var budget = SilenceBudget()
    func wait(_ purpose: OpenRequest.Purpose, at begin: ContinuousClock.Instant) -> Duration? {
      let request = OpenRequest(url: "https://a.example/", purpose: purpose, asked: begin)
      guard let end = budget.end(of: request, since: begin, last: begin + .seconds(60)) else { return nil }
      budget.spend(on: [request], from: begin, to: end, beyond: begin, last: begin + .seconds(60))
      return end - begin
    }
    #expect((0..<3).map { wait(.image, at: asked + .seconds($0 * 5)) } == [.seconds(2), .seconds(1), .zero])
    #expect((0..<3).map { wait(.script, at: asked + .seconds($0 * 9)) } == [.seconds(5), .seconds(5), .zero])
    #expect((0..<3).map { wait(.media, at: asked + .seconds($0 * 9)) } == [.seconds(5), .seconds(5), .zero])
    #expect((0..<3).map { wait(.part, at: asked + .seconds($0 * 9)) } == [.seconds(60), .seconds(60), .seconds(60)])
  }

  @Test("what else is waited for in the meantime costs nothing of that")
  func others() {
    var budget = SilenceBudget()
    let (request, last) = (request(.image), last)
    budget.spend(on: [request], from: asked, to: asked + .seconds(2), beyond: asked + .seconds(2), last: last)
    let later = OpenRequest(url: request.url, purpose: .image, asked: asked + .seconds(3))
    #expect(budget.end(of: later, since: later.asked, last: last) == later.asked + .seconds(2))
  }

  @Test("a player's request has five seconds to begin, and then reads as far as it needs, which is a second at most")
  func media() {
    #expect(hold(request(.media)) == .seconds(5))
    #expect(hold(request(.media, .coming(since: asked + .seconds(2), hasLength: true))) == .seconds(3))
  }

  @Test("a page's own memory has a second")
  func memory() { #expect(hold(request(.part, url: "blob:creative://ad/1")) == .seconds(1)) }

  @Test("once it is too late to wait long, each has a second")
  func late() {
    for purpose in [OpenRequest.Purpose.part, .script, .media, .image] {
      let end = RequestPatience.end(of: request(purpose), last: asked - .seconds(1))
      #expect(end == asked + .seconds(1))
    }
  }

  @Test("a quarter of the time allowed is left for screenshots")
  func share() { #expect(RequestPatience.last(from: asked, timeout: 30) - asked == .milliseconds(22_500)) }
}
