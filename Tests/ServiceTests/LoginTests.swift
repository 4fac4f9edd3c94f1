import Core
import Foundation
import TestFolders
import Testing

@testable import Service

/// Logging in and out, as browsers do it.
@Suite(.timeLimit(.minutes(1))) struct LoginTests {
  private let scratch: TestFolder
  private let file: TokenFile
  private let token: String

  init() throws {
    scratch = try TestFolder()
    file = TokenFile(scratch.path + "/tokens.json")
    token = try file.add(name: "ci", scopes: [.read])
  }

  private func during(
    _ change: @escaping (inout ServiceSettings) -> Void = { _ in },
    _ work: @escaping @Sendable (LiveService) async throws -> Void
  ) async throws {
    let path = file.path
    try await LiveService.during(
      scratch,
      {
        $0.tokens = path
        change(&$0)
      }, work)
  }

  private static let form = ["Content-Type": "application/x-www-form-urlencoded"]

  /// What Chromium sends with the form, and the answer to it.
  private func logIn(_ service: LiveService, _ headers: [String: String] = [:]) async throws -> String {
    let own = ["Origin": "http://127.0.0.1:\(service.port)", "Sec-Fetch-Site": "same-origin"]
    return try await service.ask(
      "POST", "/login", Self.form.merging(own) { $1 }.merging(headers) { $1 }, body: "token=\(token)")
  }

  /// The cookie that an answer sets, with all that it says of it.
  private func cookieSet(_ answer: String) -> String? {
    let line = answer.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("set-cookie: ") }
    return line.map { String($0.dropFirst("set-cookie: ".count)) }
  }

  /// The status with which somebody with a cookie gets the list of runs.
  private func status(_ service: LiveService, _ cookie: String) async throws -> String {
    let pair = cookie.split(separator: ";").first.map { String($0) } ?? ""
    return String(try await service.ask("GET", "/v1/renders", ["Cookie": pair]).prefix(12))
  }

  @Test func theLogInPageHasItsLookBeforeSomebodyIsIn() async throws {
    try await during { service in
      let page = try await service.ask("GET", "/login")
      let files = page.matches(of: /(?:href|src)="(\/assets\/[^"]+)"/).map { String($0.1) }
      #expect(files == ["/assets/look.css", "/assets/galley.css", "/assets/look.js", "/assets/galley.js"])
      for file in files + ["/assets/report.css", "/assets/compare.js"] {
        #expect(try await service.ask("GET", file).hasPrefix("HTTP/1.1 200"), "\(file)")
      }
      #expect(try await service.ask("GET", "/parts/renders/x").hasPrefix("HTTP/1.1 401"))
    }
  }

  @Test func letsSomebodyInAndOut() async throws {
    try await during { service in
      let entered = try await logIn(service)
      #expect(entered.hasPrefix("HTTP/1.1 303"))
      let cookie = try #require(cookieSet(entered))
      #expect(cookie.hasPrefix("galley-session=") && !cookie.contains(token))
      #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict; Max-Age=604800"))
      #expect(try await status(service, cookie) == "HTTP/1.1 200")
      let own = ["Cookie": String(cookie.prefix { $0 != ";" }), "Origin": "null", "Sec-Fetch-Site": "same-origin"]
      let left = try await service.ask("POST", "/logout", own)
      #expect(left.hasPrefix("HTTP/1.1 303") && cookieSet(left)?.contains("Max-Age=0") == true)
      // A copy of the cookie is worth nothing any more.
      #expect(try await status(service, cookie) == "HTTP/1.1 401")
    }
  }

  @Test(arguments: [
    ["Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"],
    ["Origin": "null", "Sec-Fetch-Site": "cross-site"],
  ])
  func foreignPagesLogNobodyInOrOut(headers: [String: String]) async throws {
    try await during { service in
      #expect(try await logIn(service, headers).hasPrefix("HTTP/1.1 403"))
      let cookie = try #require(cookieSet(try await logIn(service)))
      let given = headers.merging(["Cookie": String(cookie.prefix { $0 != ";" })]) { $1 }
      #expect(try await service.ask("POST", "/logout", given).hasPrefix("HTTP/1.1 403"))
      #expect(try await status(service, cookie) == "HTTP/1.1 200")
    }
  }

  @Test func tellsBrowsersWhatItsOwnFormsComeFrom() async throws {
    try await during { service in
      let page = try await service.ask("GET", "/login").lowercased()
      #expect(page.contains("\r\nreferrer-policy: same-origin\r\n"))
    }
  }

  @Test func endsWithItsToken() async throws {
    try await during { service in
      let cookie = try #require(cookieSet(try await logIn(service)))
      #expect(try await status(service, cookie) == "HTTP/1.1 200")
      try file.remove(name: "ci")
      #expect(try await status(service, cookie) == "HTTP/1.1 401")
      _ = try file.add(name: "ci", scopes: [.read])
      #expect(try await status(service, cookie) == "HTTP/1.1 401")
    }
  }

  @Test func theTokenItselfIsNoCookie() async throws {
    try await during { service in
      for name in ["galley-session", "galley-token"] {
        let answer = try await status(service, "\(name)=\(token)")
        #expect(answer == "HTTP/1.1 401")
      }
    }
  }

  @Test func isForTLSWhereTheProxyOrTheAddressSaysSo() async throws {
    try await during {
      $0.publicAddress = PublicAddress("https://galley.example")
    } _: { service in
      let answer = try await logIn(service)
      #expect(cookieSet(answer)?.hasSuffix("; Secure") == true)
      let proxied = try await logIn(service, ["Origin": "https://galley.example"])
      #expect(proxied.hasPrefix("HTTP/1.1 303"))
    }
  }

  @Test func isKeptAsAHashAndEndsByItself() async throws {
    let service = try await WebService.sample(scratch) { $0.tokens = file.path }
    let session = try #require(try await service.sessions.begin(token, at: 1000))
    #expect(try await service.sessions.begin("galley_other", at: 1000) == nil)
    let end = 1000 + Sessions.lifetime
    #expect(try await service.sessions.caller(session, at: end - 1)?.name == "ci")
    #expect(try await service.sessions.caller(session, at: end) == nil)
    #expect(try await service.sessions.store.session(session, at: 1000) == nil)
    #expect(try await service.sessions.store.session(Token.hash(session), at: 1000) == Token.hash(token))
  }

  @Test func aTokenHasSoManyAtATime() async throws {
    let service = try await WebService.sample(scratch) { $0.tokens = file.path }
    let first = try #require(try await service.sessions.begin(token, at: 0))
    for timestamp in 1..<Int64(Sessions.mostOfOne) { _ = try await service.sessions.begin(token, at: timestamp) }
    #expect(try await service.sessions.caller(first, at: 200) != nil)
    _ = try await service.sessions.begin(token, at: 200)
    #expect(try await service.sessions.caller(first, at: 200) == nil)
  }
}

@Suite struct TokenTests {
  private let scratch: TestFolder
  private let file: TokenFile

  init() throws {
    scratch = try TestFolder()
    file = TokenFile(scratch.path + "/tokens.json")
  }

  @Test func keepsAHashAndNeverTheToken() throws {
    let token = try file.add(name: "ci", scopes: [.render, .read], rate: 3)
    #expect(token.hasPrefix("galley_") && token.count == 39)
    let text = try #require(scratch.text("tokens.json"))
    #expect(!text.contains(token.dropFirst(7)))
    #expect(text.contains(Token.hash(token)))
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func knowsItsHolderAndNobodyElse() throws {
    let token = try file.add(name: "ci", scopes: [.read])
    let authenticator = try Authenticator(file)
    #expect(authenticator.caller(token)?.name == "ci")
    #expect(authenticator.caller(token + "x") == nil)
    #expect(authenticator.caller("") == nil)
  }

  @Test func noticesWhenTokensComeAndGo() throws {
    let authenticator = try Authenticator(file)
    #expect(authenticator.caller("x") == nil)
    let token = try file.add(name: "ci", scopes: [.read])
    #expect(authenticator.caller(token) != nil)
    try file.remove(name: "ci")
    #expect(authenticator.caller(token) == nil)
  }

  @Test func refusesAFileThatHoldsNone() throws {
    _ = try scratch.write("tokens.json", "[]")
    #expect(throws: Fault.self) { try Authenticator(file) }
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
    #expect(bucket.takeToken(at: 0) == nil)
    #expect(bucket.takeToken(at: 0) == nil)
    #expect(bucket.takeToken(at: 0) == 30)
    #expect(bucket.takeToken(at: 29_000) == 1)
    #expect(bucket.takeToken(at: 30_000) == nil)
    #expect(bucket.takeToken(at: 3_000_000) == nil)
    #expect(bucket.takeToken(at: 3_000_000) == nil)
    #expect(bucket.takeToken(at: 3_000_000) == 30)
  }

  @Test(arguments: [
    ("127.0.0.1:8080", true), ("localhost", true), ("[::1]:1", true), ("LOCALHOST:9", true), ("evil.example", false),
    ("127.0.0.1.evil.example", false), ("10.0.0.1:80", false), ("", false),
  ])
  func knowsItsOwnNames(authority: String, expected: Bool) {
    #expect(AuthMiddleware.isLocal(authority) == expected)
  }
}
