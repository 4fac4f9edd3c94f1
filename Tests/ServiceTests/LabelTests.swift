import Core
import Foundation
import GRDB
import Logging
import TestFolders
import Testing

@testable import Scheduling
@testable import Service

/// Labels of renders, and renders that are removed and restored.
@Suite(.timeLimit(.minutes(1))) struct LabelTests {
  private func labels(_ value: JSONValue) throws -> [String: String]? {
    let members: JSONValue = .object(["markup": "x", "labels": value])
    return try Submission(json: Array(members.text.utf8), bounds: .init()).request.labels
  }

  @Test func areReadAsAnObjectOrAsText() throws {
    #expect(try labels(["project": "shop", "branch": "feat/é=1"]) == ["project": "shop", "branch": "feat/é=1"])
    #expect(
      try labels("project=shop, branch = main\ncommit=a=b") == ["project": "shop", "branch": "main", "commit": "a=b"])
    #expect(try labels([:]) == nil)
  }

  @Test(
    arguments: [
      ["a b": "x"], ["": "x"], ["a": ""], ["a": 1], ["a": "x\ny"], ["a": "\u{202E}x"], [".a": "x"], "main", 7, ["a"],
      .object(["a": .string(String(repeating: "x", count: 201))]),
      .object([String(repeating: "n", count: 41): "x"]),
      .object(Dictionary(uniqueKeysWithValues: (1...17).map { ("n\($0)", "x") })),
    ] as [JSONValue])
  func othersAreRefused(value: JSONValue) throws {
    #expect(throws: Problem.self) { try labels(value) }
  }

  @Test func changeNothingOfHowItIsRendered() throws {
    let plain = try Submission(json: Array(#"{"markup": "x"}"#.utf8), bounds: .init()).request
    var labelled = plain
    labelled.labels = ["branch": "main"]
    #expect(plain.recipe == labelled.recipe && plain.text != labelled.text)
  }

  @Test func filterAndGroupTheList() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let main = try await renders.end(["001": 1], labels: ["project": "shop", "branch": "main"])
      _ = try await renders.end(["001": 1], labels: ["project": "shop", "branch": "side & other"])
      _ = try await renders.end(["001": 1])
      let found = try await service.send("GET", "/v1/renders?label=project%3Dshop&label=branch%3Dmain").document
      #expect(found["renders"]?.array?.map { $0["id"] } == [.string(main)])
      #expect(try await service.send("GET", "/v1/renders?label=project%3Dshop").document["renders"]?.array?.count == 2)
      for query in ["label=project", "label=a%3Db&label=a%3Dc", "label=%3Dx"] {
        #expect(try await service.send("GET", "/v1/renders?\(query)").code == "query-invalid", "\(query)")
      }
      let page = try await service.ask("GET", "/?group=branch&label=project%3Dshop")
      #expect(page.contains(">main <small>1</small>") && page.contains(">side &amp; other <small>1</small>"))
      #expect(page.contains("project=shop <span"))
      #expect(try await service.ask("GET", "/?group=branch").contains(">without a branch <small>1</small>"))
    }
  }

  @Test func aRenderThatWasRemovedComesBackUnlessItIsForever() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let id = try await renders.end(["001": 1], name: "gone")
      let path = "/v1/renders/\(id)"
      #expect(try await service.send("POST", path + "/restore").status == 409)
      #expect(try await service.send("DELETE", path + "?forever=maybe").status == 422)
      #expect(try await service.send("DELETE", path).status == 204)
      #expect(try await service.send("GET", path).status == 404)
      #expect(try await service.send("GET", "/v1/renders").document["renders"] == [])
      #expect(try await service.ask("GET", "/?removed=\(id)").contains("gone was removed"))
      #expect(try await service.send("POST", path + "/restore").document["id"] == .string(id))
      #expect(try await service.send("GET", path).status == 200)
      #expect(try await service.send("DELETE", path + "?forever=true").status == 204)
      #expect(try await service.send("POST", path + "/restore").status == 404)
      #expect(!FileManager.default.fileExists(atPath: renders.data.render(id).path))
    }
  }

  @Test func whatWasRemovedGoesForGoodInTheEnd() async throws {
    let scratch = try TestFolder()
    let (store, data) = (try Store(folder: scratch.path), try DataFolder(scratch.path))
    for id in ["one", "two"] {
      _ = try await store.accept(.sample(id))
      _ = try await store.end(id, .completed(at: 1000))
    }
    #expect(try await store.remove("one", at: 2000))
    let retention = Retention(
      store: store, data: data, days: 365, bytes: .max, losses: 3, log: .init(label: "test"))
    try await retention.look(at: 2000 + Retention.regret)
    #expect(try await store.ids() == ["one", "two"])
    try await retention.look(at: 2001 + Retention.regret)
    #expect(try await store.ids() == ["two"])
  }

  @Test func aDatabaseOfAnEarlierServerGoesOn() async throws {
    let scratch = try TestFolder()
    let queue = try DatabaseQueue(path: scratch.path + "/galley.sqlite")
    try Schema.migrator.migrate(queue, upTo: "3")
    try await queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO render (id, status, name, content, request, owner, created)
          VALUES ('one', 'completed', 'old', 'c', '{}', 'a', 1)
          """)
    }
    try queue.close()
    let store = try Store(folder: scratch.path)
    #expect(try await store.list(RenderFilter(), before: nil, limit: 9).rows.map(\.name) == ["old"])
    #expect(try await store.reviews.review("one") == nil)
    #expect(try await store.reviews.countOpen(owner: nil, most: 10) == 0)
  }
}
