import Testing

@testable import Checks

@Suite("Macros that nobody filled in")
struct MacroTests {
  @Test(
    "are found in what is to be read",
    arguments: [
      ("Hello {{name}}", ["{{name}}"]), ("{{ user.first | upper }}!", ["{{ user.first | upper }}"]),
      ("From ${price} on", ["${price}"]), ("%%PATTERN:city%% is near", ["%%PATTERN:city%%"]),
      ("In [%city%] now", ["[%city%]"]), ("{% headline %}", ["{% headline %}"]),
      ("For [FIRST_NAME]", ["[FIRST_NAME]"]), ("For [TIMESTAMP]", ["[TIMESTAMP]"]),
      ("As __USER_NAME__ said", ["__USER_NAME__"]),
    ])
  func text(text: String, macros: [String]) { #expect(Macro.all(inText: text).map(\.text) == macros) }

  @Test(
    "aren't what people write",
    arguments: [
      "Now 100% [AD] free", "[Sponsored] {new} $ {5}", "50%% off", "a[0] = {}; {{}} ${} __init__",
      "100%% sure, 50%% off",
      "if (a) { b[i] = ${1} }", "[12:30] (x) {{ }}",
    ])
  func plain(text: String) { #expect(Macro.all(inText: text).map(\.text) == []) }

  @Test(
    "are found in addresses, encoded as well",
    arguments: [
      ("https://a.example/?t=[TIMESTAMP]&x=1", ["[TIMESTAMP]"]),
      ("https://a.example/?t=%5BTIMESTAMP%5D", ["[TIMESTAMP]"]),
      ("creative://ad/%7B%7Bhero%7D%7D.png", ["{{hero}}"]), ("https://a.example/?c=$%7BCLICK_URL%7D", ["${CLICK_URL}"]),
      ("https://a.example/?ord=%%CACHEBUSTER%%", ["%%CACHEBUSTER%%"]),
      ("https://a.example/?ord=%25%25CACHEBUSTER%25%25", ["%%CACHEBUSTER%%"]),
      ("https://a.example/i;ord=[random]?", ["[random]"]), ("https://a.example/?ts=__TS__", ["__TS__"]),
      ("https://a.example/?id={gaid}&x", ["{gaid}"]), ("https://a.example/a/[ERRORCODE]/b", ["[ERRORCODE]"]),
    ])
  func address(address: String, macros: [String]) { #expect(Macro.all(inAddress: address).map(\.text) == macros) }

  @Test(
    "aren't hosts in brackets, lists, JSON or names of files",
    arguments: [
      "https://[2001:db8::1]:8080/a?b=1", "https://a.example/?ids[]=1&a[b]=2", "https://a.example/?q=%7B%22a%22%3A1%7D",
      "https://a.example/?l=[1,2]", "https://a.example/__utm.gif?x=__a", "https://a.example/50%25/x",
      "data:text/html,{{a}}",
      "https://a.example/[id].js", "blob:https://a.example/{{a}}", "https://a.example/?q=%5B%22A%22%5D",
    ])
  func plainAddress(address: String) { #expect(Macro.all(inAddress: address).map(\.text) == []) }

  @Test("are told by who fills them in")
  func fillers() {
    let known = [
      "%%CLICK_URL_ESC%%": "Google Ad Manager", "%%PATTERN:city%%": "Google Ad Manager",
      "${AUCTION_PRICE}": "the exchange (OpenRTB)", "${CLICK_URL}": "Display & Video 360",
      "[CACHEBUSTING]": "the player (VAST)", "[timestamp]": "Campaign Manager 360",
    ]
    for (text, filler) in known { #expect(Macro(text: text).filler == filler, "\(text)") }
    for text in ["%%NAME%%", "${price}", "[WHO]", "{{CLICK_URL}}"] {
      #expect(Macro(text: text).filler == nil, "\(text)")
    }
  }
}
