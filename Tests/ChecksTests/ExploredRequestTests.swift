import Core
import RenderModel
import Testing

@testable import Checks

@Suite("Requests that only exploring met")
struct ExploredRequestTests {
  private static func load(
    _ url: String, status: Double = 200, type: String = "image/png", bytes: Double = 9
  ) -> Event {
    event(
      .network, "resource",
      ["url": .string(url), "status": .number(status), "type": .string(type), "bytes": .number(bytes)])
  }

  /// Creates the evidence of a flawless first render, with these requests behind a tap, and again behind another.
  private static func behindTap(_ loads: [Event], by profiles: [Profile] = []) -> CheckContext {
    .made(
      explored: ExploredStates(), resources: [resource("creative://ad/index.html", type: "text/html")],
      profiles: profiles,
      tried: [Journey(action: "tap #more", events: loads), Journey(action: "tap #again", events: loads)])
  }

  private static func messages(_ id: String, _ context: CheckContext) throws -> [String]? {
    try #require(Check.named(id)).judge(context)?.map(\.message)
  }

  @Test("are judged, each once, and the finding says behind which tap")
  func judged() throws {
    let context = Self.behindTap([
      Self.load("creative://ad/gone.png", status: 404, type: "text/plain"),
      Self.load("https://a.example/a.png", status: 404),
    ])
    #expect(try Self.messages("missing-file", context) == ["gone.png isn't in the creative, after tap #more"])
    #expect(
      try Self.messages("failed-request", context) == ["https://a.example/a.png: status 404, after tap #more"])
  }

  @Test(
    "are held against networks' rules",
    arguments: [
      ("external-request", "https://a.example/a.mp4 is loaded from outside the creative, after tap #more"),
      ("media", "https://a.example/a.mp4 is video/mp4, after tap #more"),
    ])
  func rules(id: String, says: String) throws {
    let film = Self.load("https://a.example/a.mp4", type: "video/mp4")
    #expect(try Self.messages(id, Self.behindTap([film], by: [.network(id)])) == [says])
  }

  @Test("weigh as single files, and add nothing to the weight of a load")
  func weight() throws {
    let film = Self.load("https://a.example/a.mp4", type: "video/mp4", bytes: 900_000)
    let profiles = [Profile.network("resource-weight", limit: 1_000), .network("total-weight", limit: 1_000)]
    let context = Self.behindTap([film], by: profiles)
    #expect(try Self.messages("resource-weight", context)?.count == 1)
    #expect(try Self.messages("total-weight", context) == [])
  }

  @Test("name plain http, private addresses and the tap that led to them")
  func addresses() throws {
    let context = Self.behindTap([Self.load("http://192.168.0.4/a.png")])
    #expect(
      try Self.messages("insecure-request", context)
        == ["http://192.168.0.4/a.png is requested over plain http, after tap #more"])
    #expect(try Self.messages("private-address", context) == ["a request to 192.168.0.4, after tap #more"])
  }

  @Test("are no finding of their own where the render itself asked for the same")
  func known() throws {
    let gone = Self.load("creative://ad/gone.png", status: 404, type: "text/plain")
    var context = Self.behindTap([gone])
    context.measurements = .made([resource("creative://ad/gone.png", status: 404)])
    #expect(try Self.messages("missing-file", context) == ["gone.png isn't in the creative"])
  }
}
