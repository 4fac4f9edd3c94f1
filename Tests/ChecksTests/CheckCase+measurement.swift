import Checks
import Core
import RenderModel

extension CheckCase {
  /// Creates the evidence of a render with measurement in which these events were logged.
  private static func measured(_ events: [Event]) -> CheckContext { .made(events) { $0.record.omid = true } }

  private static func inject(
    _ url: String = "https://v.example/a.js", vendor: String? = "v.example-omid", parameters: Bool = true,
    tracked: Bool? = nil
  ) -> Event {
    var detail: [String: JSONValue] = [
      "url": .string(url), "script": "script-1", "accessMode": "limited", "parameters": .bool(parameters),
    ]
    detail["vendor"] = vendor.map { .string($0) }
    detail["tracked"] = tracked.map { .bool($0) }
    return event(.omid, "inject", .object(detail))
  }
  private static func registers(as vendor: String?, script: String? = "script-1") -> Event {
    var detail: [String: JSONValue] = ["by": "message"]
    detail["vendor"] = vendor.map { .string($0) }
    detail["script"] = script.map { .string($0) }
    return event(.omid, "registerSessionObserver", .object(detail))
  }
  private static func script(_ end: String) -> Event {
    event(.omid, end, ["script": "script-1", "url": "https://v.example/a.js"])
  }
  private static func notExecuted(_ beacons: [JSONValue]) -> Event {
    event(
      .vast, "verificationNotExecuted",
      ["resources": ["https://v.example/a.exe"], "reason": 2, "beacons": .array(beacons)])
  }

  static let measurement: [CheckCase] = [
    CheckCase(
      "missing-measurement", trips: measured([event(.omid, "sessionStart")]),
      passes: measured([registers(as: nil, script: nil)])),
    CheckCase(
      "missing-verification-script", trips: measured([inject(), script("scriptFailed")]),
      passes: measured([inject(), script("scriptLoaded")])),
    CheckCase(
      "verification-script-error",
      trips: measured([
        registers(as: "v"), event(.omid, "listenerError", ["type": "impression", "message": "x", "vendor": "v"]),
      ]),
      passes: measured([registers(as: "v"), event(.page, "exception", ["message": "the ad's own"])])),
    CheckCase(
      "verification-script-error",
      trips: measured([inject(), event(.omid, "scriptError", ["message": "Script error."])]),
      passes: measured([inject(), script("scriptLoaded")])),
    CheckCase(
      "insecure-verification-script", trips: measured([inject("http://v.example/a.js?n=1")]),
      passes: measured([inject("https://v.example/a.js")])),
    CheckCase(
      "silent-verification-script",
      trips: measured([inject(), script("scriptLoaded"), registers(as: "x", script: "script-2")]),
      passes: measured([inject(), script("scriptLoaded"), registers(as: "v.example-omid")])),
    CheckCase(
      "vendor-key-mismatch", trips: measured([inject(), registers(as: "other")]),
      passes: measured([inject(), registers(as: "v.example-omid"), registers(as: "other", script: nil)])),
    CheckCase(
      "missing-not-executed-tracking", trips: measured([inject(tracked: false)]),
      passes: measured([inject(tracked: true)])),
    CheckCase(
      "missing-not-executed-tracking", trips: measured([notExecuted([])]),
      passes: measured([notExecuted(["https://v.example/no?r=[REASON]"])])),
    CheckCase(
      "uncounted-impression", trips: measured([event(.omid, "sessionClient", ["method": "registerAdEvents"])]),
      passes: measured([event(.omid, "sessionClient", ["method": "registerAdEvents"]), event(.omid, "impression")])),
  ]
}
