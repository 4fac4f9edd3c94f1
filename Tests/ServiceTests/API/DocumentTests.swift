import Foundation
import Testing

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

  @Test func describesEachRouteAndNoOther() throws {
    let described = paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } }
    let pages: Set = ["/", "/parts/runs", "/renders/{id}", "/compare", "/baselines", "/login", "/logout"]
    let served = try WebService.sample().table.routes.filter {
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

  @Test func hasEventsAsTheirSchemaHasThem() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../../Schemas/event.schema.json").standardized
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
