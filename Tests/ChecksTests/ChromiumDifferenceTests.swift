import Foundation
import RenderModel
import Testing

@testable import Checks

extension CheckCase {
  /// Creatives that show each difference, judged as `--profile chromium` does.
  static let chromiumDiffers: [CheckCase] = ChromiumDifferenceChecks.all.map {
    CheckCase($0.id, trips: .shown($0.id, "trips"), passes: .shown($0.id, "passes"))
  }
}

extension CheckContext {
  private static let creatives = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Creatives/checks/chromiumDiffers")

  fileprivate static func shown(_ id: String, _ name: String) -> CheckContext {
    let file = creatives.appending(path: "\(id)/\(name).html")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return chromium(.init(path: "index.html", text: text))
  }

  /// Creates evidence of files, judged by Chromium's differences.
  fileprivate static func chromium(_ files: Inventory.File...) -> CheckContext {
    .made(files: files, profiles: [ChromiumDifferenceChecks.profile])
  }
}

@Suite("What Chromium does otherwise")
struct ChromiumDifferenceTests {
  /// Returns the messages of a check about a creative's code.
  private func messages(_ id: String, _ code: String, path: String = "ad.js") throws -> [String] {
    let check = try #require(Check.named("chromium-\(id)"))
    return try #require(try check.judge(.chromium(.init(path: path, text: code)))).map(\.message)
  }

  /// Returns the ids of the rows that report something about a context.
  private func found(_ context: CheckContext) throws -> Set<String> {
    Set(try ChromiumDifferenceChecks.all.filter { try $0.judge(context)?.isEmpty == false }.map(\.id))
  }

  @Test("each creative that shows one trips no other, and the one beside it none", arguments: CheckCase.chromiumDiffers)
  func alone(example: CheckCase) throws {
    #expect(try found(example.trips) == [example.id])
    #expect(try found(example.passes) == [])
  }

  @Test("a finding says where, what, and what either engine does")
  func finding() throws {
    let check = try #require(Check.named("chromium-vibrate"))
    let issues = try #require(
      try check.judge(.chromium(.init(path: "js/ad.js", text: "var a = 1;\n  go(() => navigator.vibrate(20));"))))
    #expect(
      issues.map(\.message) == [
        "navigator.vibrate() is called: Chromium lets the phone vibrate after a tap; WebKit has no such method, and the call throws"
      ])
    #expect(issues.first?.place == Finding.Place(file: "js/ad.js", line: 2, column: 12))
    #expect(issues.first?.profiles == ["chromium"])
    #expect(issues.first?.severity == .error)
    #expect(issues.first?.subject == "navigator.vibrate")
  }

  @Test(
    "code that looks first, or says it in both spellings, is well",
    arguments: [
      ("vibrate", "if ('vibrate' in navigator) navigator.vibrate(1)"),
      ("vibrate", "navigator.vibrate && navigator.vibrate(1)"),
      ("vibrate", "navigator.vibrate?.(1)"),
      ("idle-callback", "var idle = window.requestIdleCallback || later; idle(go)"),
      ("idle-callback", "window.requestIdleCallback = window.requestIdleCallback || later; requestIdleCallback(go)"),
      ("battery", "navigator.getBattery ? navigator.getBattery() : 0"),
      ("network-information", "navigator.connection && navigator.connection.effectiveType"),
      (
        "date-text",
        "new Date('2026-11-25T10:00'), new Date('2026-11-25 10:00'), new Date('2026/11/25'), new Date('Nov 25, 2026 10:00')"
      ),
      ("date-text", "new Date(2026, 10, 25), new Date(text), Date.parse(iso)"),
      ("scheduler", "const scheduler = make(); scheduler.yield()"),
      ("temporal", "typeof Temporal === 'object' && Temporal.Now"),
      ("canvas-filter", "el.style.filter = 'blur(1px)'; c.getContext('2d')"),
      ("canvas-filter", "svg.filter = 'blur(1px)'"),
      ("fast-seek", "film.fastSeek ? film.fastSeek(1) : (film.currentTime = 1)"),
    ])
  func knows(id: String, code: String) throws { #expect(try messages(id, code) == []) }

  @Test(
    "style sheets that say it in both spellings, or something else, are well",
    arguments: [
      ("backdrop-filter", "a{backdrop-filter:blur(1px);-webkit-backdrop-filter:blur(1px)}"),
      ("backdrop-filter", "@supports (-webkit-backdrop-filter: none) or (backdrop-filter: none) { a { color: red } }"),
      ("user-select", "a{-webkit-user-select:none;-moz-user-select:none;user-select:none}"),
      (
        "text-decoration",
        "a{text-decoration:underline}b{text-decoration:none}c{text-decoration:underline!important;color:red}"
      ),
      ("text-decoration", "a{text-decoration: inherit}\nb{text-decoration:var(--line)}"),
      ("hyphens", "p{-webkit-hyphens:auto;hyphens:auto}"),
      ("stretch-size", "a{align-items:stretch;font-stretch:condensed}"),
      ("media-state-selector", "a:hover{}p.muted{}b::before{content:'muted'}"), ("styled-select", "a{appearance:none}"),
      ("path-by-css", "a{offset-path:path('M0 0');clip-path:path('M0 0')}"), ("corner-shape", "a{border-corner:1px}"),
      ("svg-ratio", "<svg width='8' viewBox='0 0 8 4' preserveAspectRatio='none'>"),
      ("svg-ratio", "<svg viewBox='0 0 8 4' preserveAspectRatio='xMidYMid'>"),
      ("image-filter", "a{filter:blur(1px);background:url(filter.png)}"),
      ("css-functions", "a::before{content:attr(data-x)}"),
    ])
  func styles(id: String, code: String) throws { #expect(try messages(id, code, path: "ad.css") == []) }

  @Test(
    "the other rule's spelling doesn't help",
    arguments: [
      ("backdrop-filter", "a{-webkit-backdrop-filter:blur(1px)}b{backdrop-filter:blur(1px)}"),
      ("user-select", "a{user-select:none}b{-webkit-user-select:none}"),
      ("sticky", "a{position:-webkit-sticky}b{position:sticky}"),
      ("text-decoration", "a{text-decoration:underline dotted}b{-webkit-text-decoration:underline dotted}"),
      ("text-decoration", "a{text-decoration: red underline}"),
      ("stretch-size", "a{width:stretch}b{width:-webkit-fill-available}"),
    ])
  func apart(id: String, code: String) throws { #expect(try messages(id, code, path: "ad.css").count == 1) }

  @Test(
    "dates that only Chromium guesses",
    arguments: [
      "11-25-2026", "2026.11.25", "2026-11-25 10:00 PM", "2026-11-25 10:00:00 +0100", "2026-11-25 10:00 GMT", "12/25",
      "November 2026",
    ])
  func dates(text: String) throws { #expect(try messages("date-text", "new Date(\"\(text)\")").count == 1) }

  @Test("a finding has all that was said, and no more")
  func whole() throws {
    let date = try #require(try messages("date-text", "go(new Date('11-25-2026 18:00'), 1)").first)
    #expect(date.hasPrefix("new Date('11-25-2026 18:00') isn't a standard date: Chromium guesses"), "\(date)")
    let line = try #require(
      try messages("text-decoration", "a{color:red;text-decoration:underline wavy #c00}", path: "a.css").first)
    #expect(line.hasPrefix("text-decoration:underline wavy #c00 has a colour or style too: "), "\(line)")
  }

  @Test("an element's own style counts as a rule, and what stands in one isn't another's")
  func inline() throws {
    let one = "<p style=\"-webkit-backdrop-filter: blur(1px)\">a</p><p style=\"backdrop-filter: none\">b</p>"
    #expect(try messages("backdrop-filter", one, path: "index.html").count == 1)
    let both = "<p style=\"-webkit-backdrop-filter: blur(1px); backdrop-filter: blur(1px)\">a</p>"
    #expect(try messages("backdrop-filter", both, path: "index.html") == [])
  }

  @Test("what says the same again is told once, and a list of everything is told in part")
  func bounded() throws {
    #expect(try messages("vibrate", String(repeating: "navigator.vibrate(1);", count: 50)).count == 1)
    let dates = (10..<40).map { "new Date('11-\($0)-2026')" }.joined(separator: ";")
    #expect(try messages("date-text", dates).count == 10)
  }

  @Test("a large script without line breaks is searched at once", .timeLimit(.minutes(1)))
  func large() throws {
    let code = String(
      repeating: "a.filter=b,c:d?if(e,attr(f g:h,i.connection.j,text-decoration:k user-select:", count: 3_000)
    _ = try found(.chromium(.init(path: "ad.js", text: code)))
  }

  @Test("is off unless a profile names it, and then is accepted or refused by that")
  func optional() throws {
    let context = CheckContext.chromium(.init(path: "ad.js", text: "navigator.vibrate(1)"))
    func report(_ names: [String]) throws -> (report: CreativeReport, rules: [CheckReport.Rule]) {
      let runner = CheckRunner(profiles: try ProfileCatalogue.standard.named(names), today: "2026-11-25")
      return (runner.report(on: context, name: "ad", folder: "ad"), runner.rules)
    }
    let without = try report(["iab"])
    #expect(!without.rules.contains { $0.family == .chromiumDiffers })
    #expect(!without.report.findings.contains { $0.check.hasPrefix("chromium-") })
    #expect(!without.report.passedChecks.contains { $0.hasPrefix("chromium-") })
    let with = try report(["iab", "chromium"])
    #expect(with.rules.count { $0.family == .chromiumDiffers } == ChromiumDifferenceChecks.all.count)
    #expect(
      with.report.findings.filter { $0.check.hasPrefix("chromium-") }.map(\.key) == [
        "chromium-vibrate:navigator.vibrate"
      ])
    #expect(with.report.acceptance.first { $0.profile == "chromium" }?.refusedBy == ["chromium-vibrate"])
    #expect(with.report.acceptance.first { $0.profile == "iab" }?.refusedBy.contains("chromium-vibrate") == false)
  }

  @Test("a policy takes one of them out")
  func policy() throws {
    let context = CheckContext.chromium(.init(path: "ad.js", text: "navigator.vibrate(1)"))
    let runner = CheckRunner(
      policy: Policy(weights: ["chromium-vibrate": .off]), profiles: [ChromiumDifferenceChecks.profile],
      today: "2026-11-25")
    let checks = runner.report(on: context, name: "ad", folder: "ad").findings.map(\.check)
    #expect(!checks.contains("chromium-vibrate"))
  }

  @Test(
    "each row says what was tried, and that the engines differ",
    arguments: ChromiumDifferenceChecks.differences.differences)
  func rows(row: ChromiumDifference) throws {
    #expect(row.id.hasPrefix("chromium-"))
    #expect(!row.find.hints.isEmpty && row.find.hints.allSatisfy { $0.count > 2 })
    #expect((row.find.unless == nil) == (row.find.within == nil))
    #expect(row.remedy.hasSuffix("."))
    for text in [row.chromium, row.webkit, row.finding] { #expect(!text.isEmpty && !text.hasSuffix(".")) }
  }
}
