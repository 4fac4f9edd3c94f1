import Core
import Foundation
import RenderModel
import TestFolders
import Testing

@testable import Scheduling
@testable import Service

/// Links to one render for people without a token.
@Suite(.timeLimit(.minutes(1))) struct ShareLinkTests {
  private let links = ShareLinks(key: SigningKey(Array(repeating: 7, count: 32)), mostDays: 30)
  private let link = ShareLinks.Link(render: RenderID.make(at: 5), expires: 1000)

  @Test func holdUntilTheyEnd() {
    let text = links.text(of: link)
    #expect(links.link(text, at: 999) == link)
    #expect(links.link(text, at: 1000) == nil)
  }

  @Test func holdOnlyAsTheyWereGiven() {
    let text = links.text(of: link)
    for index in text.indices {
      var other = text
      other.replaceSubrange(index...index, with: text[index] == "0" ? "1" : "0")
      #expect(links.link(other, at: 1) == nil, "\(other)")
    }
    let parts = text.split(separator: ".")
    for other in [
      "", "..", "a.b.c", String(text.dropLast()), text + "0", text.uppercased(), "\(parts[0]).+\(parts[1]).\(parts[2])",
      "\(parts[0]).0\(parts[1]).\(parts[2])",
    ] {
      #expect(links.link(other, at: 1) == nil, "\(other)")
    }
    #expect(ShareLinks(key: SigningKey(Array(repeating: 8, count: 32)), mostDays: 30).link(text, at: 1) == nil)
    #expect(ShareLinks(key: SigningKey(Array(repeating: 7, count: 32)), mostDays: 0).link(text, at: 1) == nil)
  }

  @Test func keepTheirKeyAndMakeNoneWhereTheyAreOff() throws {
    let scratch = try TestFolder()
    let file = scratch.path + "/share-key"
    _ = try ShareLinks(file: file, mostDays: 0)
    #expect(!FileManager.default.fileExists(atPath: file))
    let text = try ShareLinks(file: file, mostDays: 7).text(of: link)
    #expect(try ShareLinks(file: file, mostDays: 1).link(text, at: 1) == link)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
    _ = try scratch.write("share-key", "c2hvcnQ=")
    #expect(throws: Fault.self) { try ShareLinks(file: file, mostDays: 7) }
  }

  @Test func areGivenOnlyWhereTheServerWasTold() async throws {
    try await LiveService.during { service in
      let id = try await ReviewedRenders(service.service).end(ReviewedRenders.expanding)
      let answer = try await service.send("POST", "/v1/renders/\(id)/share", [:])
      #expect(answer.status == 409 && answer.code == "share-links-off")
      #expect(try await service.send("GET", "/shared/\(links.text(of: link))").status == 404)
    }
  }

  @Test func areListedAndEndedOneByOne() async throws {
    let scratch = try TestFolder()
    let file = TokenFile(scratch.path + "/tokens.json")
    let token = try file.add(name: "ci", scopes: [.read, .render])
    let reader = try file.add(name: "reader", scopes: [.readAll])
    try await LiveService.during(
      scratch,
      {
        $0.tokens = file.path
        $0.shareDays = 7
      }
    ) { service in
      let id = try await ReviewedRenders(service.service).end(ReviewedRenders.expanding, owner: "ci")
      var given: [(id: String, path: String)] = []
      for days in 1...3 {
        let days = JSONValue.number(Double(days))
        let share = try await service.send("POST", "/v1/renders/\(id)/share", ["days": days], as: token).document
        given.append((try #require(share["id"]?.string), try #require(share["url"]?.string)))
      }
      let list = try await service.send("GET", "/v1/renders/\(id)/shares", as: token).document
      #expect(list["shares"]?.array?.compactMap { $0["id"]?.string } == given.map(\.id))
      #expect(!given.contains { list.text.contains($0.path) })
      let page = try await service.ask("GET", "/renders/\(id)", ["Authorization": "Bearer \(token)"])
      #expect(given.allSatisfy { page.contains("data-share=\"\($0.id)\"") && !page.contains($0.path) })
      for call in [("GET", ""), ("DELETE", ""), ("DELETE", "/\(given[0].id)")] {
        #expect(try await service.send(call.0, "/v1/renders/\(id)/shares\(call.1)", as: reader).status == 403)
      }
      for wrong in ["x", "9F86D081884C7D65", "..", "9f86d081884c7d65%20"] {
        #expect(try await service.send("DELETE", "/v1/renders/\(id)/shares/\(wrong)", as: token).status == 404)
      }
      #expect(try await service.send("DELETE", "/v1/renders/\(id)/shares/\(given[0].id)", as: token).status == 204)
      #expect(try await service.ask("GET", given[0].path).hasPrefix("HTTP/1.1 404"))
      #expect(try await service.ask("GET", "\(given[0].path)/screenshots/001-default").hasPrefix("HTTP/1.1 404"))
      #expect(try await service.ask("GET", given[1].path).hasPrefix("HTTP/1.1 200"))
      #expect(try await service.send("DELETE", "/v1/renders/\(id)/shares", as: token).status == 204)
      for link in given { #expect(try await service.ask("GET", link.path).hasPrefix("HTTP/1.1 404")) }
      #expect(try await service.send("GET", "/v1/renders/\(id)/shares", as: token).document["shares"]?.array == [])
    }
  }

  @Test func fromBeforeTheyWereKeptAreEndedByWhatTheySay() async throws {
    try await LiveService.during {
      $0.shareDays = 7
    } _: { service in
      let id = try await ReviewedRenders(service.service).end(ReviewedRenders.expanding)
      let links = service.service.shares.links
      let old = ShareLinks.Link(render: id, expires: Instant.now + 86_400_000)
      let path = "/shared/\(links.text(of: old))"
      #expect(try await service.ask("GET", path).hasPrefix("HTTP/1.1 200"))
      let name = try #require(path.split(separator: ".").last).prefix(16)
      #expect(try await service.send("DELETE", "/v1/renders/\(id)/shares/\(name)").status == 204)
      #expect(try await service.ask("GET", path).hasPrefix("HTTP/1.1 404"))
    }
  }

  @Test func areBoundedForARender() async throws {
    let scratch = try TestFolder()
    defer { withExtendedLifetime(scratch) {} }
    let store = try Store(folder: scratch.path)
    let render = RenderID.make(at: 1)
    _ = try await store.accept(.sample(render))
    func keep(_ number: Int, at created: Int64) async throws -> Bool {
      let share = GivenShare(
        id: "\(number)", render: render, owner: "a", created: created, expires: created + 10)
      return try await store.commit(KeepShare(share: share, most: 2))
    }
    #expect(try await keep(1, at: 1) == true)
    #expect(try await keep(2, at: 2) == true)
    #expect(try await keep(3, at: 3) == false)
    // The first is over by then.
    #expect(try await keep(3, at: 11) == true)
    #expect(try await store.shares.valid(of: render, at: 11).map(\.id) == ["2", "3"])
    let unknown = EndShare(render: render, id: "old", owner: "a", timestamp: 11, expires: 99, most: 2)
    #expect(try await store.commit(unknown) == false)
  }

  @Test func standInNoLogAndNoMessage() async throws {
    let text = links.text(of: link)
    for start in ["/shared/", "//shared/", "/%73hared/", "/Shared/"] {
      #expect(!ShareAPI.withoutLink("\(start)\(text)/other").contains(text), "\(start)")
    }
    #expect(ShareAPI.withoutLink("/v1/renders/shared") == "/v1/renders/shared")
    try await LiveService.during { service in
      for (method, start) in [("GET", "/shared/"), ("POST", "/shared/"), ("GET", "/%73hared/"), ("PUT", "//shared/")] {
        let answer = try await service.ask(method, "\(start)\(text)/other")
        #expect(!answer.contains(text), "\(method) \(start)")
      }
    }
  }

  @Test func showOneRenderAndNothingElse() async throws {
    let scratch = try TestFolder()
    let file = TokenFile(scratch.path + "/tokens.json")
    let token = try file.add(name: "ci", scopes: [.read, .render])
    try await LiveService.during(
      scratch,
      {
        $0.tokens = file.path
        $0.shareDays = 7
      }
    ) { service in
      let renders = ReviewedRenders(service.service)
      let id = try await renders.end(ReviewedRenders.expanding, name: "shared", owner: "ci")
      let other = try await renders.end(ReviewedRenders.expanding, name: "secret", owner: "ci")
      #expect(try await service.send("POST", "/v1/renders/\(id)/share", ["days": 8], as: token).status == 422)
      let given = try await service.send("POST", "/v1/renders/\(id)/share", ["days": 7], as: token)
      // Who has nothing to say about it sends nothing.
      #expect(try await service.send("POST", "/v1/renders/\(id)/share", as: token).status == 201)
      let path = try #require(given.document["url"]?.string)
      let page = try await service.ask("GET", path)
      #expect(page.hasPrefix("HTTP/1.1 200") && page.contains("shared") && !page.contains("secret"))
      #expect(page.lowercased().contains("\r\nreferrer-policy: no-referrer\r\n"))
      #expect(page.contains("private, no-store") && !page.contains("/v1/"))
      #expect(try await service.ask("GET", "\(path)/screenshots/001-default").contains("image/png"))
      for hidden in [
        "\(path)/screenshots/none", "\(path)/screenshots/..%2f..%2fresult", "\(path)/report",
        path.replacing(id, with: other), "\(path.replacing(id, with: other))/screenshots/001-default",
      ] {
        #expect(try await service.ask("GET", hidden).hasPrefix("HTTP/1.1 404"), "\(hidden)")
      }
      for closed in ["/", "/renders/\(id)", "/v1/renders/\(id)", "/v1/renders/\(id)/screenshots/001-default"] {
        #expect(try await service.ask("GET", closed).hasPrefix("HTTP/1.1 401"), "\(closed)")
      }
      #expect(try await service.ask("POST", path).hasPrefix("HTTP/1.1 401"))
      // A render that is removed is shown to nobody.
      #expect(try await service.send("DELETE", "/v1/renders/\(id)", as: token).status == 204)
      #expect(try await service.ask("GET", path).hasPrefix("HTTP/1.1 404"))
    }
  }
}
