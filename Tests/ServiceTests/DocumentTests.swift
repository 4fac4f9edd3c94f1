import Core
import Foundation
import HTTPTypes
import HummingbirdCore
import RenderModel
import TestFolders
import Testing

@testable import Scheduling
@testable import Service

/// The OpenAPI document beside the routes and the problems' codes.
@Suite struct DocumentTests {
  private let document: [String: Any]
  private let paths: [String: [String: Any]]

  init() throws {
    let data = Data(PackageResources.openapi_json)
    document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    paths = try #require(document["paths"] as? [String: [String: Any]])
  }

  @Test func describesEachRouteAndNoOther() async throws {
    let described = paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } }
    let pages: Set = [
      "/", "/parts/runs", "/parts/renders/{id}", "/renders/{id}", "/compare", "/baselines", "/login", "/logout",
      "/docs", "/review", "/review/{id}", "/shared/{link}", "/shared/{link}/screenshots/{name}",
      "/shared/{link}/report",
    ]
    let served = try await WebService.sample().table.routes.filter {
      !pages.contains($0.path) && !$0.path.hasPrefix("/assets/")
    }.map { "\($0.method) \($0.path.replacing("**", with: "{path}"))" }
    #expect(Set(described) == Set(served))
  }

  /// Every object in the document, with where it is.
  private func objects(_ value: Any, at path: String = "") -> [(path: String, members: [String: Any])] {
    if let list = value as? [Any] { return list.enumerated().flatMap { objects($1, at: "\(path)/\($0)") } }
    guard let members = value as? [String: Any] else { return [] }
    return [(path, members)] + members.flatMap { objects($1, at: "\(path)/\($0)") }
  }

  /// Generators make a class of each object, and of a choice of objects that only require something, nothing.
  @Test func isOneThatClientsCanBeGeneratedFrom() {
    for (path, members) in objects(document) {
      if members["enum"] is [Any] { #expect(members["type"] as? String == "string", "\(path) has no type") }
      for word in ["oneOf", "anyOf"] {
        for choice in members[word] as? [[String: Any]] ?? [] {
          #expect(choice["type"] != nil || choice["$ref"] != nil, "\(path)/\(word) has a choice of no type")
        }
      }
    }
    let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]] ?? [:]
    for (name, schema) in schemas {
      for (member, inner) in schema["properties"] as? [String: [String: Any]] ?? [:] where inner["properties"] != nil {
        let own = name + member.prefix(1).uppercased() + member.dropFirst()
        #expect(schemas[own] == nil, "\(name).\(member) would be called as another is")
      }
    }
  }

  @Test func operationsHaveExamplesAndNamesOfTheirOwn() throws {
    var names: Set<String> = []
    for (path, methods) in paths {
      for (method, value) in methods {
        let operation = try #require(value as? [String: Any])
        let found = objects(operation).contains { $0.members["example"] != nil || $0.members["examples"] != nil }
        #expect(found, "\(method) \(path) has no example")
        // A verb and what it is about.
        let name = operation["operationId"] as? String ?? ""
        #expect(name.wholeMatch(of: /[a-z]+([A-Z][a-z]+)+/) != nil && names.insert(name).inserted, "\(name)")
      }
    }
  }

  @Test func thePageOfTheInterfaceShowsEachOperation() throws {
    let values = try #require(InterfacePage(PackageResources.openapi_json)).values
    let html = try PageLibrary().html("interface", values)
    for (path, methods) in paths {
      for value in methods.values {
        let name = (value as? [String: Any])?["operationId"] as? String ?? ""
        #expect(html.contains("<section class=\"panel operation\" id=\"\(name)\">"), "\(path): \(name)")
      }
    }
    #expect(html.contains("id=\"renderEnded\"") && html.contains("id=\"schema-CommitStatus\""))
  }

  @Test func hasEventsAsTheirSchemaHasThem() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../Schemas/event.schema.json").standardized
    let schema = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: root)) as? [String: Any])
    let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]]
    let event = try #require(schemas?["Event"])
    func names(_ schema: [String: Any]) -> [String: [String]?] {
      (schema["properties"] as? [String: [String: Any]] ?? [:]).mapValues { $0["enum"] as? [String] }
    }
    #expect(names(event) == names(schema))
    #expect(event["required"] as? [String] == schema["required"] as? [String])
  }

  @Test func knowsWhichMethodsAPathHas() {
    let table = RouteTable([
      .init(method: "GET", path: "/v1/renders/{id}"), .init(method: "DELETE", path: "/v1/renders/{id}"),
      .init(method: "GET", path: "/v1/renders/{id}/files/**"),
    ])
    #expect(table.methods(of: "/v1/renders/x/files/a/b.png") == ["GET", "HEAD"])
    #expect(table.methods(of: "/v1/renders/x/files") == [])
    #expect(table.methods(of: "/v1/renders/x") == ["DELETE", "GET", "HEAD"])
    #expect(table.methods(of: "/v1/renders/") == [])
    #expect(table.methods(of: "/v1/renders/x/y") == [])
  }
}

@Suite struct VerifyRequestTests {
  @Test(arguments: [
    (#"{"render": "nobody"}"#, 404, "resource-missing"), ("{}", 422, "request-invalid"), ("[]", 400, "json-invalid"),
    (#"{"render": "x", "baseline": "a/b"}"#, 422, "request-invalid"),
    (#"{"render": "x", "acrossFingerprints": 1}"#, 422, "request-invalid"),
    (#"{"render": "x", "parts": []}"#, 422, "request-invalid"),
  ])
  func refusesWhatCantBeVerified(body: String, status: Int, code: String) async throws {
    try await LiveService.during { server in
      let answer = try await server.ask(
        "POST", "/v1/baselines/verify", ["Content-Type": "application/json"], body: body)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      #expect(answer.contains(code), "\(answer)")
    }
  }
}

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
    "page=2", "status=failed&status=completed", "limit=1&limit=1",
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

@Suite struct ProblemTests {
  @Test(arguments: [
    (Fault.request("a", ""), 400), (.creative("a", ""), 422), (.deadline("a", ""), 504), (.engine("a", ""), 500),
    (.engine("disk-full", ""), 507),
  ])
  func saysWhoseFaultItIsByItsStatus(fault: Fault, status: Int) {
    #expect(Problem(fault).status == status)
  }

  @Test func isAProblemDocument() throws {
    let problem = Problem.invalid([Problem.Field("a/b~", "is wrong")])
    let data = try JSONEncoder().encode(ProblemDocument(problem))
    let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(members["type"] as? String == "urn:galley:problem:request-invalid")
    #expect(members["title"] as? String == "Request invalid")
    #expect(members["status"] as? Int == 422)
    #expect(members["code"] as? String == "request-invalid")
    #expect(members["origin"] as? String == "request")
    #expect((members["errors"] as? [[String: String]])?.first?["pointer"] == "/a~1b~0")
  }

  @Test func tellsWhenToComeBackAndWhatToShow() {
    let busy = Problem(429, "queue-full", "full", retryAfter: 7).response
    #expect(busy.headers[.retryAfter] == "7")
    #expect(busy.headers[.contentType] == "application/problem+json")
    #expect(Problem(401, "token-missing", "").response.headers[.wwwAuthenticate] == "Bearer realm=\"galley\"")
  }

  @Test(arguments: [
    ("wait=10", 10), ("respond-async, wait=\"5\"", 5), ("wait=9999", 120), ("wait=0", nil), ("wait=-1", nil),
    ("wait=x", nil), ("", nil),
  ])
  func waitsAsLongAsTheClientPrefers(text: String, expected: Int?) {
    #expect(Preference(text).wait == expected)
  }
}

@Suite struct ServedFilesTests {
  private let scratch: TestFolder
  private let files: ServedFiles

  init() throws {
    scratch = try TestFolder()
    for name in ["out/result.json", "out/states/001.png", "out/a b.json", "out/states/note.txt", "secret.json"] {
      _ = try scratch.write(name, "12345")
    }
    files = ServedFiles(folder: scratch.path + "/out", base: "/files")
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: scratch.path + "/out/link.json", withDestinationPath: "result.json")
    try manager.createSymbolicLink(atPath: scratch.path + "/out/up", withDestinationPath: "..")
  }

  @Test func givesEachFileThatItLists() throws {
    #expect(files.all.map(\.path) == ["a b.json", "result.json", "states/001.png"])
    for file in files.all {
      let found = try #require(files.file(file.path))
      #expect(found.url == file.url && found.bytes == 5 && found.type == file.type)
    }
  }

  @Test(arguments: [
    "", "/", "/result.json", "result.json/", "states//001.png", "./result.json", "../secret.json",
    "states/../result.json", "up/secret.json", "link.json", "up/out/result.json",
    "states", "states/note.txt", "none.json", "result.json\0.json",
    "result.json/x.json", ".json",
  ])
  func givesNothingElse(path: String) {
    #expect(files.file(path)?.path == nil)
  }
}
