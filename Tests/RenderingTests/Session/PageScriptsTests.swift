import Stage
import Testing

@testable import Rendering

@Suite("The scripts a page starts with")
struct PageScriptsTests {
  private let device = DeviceCatalogue.standard.devices[0]

  @Test("have secrets of their own each render")
  func secrets() {
    let scripts = (0..<20).map { _ in PageScripts(device: device) }
    #expect(Set(scripts.flatMap { [$0.channel, $0.task] }).count == 40)
    #expect(
      scripts.allSatisfy {
        $0.channel.count > 12 && $0.channel.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      })
  }

  @Test("have every placeholder filled")
  func filled() {
    for script in PageScripts(device: device, isStepped: true).everyFrame { #expect(!script.contains("__GALLEY_")) }
  }

  @Test("show an address in the browser's page without letting it become markup")
  func browserPage() {
    let page = PageScripts.browserPage(
      what: "Opens", url: #"https://x.example/"><script>alert(1)</script>&"#, note: "n")
    let html = String(decoding: page, as: UTF8.self)
    #expect(!html.contains("<script>"))
    #expect(html.contains("https://x.example/&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;"))
    #expect(!html.contains("__GALLEY_"))
  }
}
