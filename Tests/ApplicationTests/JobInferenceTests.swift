import Core
import Creatives
import Device
import MRAID
import RenderModel
import TestFolders
import Testing

@testable import Application

@Suite("What a creative is for")
struct JobInferenceTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func job(
    _ name: String, _ html: String, wish: PlacementRequest = PlacementRequest(), device: String? = nil,
    scenario: Scenario? = nil, orientation: AppOrientation? = nil, container: ContainerProfile? = nil
  ) throws -> RenderJob {
    let path = try folder.write(name, html)
    let phone = try #require(DeviceCatalogue.standard.device(named: device ?? DeviceCatalogue.defaultName))
    let template = JobTemplate(
      device: phone, orientation: orientation, wish: wish, container: container, limits: Limits(),
      options: RenderOptions(), infersDevice: device == nil)
    let creative = CreativeReference(argument: path, path: path, name: name)
    return template.job(0, creative, output: "/out", scenario: scenario)
  }

  @Test(
    "is a device with room for it, by what it says, its name or its styles",
    arguments: [
      ("a_970x250.html", "<p>", "desktop"), ("a_728x90.html", "<p>", "desktop"), ("a_300x600.html", "<p>", "iphone-15"),
      ("a_728x90.html", "<script src='mraid.js'></script>", "ipad-10"), ("a_768x1024.html", "<p>", "ipad-10"),
      ("a_300x1050.html", "<p>", "ipad-10"), ("a_1600x900.html", "<p>", "desktop-hd"),
      ("a.html", "<meta name='ad.size' content='width=970,height=90'>", "desktop"),
      ("a.html", "<body style='width:970px;height:250px'>", "desktop"), ("a_414x736.html", "<p>", "iphone-15-pro-max"),
    ])
  func device(name: String, html: String, device: String) throws {
    let job = try job(name, html)
    #expect(job.device.name == device)
    #expect((job.assumptions?.map(\.what) ?? []) == (device == "iphone-15" ? [] : [.device]))
    #expect(job.placement.kind == .banner)
  }

  @Test("stays the caller's where the caller names it")
  func named() throws {
    let job = try job("a_970x250.html", "<p>", device: "pixel-8")
    #expect(job.device.name == "pixel-8" && job.assumptions == nil)
    #expect(try self.job("playable.html", "<p>", wish: PlacementRequest(kind: .banner)).placement.kind == .banner)
    #expect(try self.job("playable.html", "<p>", device: "pixel-8").placement.kind == .interstitial)
    let shown = try ScenarioParser.parse("placement: banner\nsteps: []", source: "a")
    #expect(try self.job("playable.html", "<p>", scenario: shown).placement.kind == .banner)
  }

  @Test("is a turned phone for a size of a screen that lies")
  func turned() throws {
    let job = try job("a_480x320.html", "<p>")
    #expect(job.device.name == "iphone-15" && job.orientation == .landscape)
    #expect(job.assumptions?.map(\.text) == ["orientation landscape assumed, because 480x320 fits only a turned phone"])
  }

  @Test("is a turned phone for an ad of the whole screen in landscape only, whoever chose the placement")
  func landscape() throws {
    let html = "<meta name='ad.orientation' content='landscape'>"
    let whole = PlacementRequest(kind: .interstitial)
    let assumed = Assumption(.orientation, "landscape", because: "ad.orientation sets it")
    for job in [
      try job("a.html", html, wish: whole), try job("a.html", html, device: "pixel-8"),
      try job("a.html", html, container: ContainerCatalogue.standard.container(named: "app-campaigns")),
    ] {
      #expect(job.placement.kind == .interstitial && job.orientation == .landscape)
      #expect(job.assumptions?.last == assumed)
    }
    let both = "<meta name='ad.orientation' content='portrait,landscape'>"
    #expect(try job("a.html", both, wish: whole).orientation == nil)
    #expect(try job("a.html", html, wish: whole, orientation: .portrait).orientation == .portrait)
    #expect(try job("a.html", html, wish: whole, device: "desktop").orientation == nil)
    #expect(try job("a.html", html, wish: PlacementRequest(kind: .banner)).orientation == nil)
  }

  @Test(
    "is the whole screen where its name, its orientation or its code says so and nothing says a size",
    arguments: [
      ("summer-interstitial.html", "<p>", "its name contains interstitial"),
      ("a.html", "<meta name='ad.orientation' content='portrait'>", "ad.orientation sets the orientation"),
      ("a.html", "<style>canvas { width: 100%; height: 100vh }</style><canvas>", "its canvas fills the window"),
      (
        "a.html", "<canvas id=c></canvas><script>c.width = window.innerWidth; c.height = innerHeight</script>",
        "its canvas fills the window"
      ),
      ("a.html", "<script>FbPlayableAd.onCTAClick()</script>", "it calls FbPlayableAd.onCTAClick, as playable ads do"),
      ("a.html", "<script>TJ_API.click()</script>", "it calls TJ_API.click, as playable ads do"),
    ])
  func wholeScreen(name: String, html: String, because: String) throws {
    let job = try job(name, html)
    #expect(job.placement.kind == .interstitial)
    #expect(job.assumptions == [Assumption(.placement, "interstitial", because: because)])
  }

  @Test(
    "stays a banner where nothing says so",
    arguments: [
      ("a.html", "<p>"), ("a.html", "<style>canvas { width: 100% }</style><canvas>"),
      ("playable_320x50.html", "<p>"), ("a.html", "<script>if (innerWidth > 400) big()</script><canvas>"),
      ("a.html", "<script>mydapi.go(); var b = 'FbPlayableAd'</script>"),
      ("a.html", "<script>mraid.expand(); mraid.setOrientationProperties({})</script>"),
    ])
  func banner(name: String, html: String) throws {
    let job = try job(name, html)
    #expect(job.placement.kind == .banner && job.assumptions == nil)
  }
}
