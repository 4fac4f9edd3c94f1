import Checks
import Jobs
import MRAID

extension CheckCase {
  private static func ended(_ outcome: RenderRecord.Outcome, _ fault: Fault, events: Bool = true) -> Evidence {
    .made {
      $0.record.outcome = outcome
      ($0.record.fault, $0.record.code, $0.record.message) = (fault.blame, fault.code, fault.message)
      if !events { $0.journeys = [] }
    }
  }
  private static func happening(
    _ id: String, _ source: Event.Source, _ name: String, _ detail: JSONValue, passes: JSONValue? = nil
  ) -> CheckCase {
    CheckCase(
      id, trips: .made([event(source, name, detail)]),
      passes: .made(passes.map { [event(source, name, $0)] } ?? [event(.page, "loadFinished")]))
  }
  private static func markup(_ id: String, trips: String, passes: String) -> CheckCase {
    CheckCase(id, trips: .made(files: [.document(trips)]), passes: .made(files: [.document(passes)]))
  }
  private static let files = [Inventory.File.document("<img src='img/a.png'>"), .init(path: "img/a.png", bytes: 1)]

  static let robustness: [CheckCase] = [
    CheckCase(
      "unopenable", trips: ended(.failed, .creative("no-index", "no index.html"), events: false), passes: .made()),
    CheckCase("crash", trips: .made([event(.page, "webProcessEnded", ["reason": "crashed"])]), passes: .made()),
    happening(
      "exception", .page, "exception", ["message": "x is not defined", "file": "creative://ad/a.js", "line": 3]),
    happening("rejection", .page, "rejection", ["message": "no"]),
    happening(
      "console-error", .page, "console", ["level": "error", "text": "bad"], passes: ["level": "warning", "text": "hm"]),
    CheckCase(
      "missing-file", trips: .made(resources: [resource("creative://ad/a.png", status: 404)]),
      passes: .made(resources: [resource("https://a.example/a.png", status: 404)])),
    CheckCase(
      "failed-request", trips: .made(resources: [resource("https://a.example/a.png", status: 0, failure: "no answer")]),
      passes: .made(resources: [
        resource("https://a.example/a.png", status: 0, failure: "Load request cancelled"),
        resource("https://a.example/b.png"),
      ])),
    happening("policy-violation", .page, "violation", ["directive": "img-src", "blocked": "https://a.example/"]),
    markup(
      "root-relative-address", trips: "<img src=\"/img/a.png\">",
      passes: "<img src=\"//a.example/a.png\"><img src=\"img/a.png\">"),
    markup(
      "local-address", trips: "<img src=\"file:///C:/ads/a.png\">",
      passes: "<img src=\"profile:///a\"><p>Drive C: is full</p>"),
    CheckCase(
      "orphaned-file", trips: .made(files: files + [.init(path: "img/old.png", bytes: 1)]), passes: .made(files: files)),
    CheckCase(
      "vast-flaw",
      trips: .made([
        event(.vast, "flaw", ["line": 3, "message": "<Companion> has no width and height; it is left out"])
      ]),
      passes: .made([event(.vast, "ad")])),
    CheckCase(
      "vast-error", trips: .made([event(.vast, "error", ["code": 603, "message": "the end card: nothing is there"])]),
      passes: .made([event(.vast, "ad")])),
    happening("endless-events", .host, "logTruncated", ["capacity": 20000]),
  ]

  private static func blank(_ isBlank: Bool) -> Evidence {
    .made(resources: []) {
      let surface = SurfaceAudit(isBlank: isBlank, hasBorder: false, whiteEdge: 0, blackEdge: 0)
      $0.measurements?.pages = [PageAudit(state: .default, t: 0, width: 300, height: 250, surface: surface)]
    }
  }

  static let rest: [CheckCase] = [
    CheckCase("blank-render", trips: blank(true), passes: blank(false)),
    CheckCase(
      "failed-scenario", trips: ended(.failed, .creative("expectation-failed", "steps.yaml:3: state is default")),
      passes: .made()),
    CheckCase("timed-out", trips: ended(.timedOut, .deadline("timeout", "30 s were over")), passes: .made()),
  ]
}
