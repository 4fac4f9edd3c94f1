import Core
import Exploration
import MRAID
import RenderModel
import Testing

@testable import Checks

/// Pair of creatives for a check: one that trips it, and a similar one that doesn't.
struct CheckCase: Sendable, CustomTestStringConvertible {
  let id: String
  let trips: CheckContext
  let passes: CheckContext

  init(_ id: String, trips: CheckContext, passes: CheckContext) {
    self.id = id
    self.trips = trips
    self.passes = passes
  }

  var testDescription: String { id }

  static let all =
    mraid + behaviour + close + weight + requests + security + measurement + robustness + rest
    + chromiumDiffers + playable
}

@Suite("Each check")
struct CheckCaseTests {
  /// Checks that are tested in other suites.
  private static let elsewhere: Set<String> = [Check.expiredSuppressionID]

  @Test("finds what it is for", arguments: CheckCase.all)
  func trips(example: CheckCase) throws {
    let check = try #require(Check.named(example.id))
    let issues = try #require(try check.judge(example.trips), "it had nothing to judge")
    #expect(issues.count == 1)
    #expect(issues.allSatisfy { !$0.message.isEmpty && !$0.message.contains("\n") })
  }

  @Test("leaves alone what comes near and is well", arguments: CheckCase.all)
  func passes(example: CheckCase) throws {
    let check = try #require(Check.named(example.id))
    let issues = try #require(try check.judge(example.passes), "it had nothing to judge")
    #expect(issues.map(\.message) == [])
  }

  @Test("without profiles has nothing to say where numbers are the networks'", arguments: CheckCase.all)
  func withoutProfiles(example: CheckCase) throws {
    let check = try #require(Check.named(example.id))
    guard check.needsProfile else { return }
    var context = example.trips
    context.profiles = []
    #expect(try check.judge(context) == nil)
  }

  @Test("has nothing to say of measuring where the render didn't measure", arguments: CheckCase.measurement)
  func unmeasured(example: CheckCase) throws {
    var context = example.trips
    context.record.omid = nil
    #expect(try #require(Check.named(example.id)).judge(context) == nil)
  }

  @Test("judges what never rendered without a word of its own")
  func nothing() throws {
    var context = CheckContext.made()
    context.journeys = []
    context.record.outcome = .failed
    for check in Check.all { #expect(try check.judge(context) == nil, "\(check.id)") }
  }

  @Test("a host's close control that turning moved weighs less than a close button that is covered")
  func hostControl() throws {
    let check = try #require(Check.named("covered-close"))
    let anomalies: [ExploredStates.Odd] = [
      .init(.closeCovered, "div#x is covered", state: 2),
      .init(.closeCovered, "partly outside", action: "rotate and back"),
    ]
    let issues = try #require(try check.judge(.made(explored: ExploredStates(anomalies: anomalies))))
    #expect(issues.map(\.severity) == [nil, .warning])
    #expect(issues.map(\.message) == ["div#x is covered", "rotate and back: partly outside"])
  }

  @Test(
    "a dead end in a banner's slot weighs less than one that holds the screen",
    arguments: [(MRAIDState.default, Severity?.some(.note)), (.expanded, nil)])
  func deadEnd(state: MRAIDState, severity: Severity?) throws {
    let check = try #require(Check.named("no-way-out"))
    let explored = ExploredStates(
      anomalies: [.init(.noWayOut, "nothing leaves it", state: 1)],
      states: [PageSnapshot(moment: "start", state: state, targets: [])])
    #expect(try check.judge(.made(explored: explored))?.map(\.severity) == [severity])
  }

  @Test(
    "says nothing of what isn't there where files were read in part only",
    arguments: ["missing-click-tag", "orphaned-file"])
  func cutFiles(id: String) throws {
    let check = try #require(Check.named(id))
    func context(isCut: Bool) -> CheckContext {
      let code = Inventory.File(path: "ad.js", bytes: 9, text: "go()", isCut: isCut)
      return .made(
        files: [.document("<script src='ad.js'></script>"), code, Inventory.File(path: "walk.png", bytes: 9)],
        profiles: [.network(id)])
    }
    #expect(try check.judge(context(isCut: false))?.count == 1)
    #expect(try check.judge(context(isCut: true)) == nil)
  }

  @Test("has an id of its own in kebab-case, an explanation, a remedy and a source")
  func catalogue() {
    #expect(Set(Check.all.map(\.id)).count == Check.all.count)
    #expect(Check.all.count >= 40)
    let codes = Set(ErrorCodes.meanings.map(\.code))
    for check in Check.all {
      #expect(!codes.contains(check.id), "\(check.id) is an error's code")
      #expect(check.id.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(check.id)")
      for text in [check.title, check.why, check.remedy, check.source.title] { #expect(!text.isEmpty, "\(check.id)") }
      #expect(check.why.hasSuffix(".") && check.remedy.hasSuffix("."), "\(check.id)")
      #expect(check.source.url.contains(":"), "\(check.id)")
    }
    let families = Check.all.map(\.family)
    #expect(families == CheckFamily.allCases.flatMap { family in families.filter { $0 == family } })
  }

  @Test("of the families that need no engine has a case here")
  func complete() {
    let measured: Set<CheckFamily> = [.heavyAd, .accessibility]
    let cases = Set(CheckCase.all.map(\.id)).union(Self.elsewhere)
    for check in Check.all where !measured.contains(check.family) && !check.isMeasured {
      #expect(cases.contains(check.id), "\(check.id) has no case")
    }
  }
}

extension Check {
  fileprivate static let expiredSuppressionID = "expired-suppression"
  /// Indicates if the check needs measured motion or layout, and so is tested with creatives in `MeasuredCheckTests`.
  fileprivate var isMeasured: Bool {
    (family == .layout && id != "blank-render") || id.contains("motion") || id.contains("flash")
      || ["no-end-frame", "loop-count"].contains(id)
  }
}

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
      ("{CLICK_MACRO}", ["{CLICK_MACRO}"]), ("[CLICKURL]https://a.example/", ["[CLICKURL]"]),
      ("__CLICK__https%3A%2F%2Fa.example", ["__CLICK__"]), ("creative://ad/%7BCLICK_MACRO%7D", ["{CLICK_MACRO}"]),
      ("https://a.example/{id}/b", ["{id}"]),
    ])
  func address(address: String, macros: [String]) { #expect(Macro.all(inAddress: address).map(\.text) == macros) }

  @Test(
    "aren't hosts in brackets, lists, JSON or names of files",
    arguments: [
      "https://[2001:db8::1]:8080/a?b=1", "https://a.example/?ids[]=1&a[b]=2", "https://a.example/?q=%7B%22a%22%3A1%7D",
      "https://a.example/?l=[1,2]", "https://a.example/__utm.gif?x=__a", "https://a.example/50%25/x",
      "data:text/html,{{a}}", "{\"a\":1}", "[object Object]", "__init.html", "https://a.example/{a,b}.png",
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
