import Core
import Foundation
import TestFolders
import Testing

@testable import Service

/// Links to one render for people without a token.
@Suite(.timeLimit(.minutes(1))) struct ShareLinkTests {
  private let links = ShareLinks(key: Array(repeating: 7, count: 32), mostDays: 30)
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
    #expect(ShareLinks(key: Array(repeating: 8, count: 32), mostDays: 30).link(text, at: 1) == nil)
    #expect(ShareLinks(key: Array(repeating: 7, count: 32), mostDays: 0).link(text, at: 1) == nil)
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
