import Core
import Foundation
import TestFolders
import Testing

@testable import Recordings

/// Data that `galley har redact` removes, and data that it leaves.
@Suite struct RedactionTests {
  private static let secret = "7D1B-AA5-SECRET"

  private func redacted(
    url: String = "https://a.example/", headers: [Exchange.Header] = [], body: String? = nil, type: String = "",
    answer: String? = nil, answerType: String = "text/html"
  ) throws -> (exchange: Exchange, body: String?, answer: String?, rules: [String]) {
    let place = try TestFolder()
    let folder = try RecordingFolder.create(place.file("one"))
    let response = try answer.map {
      Exchange.Response(status: 200, headers: headers, content: try folder.keep(Array($0.utf8), mimeType: answerType))
    }
    try folder.append(
      Exchange(
        index: 0, method: body == nil ? "GET" : "POST", url: url, requestHeaders: headers,
        requestBody: try body.map { try folder.keep(Array($0.utf8), mimeType: type) }, date: 1, response: response))
    try Redaction().apply(to: folder)
    let found = try folder.exchanges()[0]
    return (
      found, try folder.text(found.requestBody), try folder.text(found.response?.content),
      try folder.rules().map(\.text)
    )
  }

  private static func encoded(_ text: String, times: Int) -> String {
    (0..<times).reduce(text) { text, _ in
      text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
  }

  @Test(arguments: [
    "idfa=@", "IDFA=@", "id%66a=@", "device.ifa=@", "user[idfa]=@", "user%5Bidfa%5D=@", "idfa[]=@", "idfa%5B%5D=@",
    "idfa[0]=@", "a=1;idfa=@", "a=1&amp;idfa=@", "a=1%26idfa%3D@", "x={\"idfa\":\"@\"}", "x=%7B%22idfa%22%3A%22@%22%7D",
    "x=%7B%22lat%22%3A52.@%7D", "idfa=\"@\"", "u=//b.example/;idfa=@/x", "a.b.c.lat=@", "lat=-52.5@",
  ]) func parametersOfAnyFormAreTakenOut(query: String) throws {
    let query = query.replacing("@", with: Self.secret)
    let found = try redacted(url: "https://a.example/p?first=1&\(query)&last=2")
    #expect(!found.exchange.url.contains("SECRET"), "\(found.exchange.url)")
    #expect(found.exchange.url.hasPrefix("https://a.example/p?first=1&") && found.exchange.url.hasSuffix("&last=2"))
    #expect(found.exchange.url.contains(Redaction.mark))
  }

  @Test(arguments: 1...6) func anAddressInAnAddressIsLookedIntoHoweverDeep(depth: Int) throws {
    let inner = Self.encoded("https://t.example/?a=1&idfa=\(Self.secret)&b=2", times: depth)
    let found = try redacted(url: "https://a.example/?u=\(inner)&v=3")
    let after = Self.encoded("https://t.example/?a=1&idfa=\(Redaction.mark)&b=2", times: depth)
    #expect(found.exchange.url == "https://a.example/?u=\(after)&v=3")
    #expect(found.rules == ["ignore query u"])
  }

  @Test func aPathsParameterIsTakenOut() throws {
    let found = try redacted(url: "https://a.example/p;idfa=\(Self.secret)/x?b=2")
    #expect(found.exchange.url == "https://a.example/p;idfa=redacted/x?b=2")
  }

  @Test(arguments: [
    ("X-Forwarded-For", "@", "redacted"), ("X-Api-Key", "@", "redacted"), ("X-Auth-Token", "@", "redacted"),
    ("WWW-Authenticate", "Basic realm=\"@\"", "Basic redacted"), ("Forwarded", "for=@;proto=https", "redacted"),
    ("Refresh", "0; url=https://b/?idfa=@&c=1", "0; url=https://b/?idfa=redacted&c=1"),
    ("Link", "<https://b/?lat=@>; rel=next", "<https://b/?lat=redacted>; rel=next"),
    ("Referer", "https://b/?u=https%3A%2F%2Fc%3Fidfa%3D@", "https://b/?u=https%3A%2F%2Fc%3Fidfa%3Dredacted"),
    ("X-Whatever", "https://b/?ifa=@#f", "https://b/?ifa=redacted#f"), ("Cookie", "a=@; b=@", "a=redacted; b=redacted"),
    ("Cache-Control", "max-age=5", "max-age=5"), ("Content-Type", "a/b; boundary=lat", "a/b; boundary=lat"),
  ]) func headsAreCleaned(name: String, value: String, clean: String) throws {
    let value = value.replacing("@", with: Self.secret)
    let found = try redacted(headers: [Exchange.Header(name, value)], answer: "x")
    #expect(found.exchange.requestHeaders.map(\.value) == [clean])
    #expect(found.exchange.response?.headers.first?.value == clean)
  }

  @Test(arguments: [
    ("{\"a\":\"https://b/?idfa=@\"}", "application/json", "{\"a\":\"https://b/?idfa=redacted\"}"),
    ("{\"a\":\"{\\\"idfa\\\":\\\"@\\\"}\"}", "text/plain", "{\"a\":\"{\\\"idfa\\\":\\\"redacted\\\"}\"}"),
    ("{\"device.ifa\":\"@\",\"n\":1}", "", "{\"device.ifa\":\"redacted\",\"n\":1}"),
    (
      "{\"idfa\":\"@\"}\n{\"n\":1}\n{\"geo\":{\"lat\":52}}\n", "application/x-ndjson",
      "{\"idfa\":\"redacted\"}\n{\"n\":1}\n{\"geo\":{\"lat\":\"redacted\"}}\n"
    ),
    ("a=1&user[idfa]=@&b=2", "application/x-www-form-urlencoded", "a=1&user[idfa]=redacted&b=2"),
    ("a=1\r\nidfa=@\r\nb=2", "text/plain;charset=UTF-8", "a=1\r\nidfa=redacted\r\nb=2"),
    (
      "--X\r\nContent-Disposition: form-data; name=\"idfa\"\r\n\r\n@\r\n--X\r\nContent-Disposition: form-data; name=\"n\"\r\n"
        + "\r\nkept\r\n--X--\r\n", "multipart/form-data; boundary=X",
      "--X\r\nContent-Disposition: form-data; name=\"idfa\"\r\n\r\nredacted\r\n--X\r\nContent-Disposition: form-data; "
        + "name=\"n\"\r\n\r\nkept\r\n--X--\r\n"
    ),
    (
      "--X\r\nContent-Disposition: form-data; name=j\r\n\r\n{\"user\":{\"idfa\":\"@\"}}\r\n--X--",
      "multipart/form-data",
      "--X\r\nContent-Disposition: form-data; name=j\r\n\r\n{\"user\":{\"idfa\":\"redacted\"}}\r\n--X--"
    ),
  ]) func whatIsSentIsCleaned(body: String, type: String, clean: String) throws {
    let found = try redacted(body: body.replacing("@", with: Self.secret), type: type)
    #expect(found.body == clean)
    #expect(!found.rules.isEmpty)
  }

  @Test(arguments: [
    (
      "<a href=\"https://b/?a=1&amp;idfa=@&amp;c=2\">x</a>", "text/html",
      "<a href=\"https://b/?a=1&amp;idfa=redacted&amp;c=2\">x</a>"
    ),
    ("<img src='/p?lat=@'>", "text/html", "<img src='/p?lat=redacted'>"),
    (
      "fetch(\"https:\\/\\/b\\/?a=1\\u0026idfa\\u003d@\")", "text/javascript",
      "fetch(\"https:\\/\\/b\\/?a=1\\u0026idfa\\u003dredacted\")"
    ),
    (
      "<VAST><Tracking>https://b/?u=https%3A%2F%2Fc%3Fidfa%3D@</Tracking></VAST>", "application/xml",
      "<VAST><Tracking>https://b/?u=https%3A%2F%2Fc%3Fidfa%3Dredacted</Tracking></VAST>"
    ),
    (
      "{\"adm\":\"<img src=\\\"https://b/?ifa=@\\\"> text\"}", "application/json",
      "{\"adm\":\"<img src=\\\"https://b/?ifa=redacted\\\"> text\"}"
    ),
  ]) func addressesInAnswersAreCleaned(text: String, type: String, clean: String) throws {
    #expect(try redacted(answer: text.replacing("@", with: Self.secret), answerType: type).answer == clean)
  }

  @Test(arguments: [
    "var lat=e.coords.latitude;lon=3;ip=\"x\"", "a?lat=5:0;x&&ip==y", "if(ifa=1){}//lat=3",
    "u=\"https://b/?lat=\"+lat+\"&c\"",
    ".a{lat:1}", "{lat:e.lat}", "s='?idfa='+idfa", "for(lat=0;lat<5;lat++);",
  ]) func codeStaysAsItIs(code: String) throws {
    for type in ["text/javascript", "text/html"] {
      #expect(try redacted(answer: code, answerType: type).answer == code)
    }
  }

  @Test(arguments: [
    "https://a.example/?clip=1&platform=x&flat[]=2&gifa=3&ipx=4", "https://a.example/?=&&&idfa&lat",
    "https://a.example/%",
    "https://a.example/?a=%25&b=%2&c=%zz%25zz", "https://a.example/?idfa=&b=1", "https://a.example/?idfa=redacted",
  ]) func otherAddressesStayAsTheyAre(url: String) throws {
    #expect(try redacted(url: url).exchange.url == url)
  }

  @Test(arguments: [
    ("%25", 20_000), ("25", 40_000), ("idfa=", 20_000), ("\\u", 40_000), ("\"idfa\":", 10_000), ("&amp", 20_000),
    ("idfa=&", 10_000), ("{\"a\":", 10_000), ("--X\r\n\r\n", 10_000), ("https://?", 10_000),
  ]) func anyTextIsReadInTime(piece: String, count: Int) throws {
    let text = Array(String(repeating: piece, count: count).utf8)
    let clock = ContinuousClock()
    let started = clock.now
    for kind in [NamedValues.Kind.pairs, .markup] { _ = NamedValues.without(text, kind) { $0 == "idfa" } }
    _ = MultipartForm(text)
    #expect(clock.now - started < .seconds(60))
  }
}
