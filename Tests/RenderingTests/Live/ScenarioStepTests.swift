import Jobs
import MRAID
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A scenario's step")
  struct ScenarioStepTests {
    /// A banner with something for every step.
    private static let page = """
      <!doctype html><meta name="ad.size" content="width=300,height=250">
      <style>
      body { margin: 0; height: 250px; overflow: hidden; background: #eef }
      #box, #field, #gone { position: absolute; left: 10px; width: 100px; height: 40px }
      #box { top: 10px; background: #c00 } #field { top: 60px } #gone { display: none }
      </style>
      <div id="box"></div><input id="field"><div id="gone"></div>
      <script>
      const seen = [];
      const note = (event) => {
        const at = event.changedTouches ? event.changedTouches[0] : event;
        seen.push(event.type + " " + Math.round(at.clientX) + "," + Math.round(at.clientY));
      };
      for (const name of ["touchstart", "touchmove", "touchend", "click"]) addEventListener(name, note);
      box.onclick = () => mraid.expand();
      </script>
      """

    /// What must hold, and what must fail with which code on which line.
    struct Case: Sendable, CustomTestStringConvertible {
      var steps: String
      var code: String?
      /// What the message says after the file and the line.
      var message = ""
      var line = 1
      var device = "iphone-15"
      var testDescription: String { steps.replacing("\n", with: " ") }
    }

    private static let holds: [Case] = [
      Case(steps: "- wait: {event: ready}\n- wait: {event: mraid/stateChange, count: 1}"),
      Case(steps: "- wait: {state: default}"),
      Case(steps: "- wait: 0.01\n- wait: {seconds: 0.01}"),
      Case(steps: "- tap: \"#box\"\n- expect: {state: expanded}"),
      Case(steps: "- tap: {selector: \"#box\"}\n- expect: {evaluate: {seen.at(-1): \"click 60,30\"}}"),
      Case(steps: "- tap: {x: 200, y: 450}\n- expect: {evaluate: {seen.length: 3}, events: [{name: input/tap, detail: {layer: ad}}]}"),
      Case(steps: "- tap: {x: 20, y: 100}\n- expect: {evaluate: {seen.length: 0}, events: [{name: input/tap, detail: {layer: hostPage}}]}"),
      Case(steps: "- swipe: {from: {x: 300, y: 450}, to: {x: 100, y: 450}}\n- expect: {evaluate: {\"seen.filter((e) => e.startsWith('touchmove')).length >= 5\": true, \"seen.some((e) => e.startsWith('click'))\": false, \"seen.at(-1).split(' ')[0]\": touchend}}"),
      Case(steps: "- swipe: {from: \"#box\", to: {x: 100, y: 500}}\n- expect: {state: default, evaluate: {seen.at(0): \"touchstart 60,30\"}}"),
      Case(steps: "- type: {text: \"Ann 42!\", into: \"#field\"}\n- expect: {evaluate: {field.value: \"Ann 42!\"}}"),
      Case(steps: "- evaluate: field.focus()\n- type: x1\n- expect: {evaluate: {field.value: x1}}"),
      Case(steps: "- tap: \"#box\"\n- close\n- expect: {state: default, event: host/close}"),
      Case(steps: "- rotate: landscape\n- expect: {property: {screenSize.width: 852, currentAppOrientation.orientation: landscape}}"),
      Case(steps: "- background\n- expect: {property: {isViewable: false}}\n- foreground\n- expect: {property: {isViewable: true}}"),
      Case(steps: "- volume: 30\n- volume: null\n- expect: {events: [{name: host/volume, detail: {to: 30}}, {name: host/volume, detail: {to: null}}]}"),
      Case(steps: "- scroll: 100\n- expect: {property: {currentPosition.y: 154}}"),
      Case(steps: "- evaluate: |\n    const x = await Promise.resolve(4);\n    box.title = String(x);\n- expect: {evaluate: {box.title: \"4\", seen: [], \"({a: 1, b: [2]})\": {b: [2]}}}"),
      Case(steps: "- screenshot: mine\n- expect: {event: {name: host/screenshot, count: 2}}"),
      Case(steps: "- expect: {state: default, event: ready, property: {version: \"3.0\", supports.sms: true, isViewable: true}}"),
      Case(steps: "- tap: \"#box\"\n- expect: {evaluate: {seen.at(-1): \"click 60,30\"}}", device: "desktop"),
      Case(steps: "- tap: \"#box\"\n- expect: {state: expanded, evaluate: {seen.length: 1}}", device: "desktop"),
    ]

    private static let fails: [Case] = [
      Case(steps: "- wait: {event: never, timeout: 0.1}", code: "wait-timed-out", message: "waited 0.1 s for never, which came 0 times"),
      Case(steps: "- wait: {event: ready}\n\n- wait: {state: resized, timeout: 0.1}", code: "wait-timed-out", message: "waited 0.1 s for the state resized; it is default", line: 3),
      Case(steps: "- tap: \"#none\"", code: "no-such-element", message: "nothing in the ad matches #none"),
      Case(steps: "- tap: \"#gone\"", code: "element-invisible", message: "what matches #gone has no size"),
      Case(steps: "- tap: \"##\"", code: "selector-invalid", message: "## can't be looked for"),
      Case(steps: "- tap: {x: 500, y: 10}", code: "off-screen", message: "(500, 10) is not on the screen"),
      Case(steps: "- swipe: {from: {x: 10, y: 9000}, to: {x: 10, y: 10}}", code: "off-screen", message: "(10, 9000) is not on the screen"),
      Case(steps: "- swipe: {from: \"#gone\", to: \"#box\"}", code: "element-invisible", message: "what matches #gone has no size"),
      Case(steps: "- type: {text: x, into: \"#gone\"}", code: "element-invisible", message: "what matches #gone has no size"),
      Case(steps: "- close", code: "nothing-to-close", message: "nothing on screen has a close control"),
      Case(steps: "- evaluate: throw new Error('broken')", code: "script-failed", message: "the script threw: Error: broken"),
      Case(steps: "- background\n- tap: {x: 200, y: 450}", code: "off-screen", message: "(200, 450) is not on the screen", line: 2),
      Case(steps: "- expect: {state: expanded}", code: "expectation-failed", message: "expected otherwise: the state is default, not expanded"),
      Case(steps: "- expect: {event: tap}", code: "expectation-failed", message: "expected otherwise: tap was never logged"),
      Case(steps: "- expect: {event: {name: ready, count: 2}}", code: "expectation-failed", message: "expected otherwise: ready was logged 1 times, not 2"),
      Case(steps: "- volume: 3\n- expect: {event: {name: volume, detail: {to: 4}}}", code: "expectation-failed", message: "expected otherwise: volume with {\"to\":4} was never logged", line: 2),
      Case(steps: "- expect: {property: {state: hidden}}", code: "expectation-failed", message: "expected otherwise: state is \"default\", not \"hidden\""),
      Case(steps: "- expect: {property: {nonsense: 1}}", code: "script-failed", message: "the expression threw: Error: mraid has no property nonsense"),
      Case(steps: "- expect: {evaluate: {1 + 1: 3}}", code: "expectation-failed", message: "expected otherwise: 1 + 1 is 2, not 3"),
      Case(steps: "- expect: {evaluate: {nothing.at.all: 3}}", code: "script-failed", message: "the expression threw:"),
    ]

    @Test("is carried out", arguments: holds)
    @WebKitActor func carriedOut(one: Case) async throws {
      let result = try await TestRender.shared.render(
        html: Self.page, TestRender.Options(device: one.device, scenario: one.steps))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test("that fails says where it stands and why", arguments: fails)
    @WebKitActor func failure(one: Case) async throws {
      let result = try await TestRender.shared.render(
        html: Self.page, TestRender.Options(device: one.device, scenario: one.steps))
      #expect(result.record.outcome == .failed)
      #expect(result.record.code == one.code)
      let message = result.record.message ?? ""
      #expect(message.hasPrefix("steps.yaml:\(one.line): \(one.message)"), "\(message)")
      #expect(!message.contains("\n"))
      #expect(result.record.screenshots.count == 1)
    }

    @Test("takes a picture under its name, of the state it is in")
    @WebKitActor func screenshots() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page, TestRender.Options(scenario: """
          - screenshot: before
          - tap: "#box"
          - screenshot: large
          - rotate: landscape
          - screenshot: lying
          """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.screenshots.map(\.name) == [
        "001-default", "002-before", "003-expanded", "004-large", "005-lying",
      ])
      #expect(result.record.screenshots.map(\.state) == [.default, .default, .expanded, .expanded, .expanded])
      #expect(try result.picture(1) == result.picture(2))
      #expect(try result.picture(3) == result.picture(4))
      #expect((result.record.screenshots[4].width, result.record.screenshots[4].height) == (852 * 3, 393 * 3))
    }
  }
}
