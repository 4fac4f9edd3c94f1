import Foundation
import Testing

@testable import Service

/// The OpenAPI document beside the routes and the problems' codes.
@Suite struct DocumentTests {
  private let paths: [String: [String: Any]]

  init() throws {
    let data = Data(PackageResources.openapi_json)
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
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
