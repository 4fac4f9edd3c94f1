import Core
import Engine
import MRAID
import RenderModel
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

    /// A scenario, and for one that must fail what its message says.
    struct Case: Sendable, CustomTestStringConvertible {
      var steps: String
      var line = 0
      var code = ""
      var message = ""
      var testDescription: String { steps.replacing("\n", with: " ") }

      /// Reads `steps`, and after an arrow `line code message`.
      init(_ text: Substring) {
        let parts = text.split(separator: "\n=> ", maxSplits: 1)
        steps = String(parts[0])
        guard parts.count == 2 else { return }
        let words = parts[1].split(separator: " ", maxSplits: 2)
        line = Int(words[0]) ?? 0
        code = String(words[1])
        message = String(words[2])
      }

      /// Reads the cases between dashed lines.
      static func all(_ text: String) -> [Case] { text.split(separator: "\n---\n").map(Case.init) }
    }

    private static let holds = Case.all(
      #"""
      - wait: {event: ready}
      - wait: {event: mraid/stateChange, count: 1}
      ---
      - wait: {state: default}
      ---
      - wait: 0.01
      - wait: {seconds: 0.01}
      ---
      - tap: "#box"
      - expect: {state: expanded}
      ---
      - tap: {selector: "#box"}
      - expect: {evaluate: {seen.at(-1): "click 60,30"}}
      ---
      - tap: {x: 200, y: 450}
      - expect: {evaluate: {seen.length: 3}, events: [{name: input/tap, detail: {layer: ad}}]}
      ---
      - tap: {x: 20, y: 100}
      - expect: {evaluate: {seen.length: 0}, events: [{name: input/tap, detail: {layer: hostPage}}]}
      ---
      - swipe: {from: {x: 300, y: 450}, to: {x: 100, y: 450}}
      - expect:
          evaluate:
            "seen.filter((line) => line.startsWith('touchmove')).length >= 5": true
            "seen.some((line) => line.startsWith('click'))": false
            "seen.at(-1).split(' ')[0]": touchend
      ---
      - swipe: {from: "#box", to: {x: 100, y: 500}}
      - expect: {state: default, evaluate: {seen.at(0): "touchstart 60,30"}}
      ---
      - evaluate: |
          const row = '<div style="display:flex;width:100px;height:40px;overflow-x:auto">' + '<b style="flex:0 0 100px">x</b>'.repeat(4) + '</div>';
          box.innerHTML = row + row.replace('overflow', 'scroll-snap-type:x mandatory;overflow').replaceAll('flex:0', 'scroll-snap-align:start;flex:0');
          box.style.height = '80px'; field.remove(); [plain, snaps] = box.children;
      - swipe: {over: "#box > :first-child", direction: left}
      - expect: {evaluate: {plain.scrollLeft: 70}}
      - swipe: {over: "#box > :last-child", direction: left}
      - expect: {evaluate: {snaps.scrollLeft: 100}}
      - swipe: {over: "#box > :last-child", direction: right}
      - expect: {evaluate: {snaps.scrollLeft: 0, plain.scrollLeft: 70}}
      ---
      - evaluate: |
          pointers = [];
          for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
            box.addEventListener(name, (event) => {
              if (name === "pointerdown") box.setPointerCapture(event.pointerId);
              pointers.push([name, event.pointerType, event.isPrimary, box.hasPointerCapture(event.pointerId)].join(" "));
            });
          }
          box.style.touchAction = "pan-y";
      - swipe: {over: "#box", direction: right}
      - expect:
          evaluate:
            "pointers[0]": pointerdown touch true true
            "pointers.filter((line) => line.startsWith('pointermove')).length": 10
            "pointers.at(-1)": pointerup touch true true
            "pointers.length": 12
      - evaluate: pointers.length = 0; box.style.touchAction = "auto"
      - swipe: {over: "#box", direction: right}
      - expect: {evaluate: {"pointers.map((line) => line.split(' ')[0]).join()": "pointerdown,pointermove,pointercancel"}}
      - evaluate: |
          pointers.length = 0;
          box.addEventListener("touchmove", (event) => event.preventDefault(), { passive: false });
      - swipe: {over: "#box", direction: right}
      - expect: {evaluate: {"pointers.at(-1)": pointerup touch true true}}
      ---
      - evaluate: |
          gone.outerHTML = '<select id="size" style="position:absolute;top:120px"><option>S</option><option>M</option><option disabled>L</option></select>';
          chosen = []; size.onchange = (event) => chosen.push(size.value, event.isTrusted);
      - choose: {option: M, from: "#size"}
      - expect: {evaluate: {size.value: M, chosen: [M, true]}, events: [{name: input/choose, detail: {option: M}}]}
      ---
      - type: {text: "Ann 42!", into: "#field"}
      - expect: {evaluate: {field.value: "Ann 42!"}}
      ---
      - evaluate: field.focus()
      - type: x1
      - expect: {evaluate: {field.value: x1}}
      ---
      - tap: "#box"
      - close
      - expect: {state: default, event: host/close}
      ---
      - rotate: landscape
      - expect: {property: {screenSize.width: 852, currentAppOrientation.orientation: landscape}}
      ---
      - background
      - expect: {property: {isViewable: false}}
      - foreground
      - expect: {property: {isViewable: true}}
      ---
      - volume: 30
      - volume: null
      - expect: {events: [{name: host/volume, detail: {to: 30}}, {name: host/volume, detail: {to: null}}]}
      ---
      - scroll: 100
      - expect: {property: {currentPosition.y: 154}}
      ---
      - evaluate: |
          const x = await Promise.resolve(4);
          box.title = String(x);
      - expect: {evaluate: {box.title: "4", seen: [], "({a: 1, b: [2]})": {b: [2]}}}
      ---
      - screenshot: mine
      - expect: {event: {name: host/screenshot, count: 2}}
      ---
      - expect: {state: default, event: ready, property: {version: "3.0", supports.sms: true, isViewable: true}}
      """#)

    private static let fails = Case.all(
      #"""
      - wait: {event: creative/unload, timeout: 0.1}
      => 1 wait-timed-out waited 0.1 s for creative/unload, which occurred 0 times
      ---
      - wait: {event: ready}

      - wait: {state: resized, timeout: 0.1}
      => 3 wait-timed-out waited 0.1 s for the state resized; it is default
      ---
      - tap: "#none"
      => 1 element-missing nothing in the ad matches #none
      ---
      - tap: "#gone"
      => 1 element-invisible the element #gone has no size
      ---
      - tap: "##"
      => 1 selector-invalid can't search for ##
      ---
      - tap: {x: 500, y: 10}
      => 1 point-off-screen (500, 10) is not on the screen
      ---
      - swipe: {from: {x: 10, y: 9000}, to: {x: 10, y: 10}}
      => 1 point-off-screen (10, 9000) is not on the screen
      ---
      - swipe: {from: "#gone", to: "#box"}
      => 1 element-invisible the element #gone has no size
      ---
      - type: {text: x, into: "#gone"}
      => 1 element-invisible the element #gone has no size
      ---
      - swipe: {over: "#none", direction: left}
      => 1 element-missing nothing in the ad matches #none
      ---
      - choose: {option: M, from: "#field"}
      => 1 list-closed no list opened for the choice of M
      ---
      - evaluate: gone.outerHTML = '<select id="size" style="position:absolute;top:120px"><option>S</option><option disabled>L</option></select>'
      - choose: {option: L, from: "#size"}
      => 2 option-missing the list has no option L; its options are "S"
      ---
      - close
      => 1 close-control-missing nothing on the screen has a close control
      ---
      - evaluate: throw new Error('broken')
      => 1 script-failed the script threw: Error: broken
      ---
      - background
      - tap: {x: 200, y: 450}
      => 2 point-off-screen (200, 450) is not on the screen
      ---
      - expect: {state: expanded}
      => 1 expectation-failed unexpected result: the state is default, not expanded
      ---
      - expect: {event: tap}
      => 1 expectation-failed unexpected result: tap was never logged
      ---
      - expect: {event: {name: ready, count: 2}}
      => 1 expectation-failed unexpected result: ready was logged 1 times, not 2
      ---
      - volume: 3
      - expect: {event: {name: volume, detail: {to: 4}}}
      => 2 expectation-failed unexpected result: volume with {"to":4} was never logged
      ---
      - expect: {property: {state: hidden}}
      => 1 expectation-failed unexpected result: state is "default", not "hidden"
      ---
      - expect: {property: {nonsense: 1}}
      => 1 script-failed the expression threw: Error: mraid has no property nonsense
      ---
      - expect: {evaluate: {1 + 1: 3}}
      => 1 expectation-failed unexpected result: 1 + 1 is 2, not 3
      ---
      - expect: {evaluate: {nothing.at.all: 3}}
      => 1 script-failed the expression threw:
      """#)

    @Test("is carried out", arguments: holds)
    @EngineActor func carriedOut(one: Case) async throws {
      let result = try await TestRender.shared.render(html: Self.page, TestRender.Options(scenario: one.steps))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test("takes a picture of an app that nobody sees, whose pages draw no frames")
    @EngineActor func pictureInTheBackground() async throws {
      let steps = """
        - background
        - screenshot: away
        - foreground
        - screenshot: back
        """
      let result = try await TestRender.shared.render(html: Self.page, TestRender.Options(scenario: steps))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.screenshots.map(\.name).suffix(2) == ["002-away", "003-back"])
    }

    @Test("is carried out by mouse on a desktop")
    @EngineActor func desktop() async throws {
      let steps = """
        - tap: "#box"
        - expect: {state: expanded, evaluate: {seen: ["click 60,30"]}}
        """
      let result = try await TestRender.shared.render(
        html: Self.page, TestRender.Options(device: "desktop", scenario: steps))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test("that fails says where it stands and why", arguments: fails)
    @EngineActor func failure(one: Case) async throws {
      let result = try await TestRender.shared.render(html: Self.page, TestRender.Options(scenario: one.steps))
      #expect(result.record.outcome == .failed)
      #expect(result.record.code == one.code)
      let message = result.record.message ?? ""
      #expect(message.hasPrefix("steps.yaml:\(one.line): \(one.message)"), "\(message)")
      #expect(!message.contains("\n"))
      // A creative that didn't do as the scenario has it is pictured once more; a scenario that can't be is not.
      let failed = result.record.origin == .creative ? ["002-failed"] : []
      #expect(result.record.screenshots.map(\.name) == ["001-default"] + failed)
      let steps = result.record.steps ?? []
      #expect(steps.last?.line == one.line)
      #expect(steps.last?.failure?.hasPrefix(one.message) == true)
      #expect(steps.dropLast().allSatisfy { $0.failure == nil && $0.start <= $0.end })
    }

    @Test("that finds nothing says which ids there are, those like it first")
    @EngineActor func candidates() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page, TestRender.Options(scenario: "- wait: {event: ready}\n- tap: \"#boxx\""))
      let steps = try #require(result.record.steps)
      #expect(steps.map(\.text) == ["wait: {event: ready}", "tap: \"#boxx\""])
      #expect(steps.map(\.failure) == [nil, "nothing in the ad matches #boxx"])
      #expect(steps.map(\.candidates) == [nil, ["#box", "#gone", "#field"]])
    }

    @Test("takes a picture under its name, of the state it is in")
    @EngineActor func screenshots() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - screenshot: before
            - tap: "#box"
            - screenshot: large
            - rotate: landscape
            - screenshot: lying
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(
        result.record.screenshots.map(\.name) == [
          "001-default", "002-before", "003-expanded", "004-large", "005-lying",
        ])
      #expect(result.record.screenshots.map(\.state) == [.default, .default, .expanded, .expanded, .expanded])
      #expect(try result.picture(1) == result.picture(2))
      #expect(try result.picture(3) == result.picture(4))
      #expect((result.record.screenshots[4].width, result.record.screenshots[4].height) == (852 * 3, 393 * 3))
    }
  }
}
