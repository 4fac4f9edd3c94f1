import Jobs
import MRAID
import Stage
import Testing
import Workers

@testable import galley

@Suite struct OutputTests {
  private let plain = Palette(isTerminal: false, environment: [:])

  @Test func alignsRowsAndPutsFaultsBelow() {
    let rows = [
      ResultRow(name: "expand", record: .fake(states: [.default, .expanded, .default])),
      ResultRow(name: "a", record: .fake(.failed, .creative("no-index", "folder has no index.html"))),
    ]
    let table = ResultTable(palette: plain, rows: rows)
    #expect(
      rows.map(table.text).joined() == """
        expand  completed  default → expanded → default  0 pictures   412 ms
        a       failed     –                             0 pictures   412 ms
          error: creative: folder has no index.html [no-index]

        """)
  }

  @Test(arguments: [(0, "0 ms"), (412.4, "412 ms"), (9999, "9999 ms"), (12_340, "12.3 s")])
  func writesTimes(milliseconds: Double, expected: String) {
    #expect(ResultRow.time(milliseconds: milliseconds) == expected)
  }

  @Test func keepsACreativesTextFromSteeringTheTerminal() {
    let row = ResultRow(name: "a\u{1B}[2J", record: .fake(.failed, .creative("x", "one\ntwo\u{9B}")))
    #expect(row.name == "a [2J")
    #expect(row.fault == "error: creative: one two  [x]")
  }

  @Test func coloursOnlyForTerminalsThatWantIt() {
    let terminal = ["TERM": "xterm"]
    #expect(Palette(isTerminal: true, environment: terminal).text("ok", for: .completed) == "\u{1B}[32mok\u{1B}[0m")
    #expect(plain.text("ok", for: .completed) == "ok")
    #expect(!Palette(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": "1"]).isEnabled)
    #expect(Palette(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": ""]).isEnabled)
    #expect(!Palette(isTerminal: true, environment: ["TERM": "dumb"]).isEnabled)
    #expect(!Palette(isTerminal: false, environment: terminal).isEnabled)
  }

  @Test func redrawsALineForEachRunningCreative() {
    var live = LiveLines(names: ["one", "two"], total: 2)
    _ = live.take(.started(job: 0, attempt: 1))
    let first = live.redraw(width: 80)
    #expect(first == "  one  starting\n0 of 2 done\n")
    let changes = [live.take(.progress(job: 0, phase: "load")), live.take(.progress(job: 0, phase: "load"))]
    #expect(changes == [true, false])
    let narrow = live.redraw(width: 8)
    #expect(narrow == "\u{1B}[2A\r\u{1B}[J  one  …\n0 of 2 …\n")
    _ = live.take(.finished(job: 0, record: .fake()))
    let last = live.redraw(width: 80)
    #expect(last == "\u{1B}[2A\r\u{1B}[J1 of 2 done\n")
    let erased = [live.erase(), live.erase()]
    #expect(erased == ["\u{1B}[1A\r\u{1B}[J", ""])
  }

  @Test func listsDevicesInColumns() {
    let device = Device(
      name: "iphone-15", screen: Size(width: 393, height: 852), scale: 3, safeArea: Insets(top: 59, bottom: 34),
      touch: true, userAgent: "", platform: "")
    let desktop = Device(
      name: "desktop", screen: Size(width: 1440, height: 900), scale: 1.5, touch: false, userAgent: "", platform: "")
    #expect(
      DeviceTable(devices: [device, desktop]).text == """
        NAME       SCREEN    SCALE  SAFE AREA  TOUCH
        iphone-15  393x852   3      59 0 34 0  yes
        desktop    1440x900  1.5    –          no

        """)
  }
}
