import Checks
internal import Core
import RenderModel

extension CheckCase {
  /// 100 bytes at 0, 700, 950 and 1200 ms: on either side of each boundary.
  private static let loads = [0.0, 700, 950, 1200].map { resource("creative://ad/\($0.plain).png", start: $0) }

  private static func load(_ id: String, over limit: Double, within enough: Double) -> CheckCase {
    CheckCase(
      id, trips: .made(resources: loads, profiles: [.network(id, limit: limit)]),
      passes: .made(resources: loads, profiles: [.network(id, limit: enough)]))
  }

  static let weight: [CheckCase] = [
    load("initial-weight", over: 299, within: 300), load("subload-weight", over: 99, within: 100),
    load("initial-weight-dom", over: 99, within: 100), load("subload-weight-dom", over: 299, within: 300),
    load("initial-weight-dom-second", over: 399, within: 400),
    CheckCase(
      "subload-weight-dom-second",
      trips: .made(
        resources: [resource("creative://ad/late.png", start: 1600)],
        profiles: [.network("subload-weight-dom-second", limit: 99)]),
      passes: .made(resources: loads, profiles: [.network("subload-weight-dom-second", limit: 0)])),
    load("initial-weight-complete", over: 199, within: 200), load("subload-weight-complete", over: 199, within: 200),
    load("total-weight", over: 399, within: 400),
    CheckCase(
      "resource-weight", trips: .made(resources: [loads[0]], profiles: [.network("resource-weight", limit: 99)]),
      passes: .made(resources: loads, profiles: [.network("resource-weight", limit: 100)])),
    CheckCase(
      "delivered-weight",
      trips: .made(
        files: [.init(path: "index.html", bytes: 9)], kind: "zip", packed: 601, name: "ad.zip",
        profiles: [.network("delivered-weight", limit: 600)]),
      passes: .made(
        files: [.init(path: "index.html", bytes: 601)], kind: "zip", packed: 600, name: "ad.zip",
        profiles: [.network("delivered-weight", limit: 600)])),
    CheckCase(
      "uncompressed-text", trips: script(.init(name: "Server", value: "s")),
      passes: script(.init(name: "Content-Encoding", value: "br"))),
    CheckCase(
      "adchoices-weight",
      trips: .made(
        resources: [resource("https://c.example/AdChoices.png", bytes: 6000)],
        profiles: [.network("adchoices-weight", limit: 5000)]),
      passes: .made(
        resources: [resource("https://c.example/adchoices.png", bytes: 400)],
        profiles: [.network("adchoices-weight", limit: 5000)])),
  ]

  private static func script(_ headers: MeasuredResource.Header...) -> CheckContext {
    .made(
      resources: [
        resource("https://a.example/a.js", type: "text/javascript", bytes: 9_000, headers: headers),
        resource("https://a.example/a.png", bytes: 9_000, headers: headers),
      ], profiles: [.network("cookie-count", limit: 1)])
  }

  private static let three = [
    Inventory.File.document(""), .init(path: "a.png", bytes: 1), .init(path: "mraid.js", text: ""),
  ]

  /// Evidence with requests before the window's load event, of a render without measurements.
  private static func logged(_ urls: String...) -> CheckContext {
    .made(
      urls.map { event(.network, "resource", ["url": .string($0), "status": 200]) } + [event(.page, "loadFinished")],
      profiles: [.network("initial-requests", limit: 1)])
  }

  static let requests: [CheckCase] = [
    load("initial-requests", over: 2, within: 3), load("total-requests", over: 3, within: 4),
    CheckCase(
      "initial-requests", trips: logged("creative://ad/a.png", "creative://ad/b.png"),
      passes: logged("creative://ad/a.png", "data:image/png;base64,iVBORw0KGgo=")),
    CheckCase(
      "cookie-count",
      trips: script(.init(name: "Set-Cookie", value: "a=1"), .init(name: "set-cookie", value: "b=2; path=/")),
      passes: script(.init(name: "Set-Cookie", value: "a=1"), .init(name: "Set-Cookie", value: "a=2"))),
    CheckCase(
      "file-count", trips: .made(files: three, profiles: [.network("file-count", limit: 2)]),
      passes: .made(files: three, profiles: [.network("file-count", limit: 3)])),
    CheckCase(
      "single-file", trips: .made(files: three, profiles: [.network("single-file", limit: 1)]),
      passes: .made(files: [three[0], three[2]], profiles: [.network("single-file", limit: 1)])),
    CheckCase(
      "external-request",
      trips: .made(
        [event(.page, "socket", ["url": "wss://a.example/live?n=1"])],
        profiles: [.network("external-request", except: ["fonts.example"])]),
      passes: .made(
        [event(.page, "socket", ["url": "wss://live.fonts.example/"])],
        profiles: [.network("external-request", except: ["fonts.example"])])),
    CheckCase(
      "external-request",
      trips: .made(
        resources: [resource("https://evilfonts.example/a.woff")],
        profiles: [.network("external-request", except: ["fonts.example"])]),
      passes: .made(
        resources: [resource("https://cdn.fonts.example/a.woff")],
        profiles: [.network("external-request", except: ["fonts.example"])])),
    CheckCase(
      "bundle-name",
      trips: .made(files: three, kind: "zip", name: "summer.zip", profiles: [.network("bundle-name", limit: 9)]),
      passes: .made(files: three, kind: "zip", name: "summer.zip", profiles: [.network("bundle-name", limit: 10)])),
    CheckCase(
      "missing-orientation-meta", trips: .made(files: three, profiles: [.network("missing-orientation-meta")]),
      passes: .made(
        files: [.document("<meta name='ad.orientation' content='portrait'>")],
        profiles: [.network("missing-orientation-meta")])),
    CheckCase(
      "media",
      trips: .made(
        resources: [resource("creative://ad/a.webm", type: "video/webm")], profiles: [.network("media")]),
      passes: .made(
        resources: [resource("creative://ad/a.gif", type: "image/gif")], profiles: [.network("media")])),
  ]
}
