import Foundation
import Jobs
import Testing

@testable import Service

@Suite struct TokenTests {
  private let scratch: Scratch
  private let file: TokenFile

  init() throws {
    scratch = try Scratch()
    file = TokenFile(scratch.path + "/tokens.json")
  }

  @Test func keepsAHashAndNeverTheToken() throws {
    let token = try file.add(name: "ci", scopes: [.render, .read], rate: 3)
    #expect(token.hasPrefix("galley_") && token.count == 39)
    let text = try #require(scratch.read("tokens.json"))
    #expect(!text.contains(token.dropFirst(7)))
    #expect(text.contains(Token.hash(token)))
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func knowsItsHolderAndNobodyElse() throws {
    let token = try file.add(name: "ci", scopes: [.read])
    let gatekeeper = try Gatekeeper(file)
    #expect(gatekeeper.caller(token)?.name == "ci")
    #expect(gatekeeper.caller(token + "x") == nil)
    #expect(gatekeeper.caller("") == nil)
  }

  @Test func noticesWhenTokensComeAndGo() throws {
    let gatekeeper = try Gatekeeper(file)
    #expect(gatekeeper.caller("x") == nil)
    let token = try file.add(name: "ci", scopes: [.read])
    #expect(gatekeeper.caller(token) != nil)
    try file.remove(name: "ci")
    #expect(gatekeeper.caller(token) == nil)
  }

  @Test func refusesAFileThatHoldsNone() throws {
    _ = try scratch.write("tokens.json", "[]")
    #expect(throws: Fault.self) { try Gatekeeper(file) }
  }

  @Test func givesANameOnce() throws {
    _ = try file.add(name: "ci", scopes: [.read])
    #expect(throws: Fault.self) { try file.add(name: "ci", scopes: [.admin]) }
    #expect(throws: Fault.self) { try file.remove(name: "other") }
  }

  @Test func letsAdministratorsDoEverything() {
    let admin = Caller(name: "a", scopes: [.admin])
    let reader = Caller(name: "r", scopes: [.read])
    #expect(Scope.allCases.allSatisfy(admin.may))
    #expect(Scope.allCases.filter(reader.may) == [.read])
  }

  @Test func allowsSoManyRequestsAMinute() {
    var bucket = TokenBucket(perMinute: 2, at: 0)
    #expect(bucket.take(at: 0) == nil)
    #expect(bucket.take(at: 0) == nil)
    #expect(bucket.take(at: 0) == 30)
    #expect(bucket.take(at: 29_000) == 1)
    #expect(bucket.take(at: 30_000) == nil)
    #expect(bucket.take(at: 3_000_000) == nil)
    #expect(bucket.take(at: 3_000_000) == nil)
    #expect(bucket.take(at: 3_000_000) == 30)
  }

  @Test(arguments: [
    ("127.0.0.1:8080", true), ("localhost", true), ("[::1]:1", true), ("LOCALHOST:9", true), ("evil.example", false),
    ("127.0.0.1.evil.example", false), ("10.0.0.1:80", false), ("", false),
  ])
  func knowsItsOwnNames(authority: String, expected: Bool) {
    #expect(GateMiddleware.isLocal(authority) == expected)
  }
}
