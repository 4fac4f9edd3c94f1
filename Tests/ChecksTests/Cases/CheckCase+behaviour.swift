import Checks
import Exploration
import Jobs
import MRAID

extension CheckCase {
  private static let tap = event(.input, "tap", ["x": 1, "y": 1])
  private static func page(playing: Bool, audible: Bool) -> PageAudit {
    let film = MediaElement(selector: "video#film", isPlaying: playing, isAudible: audible)
    return PageAudit(
      state: .default, t: 0, picture: "001-default", width: 300, height: 250, document: DocumentAudit(media: [film]))
  }

  static let behaviour: [CheckCase] = [
    CheckCase(
      "no-clickthrough", trips: .made(explored: ExploredStates()),
      passes: .made(
        explored: ExploredStates(), tried: [Journey(action: "tap #go", events: [call("open", "https://a.example/")])])),
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
        explored: ExploredStates(oddities: [.init(.deadTap, "nothing came of it", state: 1, action: "tap #go")])),
      passes: .made(explored: ExploredStates(oddities: [.init(.exception, "no")]))),
    CheckCase(
      "unasked-expansion", trips: .made([call("expand")]),
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
      "lost-on-return",
      trips: .made(explored: ExploredStates(oddities: [.init(.journeyChanged, "rotate ended in 2 expanded")])),
      passes: .made(explored: ExploredStates())),
  ]

  private static func closing(_ closes: Bool) -> ExploredStates {
    ExploredStates(states: [
      Observation(
        moment: "start", state: .default,
        targets: [TapTarget(selector: "#x", element: "div#x", reasons: [], closes: closes)])
    ])
  }

  static let close: [CheckCase] = [
    CheckCase(
      "covered-close",
      trips: .made(explored: ExploredStates(oddities: [.init(.closeCovered, "div#x is covered by div#veil")])),
      passes: .made(explored: ExploredStates())),
    CheckCase(
      "under-close-control",
      trips: .made(explored: ExploredStates(oddities: [.init(.underClose, "a#more lies under it")])),
      passes: .made(explored: ExploredStates())),
    CheckCase(
      "no-way-out", trips: .made(explored: ExploredStates(oddities: [.init(.noWayOut, "nothing leaves it", state: 2)])),
      passes: .made(explored: ExploredStates())),
    CheckCase(
      "custom-close-missing", trips: .made([call("useCustomClose", true)], files: [.document("<b>X</b>")]),
      passes: .made(
        [call("useCustomClose", true)], files: [.document("<script>x.onclick = () => mraid.close()</script>")])),
    CheckCase("own-close", trips: .made(explored: closing(true)), passes: .made(explored: closing(false))),
  ]
}
