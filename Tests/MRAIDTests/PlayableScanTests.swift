import Foundation
import Testing

@testable import MRAID

/// Networks found in the code of builds.
@Suite struct PlayableScanTests {
  private func networks(_ texts: String...) -> [String: [String]] {
    var scan = PlayableScan()
    for text in texts {
      if text.hasPrefix("<") { scan.read(page: Array(text.utf8)) } else { scan.read(script: Array(text.utf8)) }
    }
    return Dictionary(uniqueKeysWithValues: scan.networks.map { ($0.container, $0.calls) })
  }

  @Test(arguments: [
    ("FbPlayableAd.onCTAClick()", "meta"), ("window.FbPlayableAd?.onCTAClick()", "meta"),
    ("window[\"FbPlayableAd\"][\"onCTAClick\"]()", "meta"), ("window.ExitApi&&ExitApi.exit()", "app-campaigns"),
    ("parent.postMessage('download','*')", "vungle"), ("dapi.openStoreUrl()", "dapi"), ("TJ_API.click()", "tapjoy"),
    ("smxTracking.redirect()", "smadex"), ("NUC.trigger.convert(a)", "nucleo"),
    ("window.gameReady();window.install&&window.install()", "mintegral"),
  ])
  func aStoreCallNamesItsNetwork(code: String, network: String) { #expect(networks(code).keys.sorted() == [network]) }

  @Test func tiktokAndPangleShareACall() {
    #expect(networks("window.openAppStore()").keys.sorted() == ["pangle", "tiktok"])
    #expect(networks("playableSDK.openAppStore()") == ["tiktok": ["playableSDK.openAppStore"]])
  }

  @Test(arguments: [
    "", "mraid.open('https://a.example/')", "self.addEventListener('install', go)", "a.install(); b.download()",
    "gameReady(); gameEnd()", "myFbPlayableAd.onCTAClicked()", "postMessage(x); download()",
    "TJ_API.objectiveComplete()", "say('FbPlayableAd.onCTAClick()')", "/* ExitApi.exit() */ go() // TJ_API.click()",
    "<p>FbPlayableAd.onCTAClick()</p>", "<!-- <script>ExitApi.exit()</script> -->",
    "<script type='text/plain'>dapi.openStoreUrl()</script>",
    "function openAppStore() {}", "var a = { openAppStore() { go() } }",
  ])
  func otherCodeNamesNone(code: String) { #expect(networks(code) == [:]) }

  @Test func callsMayBeInSeveralFiles() {
    let found = networks("gameReady()", "<script>install()</script>", "gameEnd()")
    #expect(found == ["mintegral": ["gameEnd", "gameReady", "install"]])
  }

  @Test func aBuildForAllNetworksNamesThemAll() {
    let code = "FbPlayableAd.onCTAClick();ExitApi.exit();dapi.openStoreUrl();install();gameReady()"
    #expect(networks(code).keys.sorted() == ["app-campaigns", "dapi", "meta", "mintegral"])
  }

  @Test(arguments: [
    "<button onclick=\"FbPlayableAd.onCTAClick()\">", "<a href='javascript:FbPlayableAd.onCTAClick()'>",
    "<script>b.innerHTML = '<a onclick=\\'FbPlayableAd.onCTAClick()\\'>'</script>",
    "eval('FbPlayableAd.onCTAClick();\\n//# sourceURL=a.js')", "setTimeout(\"FbPlayableAd.onCTAClick()\", 10)",
    "b.setAttribute('onclick', 'FbPlayableAd.onCTAClick()')", "go(`${FbPlayableAd.onCTAClick()}`)",
    "a = b / FbPlayableAd.onCTAClick() / c", "if (a) /['\"]/.test(b); FbPlayableAd.onCTAClick()",
    "a = (b) / 2; c = 'd/'; FbPlayableAd.onCTAClick()", "a = /['\"]/.test(b); FbPlayableAd.onCTAClick()",
  ])
  func codeMayStandInHandlersAndTextsThatRun(code: String) { #expect(networks(code).keys.sorted() == ["meta"]) }
}
