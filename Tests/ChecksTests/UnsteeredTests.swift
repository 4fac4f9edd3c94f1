import Core
import RenderModel
import Testing

@testable import Checks

/// Verdict of an ad that brings its own scenario: its behaviour without that scenario counts too.
@Suite struct UnsteeredTests {
  /// Returns the ids of the checks that find something.
  private func found(_ context: CheckContext) -> Set<String> {
    let runner = CheckRunner(profiles: [], today: "2026-11-28")
    return Set(runner.report(on: context, name: "ad", folder: "ad").findings.map(\.check))
  }

  private func numbered(_ events: [Event]) -> [Event] {
    events.enumerated().map { Event(seq: $0, t: $1.t, source: $1.source, name: $1.name, detail: $1.detail) }
  }

  @Test func whatOnlyTheOtherRenderSawIsFound() {
    var context = CheckContext.made()
    #expect(!found(context).contains("open-without-gesture"))
    context.addUnsteered(numbered([event(.host, "load"), call("open", "https://a.example/")]), late: nil)
    #expect(found(context).contains("open-without-gesture"))
    let report = CheckRunner(profiles: [], today: "2026-11-28").report(on: context, name: "ad", folder: "ad")
    let finding = report.findings.first { $0.check == "open-without-gesture" }
    // Its number is of another log.
    #expect(finding?.event == nil && finding?.message.contains("after loading without its scenario") == true)
    #expect(report.status == .failed)
  }

  @Test func whatCameLateIsJudgedAsLate() {
    var context = CheckContext.made()
    let watch = LateWatch(firstEvent: 1, from: 100, until: 60_000)
    context.addUnsteered(numbered([event(.host, "load"), call("open", "https://a.example/")]), late: watch)
    let ids = found(context)
    #expect(ids.contains("late-behaviour") && !ids.contains("open-without-gesture"))
  }

  @Test func aGoodAdStaysGood() {
    var context = CheckContext.made()
    let before = found(context)
    context.addUnsteered(numbered([event(.host, "load"), event(.page, "loadFinished")]), late: nil)
    #expect(found(context) == before)
  }
}
