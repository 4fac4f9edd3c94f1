import Checks
import Core
import Exploration
import MRAID
import RenderModel

extension CheckCase {
  private static let size: JSONValue = ["width": 300, "height": 250, "offsetX": 0, "offsetY": 0]
  private static let asked = event(.network, "resource", ["url": "creative://ad/mraid.js", "status": 200])

  static let mraid: [CheckCase] = [
    CheckCase(
      "premature-call",
      trips: .made([call("expand", state: "loading"), event(.mraid, "premature", ["command": "expand"])]),
      passes: .made([call("expand", gesture: true)])),
    CheckCase(
      "premature-call", trips: .made([call("isViewable", state: "loading")]),
      passes: .made([
        call("getState", state: "loading"), call("addEventListener", "ready", state: "loading"),
        call("supports", "sms", state: "loading"), call("isViewable"),
      ])),
    CheckCase(
      "premature-call", trips: .made([call("useCustomClose", true, state: "loading")]),
      passes: .made([
        call("initVpaid", state: "loading"), call("unload", state: "loading"), call("useCustomClose", true),
      ])),
    CheckCase(
      "ignored-call",
      trips: .made([
        call("expand"), event(.mraid, "ignored", ["command": "expand", "reason": "an interstitial can't"]),
      ]),
      passes: .made([call("expand", gesture: true)])),
    CheckCase(
      "rejected-resize",
      trips: .made([call("setResizeProperties", size), event(.mraid, "error", ["arguments": ["too small", "resize"]])]),
      passes: .made([
        call("setResizeProperties", size),
        event(.mraid, "error", ["arguments": ["no calendar", "createCalendarEvent"]]),
      ])),
    CheckCase(
      "resize-without-properties", trips: .made([call("resize")]),
      passes: .made([call("setResizeProperties", size), call("resize")])),
    CheckCase(
      "resize-without-allow-offscreen", trips: .made([call("setResizeProperties", size)]),
      passes: .made([call("setResizeProperties", ["width": 300, "allowOffscreen": true])])),
    CheckCase(
      "host-error",
      trips: .made([call("storePicture"), event(.mraid, "error", ["arguments": ["not supported", "storePicture"]])]),
      passes: .made([call("resize"), event(.mraid, "error", ["arguments": ["too small", "resize"]])])),
    CheckCase(
      "missing-mraid-script", trips: .made([call("getState")]), passes: .made([asked, call("getState")])),
    CheckCase(
      "bundled-mraid-script", trips: .made(files: [.document(""), .init(path: "lib/mraid.js", text: "")]),
      passes: .made(files: [.document(""), .init(path: "lib/mraid-helper.js", text: "")])),
    CheckCase(
      "ready-without-state", trips: .made([call("addEventListener", "ready")], files: [.document("")]),
      passes: .made([call("getState"), call("addEventListener", "ready")], files: [.document("")])),
    CheckCase(
      "exposure-only", trips: .made([call("addEventListener", "exposureChange")]),
      passes: .made([call("addEventListener", "exposureChange"), call("isViewable")])),
    CheckCase(
      "skipped-listener",
      trips: .made([
        call("addEventListener", "ready"),
        event(.creative, "removeEventListener", ["arguments": ["ready"], "skips": true]),
      ]),
      passes: .made([call("addEventListener", "ready"), call("removeEventListener", "ready")])),
    CheckCase(
      "non-standard-method",
      trips: .made([call("getState")], files: [.document("<script>mraid.getSize();</script>")]),
      passes: .made(
        [call("getState")],
        files: [
          .document("<script>if (mraid.getSize) mraid.getSize();\n// mraid.isReady()\nmraid.getMaxSize();</script>")
        ])),
    CheckCase(
      "native-message-handler",
      trips: .made(files: [.document("<script>webkit.messageHandlers.app.postMessage(1)</script>")]),
      passes: .made(files: [.document("<script>/* webkit.messageHandlers */ window.postMessage(1)</script>")])),
    CheckCase(
      "ignored-custom-close", trips: .made([call("useCustomClose", true)]),
      passes: .made([call("useCustomClose", false), call("setExpandProperties", ["width": 320])])),
    CheckCase(
      "two-part-expand", trips: .made([call("expand", "two.html", gesture: true)]),
      passes: .made([call("expand", gesture: true), call("expand", "", gesture: true)])),
    CheckCase(
      "overwritten-global", trips: .made(files: [.document("<script>window.setTimeout = later;</script>")]),
      passes: .made(files: [
        .document(
          "<script>window.setTimeout == x; window.mraid = window.mraid || {}; if (!window.Promise) window.Promise = P;"
            + " var m = window.mraid; mraid.mine = 1;</script>")
      ])),
    CheckCase(
      "overwritten-global", trips: .made(files: [.document("<script>mraid.open = function (url) {};</script>")]),
      passes: .made(files: [.document("<script>if (mraid.open === undefined) start(); x = mraid.open;</script>")])),
    CheckCase(
      "overwritten-global",
      trips: .made(files: [.document("<script>ready || (ready = 1); window.JSON = mine;</script>")]),
      passes: .made(files: [
        .document(
          "<script>window.JSON || (window.JSON = mine); \"Promise\" in window || (self.Promise = Later);"
            + "void 0 === window.queueMicrotask && (window.queueMicrotask = soon);"
            + "mraid.open || (mraid.open = leave);"
            + "if (window.requestAnimationFrame === undefined) { window.requestAnimationFrame = slow; }"
            + "typeof window.setTimeout != 'function' && (window.setTimeout = never)</script>")
      ])),
    CheckCase(
      "early-geometry", trips: .made([call("getMaxSize", state: "loading"), call("getMaxSize")]),
      passes: .made([call("getState", state: "loading"), call("getMaxSize")])),
    CheckCase(
      "stale-geometry", trips: .made([call("getMaxSize")], files: [.document("<p>resize</p>")]),
      passes: .made([call("addEventListener", "sizeChange"), call("getMaxSize")], files: [.document("")])),
    CheckCase(
      "stale-geometry", trips: .made([call("getScreenSize")], files: [.document("")]),
      passes: .made([call("getScreenSize")], files: [.document("<script>onresize = lay</script>")])),
    CheckCase(
      "needless-orientation-lock",
      trips: .made([call("setOrientationProperties", ["allowOrientationChange": false])]),
      passes: .made([
        call("setOrientationProperties", ["allowOrientationChange": false, "forceOrientation": "landscape"]),
        call("expand"),
      ])),
    CheckCase(
      "needless-orientation-lock",
      trips: .made(
        [call("setOrientationProperties", ["forceOrientation": "portrait"])], explored: ExploredStates()),
      passes: .made(
        [call("setOrientationProperties", ["allowOrientationChange": true, "forceOrientation": "none"])],
        explored: ExploredStates())),
  ]
}

extension CheckCase {
  private static let tap = event(.input, "tap", ["x": 1, "y": 1])
  private static func page(playing: Bool, audible: Bool) -> PageAudit {
    let video = MediaElement(selector: "video#film", isPlaying: playing, isAudible: audible)
    return PageAudit(
      state: .default, t: 0, screenshot: "001-default", width: 300, height: 250, document: DocumentAudit(media: [video])
    )
  }

  private static func covered(_ reach: TapTarget.Reach) -> ExploredStates {
    ExploredStates(states: [
      PageSnapshot(
        moment: "start", state: .default,
        targets: [
          TapTarget(selector: "#cta", element: "#cta", reasons: ["link"], reach: reach, coveredBy: "#veil")
        ])
    ])
  }

  static let behaviour: [CheckCase] = [
    CheckCase(
      "no-clickthrough", trips: .made(explored: ExploredStates()),
      passes: .made(
        explored: ExploredStates(), tried: [Journey(action: "tap #go", events: [call("open", "https://a.example/")])])),
    CheckCase(
      "clickthrough-not-reached", trips: .made(explored: ExploredStates(isComplete: false, actions: 60)),
      passes: .made(explored: ExploredStates(actions: 4))),
    CheckCase(
      "dead-clickthrough",
      trips: .made([
        tap, event(.page, "popup", ["url": "javascript:void(0)", "gesture": true, "allowed": false]),
      ]),
      passes: .made([tap, call("open", "https://a.example/", gesture: true)])),
    CheckCase(
      "covered-target", trips: .made(explored: covered(.covered)), passes: .made(explored: covered(.tappable))),
    CheckCase(
      "missing-click-tag",
      trips: .made(
        [tap, call("open", "https://b.example/", gesture: true)],
        files: [.document("<script>var clickTag = 'https://a.example/'</script>")],
        profiles: [.network("missing-click-tag")]),
      passes: .made(
        [tap, call("open", "https://t.example/?to=https%3A%2F%2Fa.example", gesture: true)],
        files: [.document("<script>var clickTag = 'https://a.example/'</script>")],
        profiles: [.network("missing-click-tag")])),
    CheckCase(
      "click-without-open",
      trips: .made([
        call("getState"), tap, event(.page, "popup", ["url": "https://a.example/", "gesture": true, "allowed": false]),
      ]),
      passes: .made([call("getState"), tap, call("open", "https://a.example/", gesture: true)])),
    CheckCase(
      "missing-click-tag",
      trips: .made(files: [.document("<a href='https://a.example/'>")], profiles: [.network("missing-click-tag")]),
      passes: .made(files: [.document("<script>var clickTag = ''</script>")], profiles: [.network("missing-click-tag")])
    ),
    CheckCase(
      "dead-tap",
      trips: .made(
        explored: ExploredStates(anomalies: [.init(.deadTap, "the tap had no effect", state: 1, action: "tap #go")])),
      passes: .made(explored: ExploredStates(anomalies: [.init(.exception, "no")]))),
    CheckCase(
      "other-system-link",
      trips: .made([call("open", "market://details?id=a", gesture: true)]) { $0.record.device.system = .ios },
      passes: .made([call("open", "market://details?id=a", gesture: true)]) { $0.record.device.system = .android }),
    CheckCase(
      "other-system-link",
      trips: .made([call("open", "https://play.google.com/store/apps/details?id=a")]) {
        $0.record.device.system = .ios
      },
      passes: .made([call("open", "https://apps.apple.com/app/id1")]) { $0.record.device.system = .desktop }),
    CheckCase(
      "other-system-link",
      trips: .made(files: [.document("<a href='itms-apps://a.example/app'>Get</a>")]) {
        $0.record.device.system = .android
      },
      passes: .made(
        files: [.document("<script>open(/iPhone/.test(navigator.userAgent) ? 'itms-apps://a' : 'market://a')</script>")]
      ) { $0.record.device.system = .android }),
    CheckCase(
      "expand-without-gesture", trips: .made([call("expand")]),
      passes: .made([call("expand", gesture: true), tap, call("resize")])),
    CheckCase(
      "self-removal", trips: .made([call("unload")]),
      passes: .made([call("close"), tap, call("close", gesture: true), call("unload")])),
    CheckCase(
      "media-before-viewable",
      trips: .made([call("getState")], resources: []) {
        $0.measurements?.beforeShown = EarlyPlayback(media: 1, animations: 0)
      },
      passes: .made([call("getState")], resources: []) {
        $0.measurements?.beforeShown = EarlyPlayback(media: 0, animations: 2)
      }),
    CheckCase(
      "audible-start", trips: .made(resources: []) { $0.measurements?.pages = [page(playing: true, audible: true)] },
      passes: .made(resources: []) { $0.measurements?.pages = [page(playing: true, audible: false)] }),
    CheckCase(
      "state-not-restored",
      trips: .made(explored: ExploredStates(anomalies: [.init(.journeyChanged, "rotate ended in 2 expanded")])),
      passes: .made(explored: ExploredStates())),
  ]

  private static func closing(_ closes: Bool) -> ExploredStates {
    ExploredStates(states: [
      PageSnapshot(
        moment: "start", state: .default,
        targets: [TapTarget(selector: "#x", element: "div#x", reasons: [], closes: closes)])
    ])
  }

  static let close: [CheckCase] = [
    CheckCase(
      "covered-close",
      trips: .made(explored: ExploredStates(anomalies: [.init(.closeCovered, "div#x is covered by div#veil")])),
      passes: .made(explored: ExploredStates())),
    CheckCase(
      "under-close-control",
      trips: .made(explored: ExploredStates(anomalies: [.init(.underClose, "a#more lies under it")])),
      passes: .made(explored: ExploredStates())),
    CheckCase(
      "no-way-out",
      trips: .made(explored: ExploredStates(anomalies: [.init(.noWayOut, "nothing leaves it", state: 2)])),
      passes: .made(explored: ExploredStates())),
    CheckCase(
      "custom-close-missing", trips: .made([call("useCustomClose", true)], files: [.document("<b>X</b>")]),
      passes: .made(
        [call("useCustomClose", true)], files: [.document("<script>x.onclick = () => mraid.close()</script>")])),
    CheckCase("custom-close-button", trips: .made(explored: closing(true)), passes: .made(explored: closing(false))),
  ]
}
