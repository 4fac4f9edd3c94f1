import Comparison
import Core
import Foundation
import RenderModel
import TestFolders
import Testing

@testable import Service

/// Decisions of users about renders, over HTTP as their pages send them.
@Suite(.timeLimit(.minutes(1))) struct ReviewTests {
  private static let first = ReviewedRenders.expanding
  private static let second = first.merging(["001-default": 0xCC0000, "004-default": 0xCC0000]) { $1 }
  private static let labels = ["project": "shop", "branch": "main", "commit": "4f1c2d9"]

  /// Approves a first render, then ends another one; returns its id.
  private func change(
    _ service: LiveService, _ renders: ReviewedRenders, to pictures: [String: UInt32] = second
  ) async throws -> String {
    let id = try await renders.end(Self.first)
    let decided = try await service.send("POST", "/v1/renders/\(id)/review", ["decision": "approve"])
    #expect(decided.document["state"] == "approved")
    return try await renders.end(pictures, labels: Self.labels)
  }

  private func comparison(_ renders: ReviewedRenders, _ pictures: [String: UInt32]) async throws -> CreativeVerdict? {
    try await renders.store.reviews.review(try await renders.end(pictures))?.comparison
  }

  @Test func aRenderKnowsItsBaseline() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let new = try await renders.end(Self.first)
      // Who renders something by the way is kept waiting for by nobody; what a build sends is to be looked at.
      #expect(try await renders.store.reviews.review(new)?.comparison == .new)
      #expect(try await renders.store.reviews.review(new)?.state == Review.State.none)
      let labelled = try await renders.end(Self.first, labels: Self.labels)
      #expect(try await renders.store.reviews.review(labelled)?.state == .open)
      let changed = try await change(service, renders)
      let document = try await service.send("GET", "/v1/renders/\(changed)").document
      #expect(document["review"]?["comparison"] == "changed" && document["review"]?["state"] == "open")
      #expect(document["labels"]?["branch"] == "main")
      #expect(try await comparison(renders, Self.first) == .unchanged)
    }
  }

  @Test func aChangeIsApprovedAndTakenBack() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let id = try await change(service, renders)
      let seen = try await service.send("GET", "/v1/renders/\(id)/review").document
      #expect(seen["parts"]?.array?.map { $0["name"] } == ["001-default", "004-default"])
      #expect(seen["commitStatus"]?["state"] == "pending" && seen["commitStatus"]?["sha"] == "4f1c2d9")
      for kind in ["baseline", "picture", "highlight"] {
        let path = try #require(seen["parts"]?[0]?[kind]?.string)
        #expect(try await service.ask("GET", path).contains("image/png"), "\(kind): \(path)")
      }
      #expect(try await service.send("GET", "/v1/reviews").document["open"] == 1)
      let decided = try await service.send(
        "POST", "/v1/renders/\(id)/review",
        ["decision": "approve", "comment": "red it is", "revision": try #require(seen["revision"])])
      #expect(decided.document["state"] == "approved" && decided.document["decision"]?["by"] == "local")
      #expect(decided.document["commitStatus"]?["state"] == "success")
      #expect(try await service.send("GET", "/v1/reviews").document["open"] == 0)
      #expect(try await comparison(renders, Self.second) == .unchanged)
      // What was decided about is still to be seen.
      let highlight = try #require(decided.document["parts"]?[0]?["highlight"]?.string)
      #expect(try await service.ask("GET", highlight).contains("image/png"), "\(highlight)")
      let undone = try await service.send("POST", "/v1/renders/\(id)/review", ["decision": "undo"])
      #expect(undone.document["state"] == "open" && undone.document["comparison"] == "changed")
      #expect(try await comparison(renders, Self.first) == .unchanged)
      let history = try await service.send("GET", "/v1/baselines/ad/iphone-15/history").document["decisions"]?.array
      #expect(history?.map { $0["action"] } == ["undo", "approve", "approve"])
      #expect(history?.map { $0["undone"] } == [false, true, false])
      #expect(history?[1]["comment"] == "red it is")
      // Old pictures stay.
      let old = try #require(history?[1]["pictures"]?[0]?["url"]?.string)
      #expect(try await service.ask("GET", old).contains("image/png"))
    }
  }

  @Test func aClickThatLeadsElsewhereIsToBeReviewed() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let first = try await renders.end(Self.first, click: "https://www.example/shop")
      _ = try await service.send("POST", "/v1/renders/\(first)/review", ["decision": "approve"])
      let same = try await renders.end(Self.first, labels: Self.labels, click: "https://www.example/shop")
      #expect(try await renders.store.reviews.review(same)?.comparison == .unchanged)
      let id = try await renders.end(Self.first, labels: Self.labels, click: "https://www.evilsit.example/")
      let seen = try await service.send("GET", "/v1/renders/\(id)/review").document
      #expect(seen["comparison"] == "files-changed" && seen["state"] == "open")
      #expect(seen["files"]?[0]?["path"] == "index.html" && seen["filesCompared"] == true)
      let address = seen["files"]?[0]?["addresses"]?[0]
      #expect(address?["before"] == "https://www.example/shop" && address?["after"] == "https://www.evilsit.example/")
      #expect(seen["parts"]?.array?.map { $0["name"] } == ["files"])
      #expect(seen["commitStatus"]?["description"] == "files changed: index.html (1 address): to review")
      let page = try await service.ask("GET", "/review/\(id)")
      #expect(page.contains("Screenshots unchanged, files changed") && page.contains("https://www.evilsit.example/"))
      let decided = try await service.send("POST", "/v1/renders/\(id)/review", ["decision": "approve"])
      #expect(decided.document["state"] == "approved")
      let later = try await renders.end(Self.first, click: "https://www.evilsit.example/")
      #expect(try await renders.store.reviews.review(later)?.comparison == .unchanged)
    }
  }

  @Test func aBaselineWithoutDigestsSaysSo() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let first = try await renders.end(Self.first)
      _ = try await service.send("POST", "/v1/renders/\(first)/review", ["decision": "approve"])
      let id = try await renders.end(Self.first, click: "https://www.example/")
      let seen = try await service.send("GET", "/v1/renders/\(id)/review").document
      #expect(seen["comparison"] == "unchanged" && seen["filesCompared"] == false)
      #expect(try await service.ask("GET", "/review/\(id)").contains("Files weren't compared"))
    }
  }

  @Test func ofTwoReviewersTheSecondIsTold() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let id = try await change(service, renders)
      let seen = try await service.send("GET", "/v1/renders/\(id)/review").document
      let revision = try #require(seen["revision"])
      let path = "/v1/renders/\(id)/review"
      let answers = try await withThrowingTaskGroup(of: Heard.self) { group in
        for decision in ["approve", "reject", "variant", "approve"] as [JSONValue] {
          group.addTask { try await service.send("POST", path, ["decision": decision, "revision": revision]) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.map(\.status).sorted() == [200, 409, 409, 409], "\(answers.map(\.document))")
      for answer in answers where answer.status == 409 {
        #expect(answer.code == "review-outdated")
        #expect(answer.document["detail"]?.string?.contains("local decided meanwhile") == true)
      }
      // Who hasn't looked decides twice at the most.
      let again = try await service.send("POST", path, ["decision": "approve"])
      #expect(again.status == 409 || again.document["state"] == "approved")
    }
  }

  @Test func whoDecidesAboutAnOlderBaselineIsTold() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let one = try await change(service, renders)
      let other = try await renders.end(
        Self.first.merging(["001-default": 0x00AA00]) { $1 }, labels: ["branch": "green"])
      let seen = try await service.send("GET", "/v1/renders/\(other)/review").document
      _ = try await service.send("POST", "/v1/renders/\(one)/review", ["decision": "approve"])
      let late = try await service.send(
        "POST", "/v1/renders/\(other)/review", ["decision": "approve", "revision": try #require(seen["revision"])])
      #expect(late.status == 409 && late.code == "review-outdated")
      let now = try await service.send("GET", "/v1/renders/\(other)/review").document
      #expect(now["revision"] != seen["revision"] && now["state"] == "open")
      // What came later is taken back first.
      _ = try await service.send("POST", "/v1/renders/\(other)/review", ["decision": "approve"])
      #expect(
        try await service.send("POST", "/v1/renders/\(one)/review", ["decision": "undo"]).code == "baseline-outdated")
      _ = try await service.send("POST", "/v1/renders/\(other)/review", ["decision": "undo"])
      #expect(try await service.send("POST", "/v1/renders/\(one)/review", ["decision": "undo"]).status == 200)
      #expect(try await comparison(renders, Self.first) == .unchanged)
    }
  }

  @Test func someOfItIsApprovedThenTheRest() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let id = try await change(service, renders)
      let path = "/v1/renders/\(id)/review"
      let part = try await service.send("POST", path, ["decision": "approve", "parts": ["001-default"]])
      #expect(part.document["state"] == "open")
      #expect(part.document["parts"]?.array?.map { $0["name"] } == ["004-default"])
      let rest = try await service.send("POST", path, ["decision": "approve", "parts": ["004-default"]])
      #expect(rest.document["state"] == "approved")
      #expect(try await comparison(renders, Self.second) == .unchanged)
      #expect(try await service.send("POST", path, ["decision": "undo"]).document["state"] == "open")
      let unknown = try await service.send("POST", path, ["decision": "approve", "parts": ["none"]])
      #expect(unknown.status == 422 && unknown.code == "part-unknown")
    }
  }

  @Test func severalLooksAreAccepted() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let id = try await change(service, renders)
      let decided = try await service.send("POST", "/v1/renders/\(id)/review", ["decision": "variant"])
      #expect(decided.document["state"] == "approved")
      for pictures in [Self.first, Self.second] { #expect(try await comparison(renders, pictures) == .unchanged) }
      let baseline = try await service.send("GET", "/v1/baselines/ad/iphone-15").document
      #expect(baseline["screenshots"]?.array?.map { $0["variants"]?.array?.count } == [1, 0, 0, 1])
      _ = try await service.send("POST", "/v1/renders/\(id)/review", ["decision": "undo"])
      #expect(try await comparison(renders, Self.second) == .changed)
    }
  }

  @Test func aRejectionIsKeptAndTakenBack() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let id = try await change(service, renders)
      let path = "/v1/renders/\(id)/review"
      #expect(try await service.send("POST", path, ["decision": "undo"]).status == 409)
      let decided = try await service.send("POST", path, ["decision": "reject", "comment": "<b>too red</b>"])
      #expect(decided.document["state"] == "rejected" && decided.document["commitStatus"]?["state"] == "failure")
      #expect(try await service.send("POST", path, ["decision": "reject"]).code == "review-decided")
      let page = try await service.ask("GET", "/review/\(id)")
      #expect(page.contains("&lt;b&gt;too red&lt;/b&gt;") && !page.contains("<b>too red"))
      #expect(try await comparison(renders, Self.first) == .unchanged)
      #expect(try await service.send("POST", path, ["decision": "undo"]).document["state"] == "open")
    }
  }

  @Test func aLaterRenderIsLookedAtInstead() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let id = try await change(service, renders)
      let elsewhere = try await renders.end(Self.second, labels: ["project": "shop", "branch": "other"])
      let later = try await renders.end(Self.second, labels: Self.labels)
      #expect(try await renders.store.reviews.review(id)?.state == .superseded)
      #expect(try await renders.store.reviews.open(owner: nil, most: 9) == [later, elsewhere])
      #expect(try await renders.store.reviews.countOpen(owner: "nobody", most: 10) == 0)
      #expect(try await service.ask("GET", "/").contains("Review <span class=\"count\">2</span>"))
    }
  }

  /// Adds many open reviews, as of a team that labels its renders and never reviews them.
  @Test func manyThatWaitArentCountedForEachPage() async throws {
    try await LiveService.during { service in
      let store = ReviewedRenders(service.service).store
      func add(_ numbers: ClosedRange<Int>) async throws {
        try await store.write { db in
          for number in numbers {
            _ = try AcceptRender(new: .sample("r-\(number)")).apply(to: db)
            var review = Review(of: "r-\(number)", name: "ad-\(number)", nil, showing: ["default"])
            review.state = .open
            let ending = RenderCompletion(status: .completed, finished: 5, review: review)
            _ = try EndRender(id: "r-\(number)", ending: ending).apply(to: db)
          }
        }
      }
      try await add(1...999)
      #expect(try await service.ask("GET", "/baselines").contains("Review <span class=\"count\">999</span>"))
      try await add(1000...1001)
      #expect(try await service.ask("GET", "/baselines").contains("Review <span class=\"count\">999+</span>"))
      #expect(try await service.send("GET", "/v1/reviews").document["open"] == 1001)
    }
  }

  @Test func aBaselineThatWasRemovedComesBack() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      _ = try await change(service, renders)
      let path = "/v1/baselines/ad/iphone-15"
      #expect(try await service.send("DELETE", path).status == 204)
      #expect(try await service.send("GET", path).status == 404)
      let history = try await service.send("GET", path + "/history").document["decisions"]
      #expect(history?[0]?["action"] == "remove")
      let number = try #require(history?[0]?["number"])
      #expect(try await service.send("POST", path + "/undo", ["decision": number]).status == 200)
      #expect(try await service.send("POST", path + "/undo", ["decision": number]).status == 409)
      #expect(try await comparison(renders, Self.first) == .unchanged)
    }
  }

  @Test(
    arguments: [
      (["decision": "maybe"], 422), ([:], 422), (["decision": "reject", "parts": ["001-default"]], 422),
      (["decision": "approve", "revision": 0], 422), (["decision": "approve", "comment": ""], 422),
      (["decision": "approve", "sure": true], 422), (["decision": "approve", "revision": 7], 409),
    ] as [(JSONValue, Int)])
  func refusesOtherDecisions(body: JSONValue, status: Int) async throws {
    try await LiveService.during { service in
      let id = try await change(service, ReviewedRenders(service.service))
      let answer = try await service.send("POST", "/v1/renders/\(id)/review", body)
      #expect(answer.status == status, "\(answer.document)")
    }
  }

  @Test func onlyWhoMayApproveDecides() async throws {
    let scratch = try TestFolder()
    let file = TokenFile(scratch.path + "/tokens.json")
    let reader = try file.add(name: "reader", scopes: [.readAll, .render])
    let other = try file.add(name: "other", scopes: [.read, .approve])
    try await LiveService.during(scratch, { $0.tokens = file.path }) { service in
      let renders = ReviewedRenders(service.service)
      let id = try await renders.end(Self.first, owner: "ci", labels: Self.labels)
      let path = "/v1/renders/\(id)/review"
      #expect(try await service.send("POST", path, ["decision": "approve"]).status == 401)
      #expect(try await service.send("POST", path, ["decision": "approve"], as: reader).status == 403)
      // Others' renders are as good as none.
      #expect(try await service.send("POST", path, ["decision": "approve"], as: other).status == 404)
      #expect(try await service.send("GET", "/v1/reviews", as: other).document["open"] == 0)
      #expect(try await service.send("GET", "/v1/reviews", as: reader).document["open"] == 1)
      let foreign = try await service.ask(
        "POST", path, ["Authorization": "Bearer \(reader)", "Origin": "https://evil.example"], body: "{}")
      #expect(foreign.hasPrefix("HTTP/1.1 403"))
    }
  }

  @Test func whoeverAskedIsToldWhatWasDecided() async throws {
    try await LiveService.during { service in
      let renders = ReviewedRenders(service.service)
      let id = try await change(service, renders)
      let row = try #require(try await renders.store.render(id))
      let review = try #require(try await renders.store.reviews.review(id))
      let ending = RenderCompletion(status: .completed, finished: 5, review: review)
      let ended = WebhookBody(row, ending: ending, base: PublicAddress("https://g.example")).message(
        to: "https://a.example")
      let facts = JSONText.value(Array(ended.body.utf8))?["data"]
      #expect(facts?["review"]?["comparison"] == "changed" && facts?["labels"]?["commit"] == "4f1c2d9")
      #expect(facts?["commitStatus"]?["target_url"] == .string("https://g.example/review/\(id)"))
      #expect(facts?["commitStatus"]?["description"] == "2 screenshots changed: to review")
      var approved = review
      approved.state = .approved
      let decision = Decision(.approve, of: review.key, render: id, by: "person", at: 7)
      let told = WebhookBody(row, decision: decision, review: approved, base: nil).message(to: "https://a.example")
      let news = JSONText.value(Array(told.body.utf8))
      #expect(news?["type"] == "review.decided" && news?["data"]?["review"]?["by"] == "person")
      #expect(news?["data"]?["commitStatus"]?["state"] == "success")
    }
  }
}
