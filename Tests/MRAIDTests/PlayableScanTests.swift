import Foundation
import Testing

@testable import MRAID

/// Networks found in the code of builds.
@Suite struct PlayableScanTests {
  private func networks(_ texts: String...) -> [String: [String]] {
    var scan = PlayableScan()
    for text in texts { scan.read(Array(text.utf8)) }
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
    #expect(networks("playableSDK.openAppStore()")["tiktok"] == ["openAppStore", "playableSDK.openAppStore"])
  }

  @Test(arguments: [
    "", "mraid.open('https://a.example/')", "self.addEventListener('install', go)", "a.install(); b.download()",
    "gameReady(); gameEnd()", "myFbPlayableAd.onCTAClicked()", "postMessage(x); download()",
    "TJ_API.objectiveComplete()",
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
}
