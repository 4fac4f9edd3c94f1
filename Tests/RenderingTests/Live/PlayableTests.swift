import Core
import Engine
import Foundation
import MRAID
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A playable in its network's host")
  struct PlayableTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Creatives/playable")

    /// Names of the samples, right ones and wrong ones.
    static let samples = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { FileManager.default.fileExists(atPath: folder.appendingPathComponent("\($0)/scenario.yaml").path) }
      .sorted()

    private static func host(_ name: String) throws -> ContainerProfile {
      try #require(ContainerCatalogue.standard.container(named: name))
    }

    @EngineActor private func render(_ html: String, in host: String, steps: String) async throws -> RenderedCreative {
      var options = TestRender.Options(placement: Placement(kind: .interstitial), scenario: steps)
      options.container = try Self.host(host)
      return try await TestRender.shared.render(html: html, options)
    }

    @Test func everyHostHasARightSampleAndAWrongOne() {
      let hosts = ContainerCatalogue.standard.containers.filter(\.isForPlayables)
      for host in hosts.map(\.name) {
        #expect(Self.samples.contains(host))
        #expect(Self.samples.contains { $0.hasPrefix("\(host)-") }, "\(host)")
      }
    }

    @Test("logs what the sample's scenario expects", arguments: samples)
    @EngineActor func sample(name: String) async throws {
      let folder = Self.folder.appendingPathComponent(name)
      let scenario = try String(contentsOf: folder.appendingPathComponent("scenario.yaml"), encoding: .utf8)
      let line = try #require(scenario.split(separator: "\n").first)
      let host = line.replacing("# Rendered with --container ", with: "").dropLast()
      var options = TestRender.Options(isolation: .process, network: NetworkPolicy(.none), scenario: scenario)
      options.container = try Self.host(String(host))
      let renderer = TestRender(extensionDirectory: WebExtension.folder)
      let result = try await renderer.render(path: folder.path, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(!result.names.contains { $0.hasPrefix("mraid/") })
      if host == name { #expect(!result.names.contains("page/exception")) }
    }

    @Test("the store counts as a click that leaves the app")
    @EngineActor func store() async throws {
      let html = "<!doctype html><body><button id=go onclick='FbPlayableAd.onCTAClick()'>Go</button>"
      let steps = """
        - tap: "#go"
        - wait: {event: playable/storeOpened}
        - wait: {event: ad/adDidLeaveApp}
        - expect: {events: [{name: ad/adWasClicked, count: 1}]}
        """
      let result = try await render(html, in: "meta", steps: steps)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test("there is no mraid, and no answer for mraid.js")
    @EngineActor func withoutMRAID() async throws {
      let html = """
        <!doctype html><script src="mraid.js" onerror="console.log('no mraid.js')"></script>
        <script>console.log(typeof mraid, typeof MRAID_ENV, typeof FbPlayableAd, typeof ExitApi)</script>
        """
      let result = try await render(html, in: "meta", steps: "- wait: 0.1")
      #expect(result.console == ["no mraid.js", "undefined undefined object undefined"])
    }

    @Test("the network's script is answered on its own host, with the network off")
    @EngineActor func script() async throws {
      let html = """
        <!doctype html>
        <script src="https://tpc.googlesyndication.com/pagead/gadgets/html5/api/exitapi.js"
          onload="console.log('loaded')"></script><script>console.log(typeof ExitApi.exit)</script>
        """
      var options = TestRender.Options(
        placement: Placement(kind: .interstitial), isolation: .process, network: NetworkPolicy(.none),
        scenario: "- wait: 0.1")
      options.container = try Self.host("app-campaigns")
      let renderer = TestRender(extensionDirectory: WebExtension.folder)
      let result = try await renderer.render(html: html, options)
      #expect(result.console == ["loaded", "function"])
    }

    @Test("background and volume reach a page that speaks dapi")
    @EngineActor func moments() async throws {
      let html = """
        <!doctype html><body style="background:#ccc"><script>
        for (const name of ["viewableChange", "audioVolumeChange"]) {
          dapi.addEventListener(name, (value) => console.log(name + " " + JSON.stringify(value)));
        }
        </script>
        """
      let steps = """
        - wait: {event: playable/sent, count: 2}
        - background
        - foreground
        - volume: 0
        - wait: {event: playable/sent, count: 5}
        """
      let result = try await render(html, in: "dapi", steps: steps)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let lines = [
        #"viewableChange {"isViewable":true}"#, #"viewableChange {"isViewable":false}"#,
        #"viewableChange {"isViewable":true}"#, "audioVolumeChange 0",
      ]
      #expect(result.console == lines)
    }

    @Test("a call names the address that it carries")
    @EngineActor func address() async throws {
      let html = """
        <!doctype html><button id=go onclick='NUC.trigger.convert("https://store.example/a")'>Go</button>
        """
      let steps = """
        - tap: "#go"
        - wait: {event: playable/storeOpened}
        - expect: {events: [{name: playable/storeOpened, detail: {url: "https://store.example/a", gesture: true}}]}
        """
      let result = try await render(html, in: "nucleo", steps: steps)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }
  }
}
