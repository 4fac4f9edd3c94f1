import Jobs
import Service
import ServiceStore
import Testing

@Suite struct MediaChoiceTests {
  private let offers = ["application/json", "text/html", "application/xml"]

  @Test(
    arguments: [
      (nil, "application/json"), ("", "application/json"), ("*/*", "application/json"), ("text/html", "text/html"),
      ("text/*, application/xml;q=0.9", "text/html"),
      ("application/json;q=0.1, application/xml;q=0.2", "application/xml"),
      ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"), ("image/png", nil),
      ("*/*, application/json;q=0", "text/html"), ("nonsense", nil),
    ] as [(String?, String?)])
  func takesWhatIsAcceptedBest(accept: String?, expected: String?) {
    #expect(MediaChoice.best(of: offers, accept: accept) == expected)
  }
}

@Suite struct ListQueryTests {
  @Test func readsFiltersAndThePlaceInTheList() throws {
    let query = try ListQuery(
      QueryText.parameters("status=queued,running&since=2026-11-21T00:00:00Z&q=a%26b+c&limit=7&cursor=cz"), for: .local)
    #expect(query.filter.statuses == [.queued, .running])
    #expect(query.filter.since == 1_795_219_200_000)
    #expect(query.filter.text == "a&b c")
    #expect(query.limit == 7 && query.cursor == 35)
  }

  @Test(arguments: [
    "status=done", "status=", "since=yesterday", "limit=0", "limit=201", "limit=x", "cursor=5", "cursor=c-1", "q=",
    "page=2",
  ])
  func refusesWhatIsntOne(query: String) throws {
    do throws(Problem) {
      _ = try ListQuery(QueryText.parameters(query), for: .local)
      Issue.record("\(query) was read")
    } catch {
      #expect(error.status == 422)
      #expect(error.fault.code == "query-invalid")
    }
  }

  @Test func showsOnlyWhatItsCallerMaySee() throws {
    let ci = Caller(name: "ci", scopes: [.read])
    #expect(try ListQuery([], for: ci).filter.owner == "ci")
    #expect(try ListQuery([("owner", "ci")], for: ci).filter.owner == "ci")
    #expect(throws: Problem.self) { try ListQuery([("owner", "qa")], for: ci) }
    let team = Caller(name: "qa", scopes: [.readAll])
    #expect(try ListQuery([], for: team).filter.owner == nil)
    #expect(try ListQuery([("owner", "ci")], for: team).filter.owner == "ci")
  }
}
