import Core
import Foundation
import GRDB
import TestFolders
import Testing

@testable import Service

/// Login and logout, as browsers do it.
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

  /// Sends the form as Chromium does; returns the answer.
  private func logIn(_ service: LiveService, _ headers: [String: String] = [:]) async throws -> String {
    let own = ["Origin": "http://127.0.0.1:\(service.port)", "Sec-Fetch-Site": "same-origin"]
    return try await service.ask(
      "POST", "/login", Self.form.merging(own) { $1 }.merging(headers) { $1 }, body: "token=\(token)")
  }

  /// Returns the cookie that an answer sets, with its attributes.
  private func cookieSet(_ answer: String) -> String? {
    let line = answer.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("set-cookie: ") }
    return line.map { String($0.dropFirst("set-cookie: ".count)) }
  }

  /// Returns the status of a request for the list of runs with a cookie.
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

  @Test(
    arguments: [(nil, "token-missing"), ("Bearer nonsense", "token-unknown"), ("Basic YTpi", "token-missing")]
      as [(String?, String)])
  func tellsATokenThatIsntKnownFromNone(header: String?, code: String) async throws {
    try await during { service in
      let answer = try await service.ask("GET", "/v1/renders", header.map { ["Authorization": $0] } ?? [:])
      #expect(answer.hasPrefix("HTTP/1.1 401") && answer.contains("\"\(code)\""), "\(answer)")
    }
  }

  /// Returns the `Location` header of an answer.
  private func location(_ answer: String) -> String? {
    let line = answer.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("location: ") }
    return line.map { String($0.dropFirst("location: ".count)) }
  }

  @Test func leadsToThePageThatWasAskedFor() async throws {
    try await during { service in
      let asked = try await service.ask("GET", "/review/abc?done=1", ["Accept": "text/html"])
      #expect(location(asked) == "/login?next=%2Freview%2Fabc%3Fdone%3D1")
      let page = try await service.ask("GET", "/login?next=%2Freview%2Fabc%3Fdone%3D1")
      #expect(page.contains(#"name="next" value="/review/abc?done=1""#), "\(page)")
      let own = ["Origin": "http://127.0.0.1:\(service.port)", "Sec-Fetch-Site": "same-origin"]
      let body = "token=\(token)&next=%2Freview%2Fabc%3Fdone%3D1"
      let entered = try await service.ask("POST", "/login", Self.form.merging(own) { $1 }, body: body)
      #expect(entered.hasPrefix("HTTP/1.1 303") && location(entered) == "/review/abc?done=1")
      // A wrong token doesn't lose it.
      let wrong = try await service.ask(
        "POST", "/login", Self.form.merging(own) { $1 }, body: "token=galley_x&next=%2Freview%2Fabc")
      #expect(wrong.contains(#"name="next" value="/review/abc""#))
      // Behind a link of another site the cookie comes with the second request only.
      let linked = try await service.ask("GET", "/login?next=%2Freview%2Fabc", ["Sec-Fetch-Site": "cross-site"])
      #expect(linked.contains(#"content="0; url=/review/abc""#) && !linked.contains("<form"))
    }
  }

  @Test(arguments: [
    "//evil.example/", "/\\evil.example", "https://evil.example/", "/%09/evil.example", "javascript:alert(1)", "",
    "/login?next=/x",
  ])
  func leadsNowhereElse(place: String) async throws {
    try await during { service in
      let own = ["Origin": "http://127.0.0.1:\(service.port)", "Sec-Fetch-Site": "same-origin"]
      let plain = place.replacing("%09", with: "\t")
      let next = plain.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let entered = try await service.ask(
        "POST", "/login", Self.form.merging(own) { $1 }, body: "token=\(token)&next=\(next)")
      #expect(entered.hasPrefix("HTTP/1.1 303") && location(entered) == "/", "\(entered)")
      let page = try await service.ask("GET", "/login?next=\(next)", ["Sec-Fetch-Site": "cross-site"])
      #expect(page.contains("<form") && !page.contains("evil"), "\(page)")
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

  @Test func endsByItselfAndNothingOfItIsKept() async throws {
    let service = try await WebService.sample(scratch) { $0.tokens = file.path }
    let sessions = service.sessions
    let session = try #require(sessions.begin(token, at: 1000))
    #expect(sessions.begin("galley_other", at: 1000) == nil)
    #expect(!session.contains(Token.hash(token)))
    let end = 1000 + Sessions.lifetime
    #expect(try await sessions.caller(session, at: end - 1)?.name == "ci")
    #expect(try await sessions.caller(session, at: end) == nil)
    let kept = try await sessions.store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM session") }
    #expect(kept == 0)
  }

  @Test func isOverOnceItWasEnded() async throws {
    let service = try await WebService.sample(scratch) { $0.tokens = file.path }
    let sessions = service.sessions
    let (session, other) = try (#require(sessions.begin(token, at: 0)), #require(sessions.begin(token, at: 0)))
    try await sessions.end(session, at: 1)
    #expect(try await sessions.caller(session, at: 2) == nil)
    #expect(try await sessions.caller(other, at: 2)?.name == "ci")
    // What stands in the database can't let anybody in.
    try await sessions.store.database.write { db in
      try db.execute(
        sql: "INSERT INTO session (hash, token, expires) VALUES (?, ?, ?)",
        arguments: [Token.hash("forged"), Token.hash(token), Int64(1) << 50])
    }
    #expect(try await sessions.caller("forged", at: 2) == nil)
  }

  @Test func isWorthNothingWhereAnythingOfItIsOther() async throws {
    let service = try await WebService.sample(scratch) { $0.tokens = file.path }
    let sessions = service.sessions
    let session = try #require(sessions.begin(token, at: 0))
    let parts = session.split(separator: ".").map(String.init)
    #expect(parts.count == 4)
    let later = ([String(Sessions.lifetime * 9, radix: 36)] + parts.dropFirst()).joined(separator: ".")
    let others = [
      later, session + "0", String(session.dropLast()), "", "..", "...", "1.2.3.4", parts[0], "\(session).x",
      parts.reversed().joined(separator: "."),
    ]
    for other in others { #expect(try await sessions.caller(other, at: 1) == nil, "\(other)") }
    let foreign = Sessions(
      authenticator: sessions.authenticator, store: sessions.store, key: SigningKey(Array(repeating: 1, count: 32)))
    #expect(try await foreign.caller(session, at: 1) == nil)
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
