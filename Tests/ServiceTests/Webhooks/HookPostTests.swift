import Testing

@testable import Service

@Suite struct HookPostTests {
  private func lines(_ route: HookRoute, headers: [(name: String, value: String)] = [], body: String = "{}") -> [String]
  {
    let post = HookPost(address: "https://a.example/h", route: route, headers: headers, body: body)
    return post.configuration.split(separator: "\n").map(String.init)
  }

  @Test func saysAllThatCurlHasToKnow() {
    let headers = [(name: "webhook-id", value: "msg_1"), (name: "webhook-signature", value: "v1,a=")]
    #expect(
      lines(.open, headers: headers, body: #"{"name":"a"}"#) == [
        "silent", "globoff", "path-as-is",
        #"url = "https://a.example/h""#, #"proto = "=http,https""#, #"connect-timeout = "5""#, #"max-time = "15""#,
        #"output = "/dev/null""#, #"write-out = "%{http_code} %{http_connect} %{errormsg}""#,
        #"data-raw = "{\"name\":\"a\"}""#,
        #"header = "webhook-id: msg_1""#, #"header = "webhook-signature: v1,a=""#,
        #"noproxy = "*""#,
      ])
  }

  @Test func keepsAValueOnItsLine() {
    let body = "\"\\\n\r\t é\nurl = \"file:///etc/passwd\""
    let told = lines(.open, headers: [(name: "a", value: "b\nproxy = c")], body: body)
    #expect(told.contains(#"data-raw = "\"\\\n\r\t é\nurl = \"file:///etc/passwd\"""#))
    #expect(told.contains(#"header = "a: b\nproxy = c""#))
    #expect(told.count == lines(.open).count + 1)
  }

  @Test(arguments: [("93.184.216.34", "::93.184.216.34:"), ("2606:4700::1111", "::[2606:4700::1111]:")])
  func connectsToTheAddressThatWasLookedAt(address: String, pin: String) {
    #expect(Array(lines(.pinned(address)).suffix(2)) == [#"noproxy = "*""#, "connect-to = \"\(pin)\""])
  }

  @Test(arguments: [
    ("http://10.0.0.1:3128", "http://10.0.0.1:3128"), ("http://[fd00::1]:3128/", "http://[fd00::1]:3128"),
  ])
  func goesByTheProxyAlone(text: String, proxy: String) throws {
    let address = try #require(ProxyAddress(text))
    #expect(Array(lines(.proxy(address)).suffix(2)) == [#"noproxy = """#, "proxy = \"\(proxy)\""])
  }
}
