import Core
import Device
import Engine
import Foundation
import RenderModel
import Testing
import WebKitRuntime

@testable import Hosting
@testable import Rendering

extension LiveWebKit {
  @Suite("The inventory of a page")
  struct InventoryTests {
    /// Inventory that the page reports, as far as tests read it.
    private struct Inventory: Decodable {
      var targets: [TapTarget]
      var surfaces: [SwipeSurface]
      var fields: [EntryField]
      var cut: Bool
      var text: String
      var fingerprint: String

      func target(_ element: String) -> TapTarget? { targets.first { $0.element == element } }
      /// Targets, each as `#a listener:click+cursor`.
      var lines: [String] { targets.map { "\($0.element) \($0.reasons.joined(separator: "+"))" } }
    }

    /// Explored page, and the name by which it is called.
    @EngineActor private final class Explored {
      let page: LivePage
      let name: String

      init(_ files: [String: String]) throws {
        let device = try #require(DeviceCatalogue.standard.device(named: DeviceCatalogue.defaultName))
        let scripts = PageScripts(device: device, explores: true)
        name = try #require(scripts.inventory)
        page = LivePage(files, width: 300, height: 250, everyFrame: scripts.everyFrame)
      }

      convenience init(_ body: String, style: String = "") throws {
        try self.init([
          "index.html":
            "<!doctype html><style>body{margin:0;height:250px}button,a,div{display:block}\(style)</style>\(body)"
        ])
      }

      func inventory() async throws -> Inventory {
        let answer = try await page.view.call("return window[name]()", ["name": name], world: .page)
        let text = try JSONDecoder().decode(String.self, from: Data(answer.utf8))
        return try JSONDecoder().decode(Inventory.self, from: Data(text.utf8))
      }
    }

    @EngineActor private func inventory(_ body: String, style: String = "") async throws -> Inventory {
      let explored = try Explored(body, style: style)
      #expect(await explored.page.open())
      return try await explored.inventory()
    }

    @Test("holds whatever says that it can be tapped, and why")
    @EngineActor func reasons() async throws {
      let found = try await inventory(
        """
        <div id=l>a</div><div id=p>b</div><div id=o onclick="1">c</div><a id=h href="#x">d</a><button id=b>e</button>
        <div id=r role=tab>f</div><div id=t tabindex=0>g</div><div id=c style="cursor:pointer">h<b>in</b></div>
        <div id=w>i</div><div id=n>j</div><div id=neg tabindex=-1>k</div><button disabled id=d>l</button>
        <input type=hidden><div id=gone style="display:none" onclick="1">m</div>
        <script>
        l.addEventListener("mousedown", () => {}); l.addEventListener("scroll", () => {});
        p.onpointerup = () => {}; w.ontouchstart = () => {};
        </script>
        """)
      // The engine has a finger's handlers of its own where its process began with a phone.
      #expect(
        found.lines.map { $0 == "#w ontouchstart" ? "#w listener:touchstart" : $0 } == [
          "#l listener:mousedown", "#p onpointerup", "#o onclick", "#h link", "#b control", "#r role:tab",
          "#t tabindex", "#c cursor", "#w listener:touchstart",
        ])
      #expect(found.targets.allSatisfy { $0.reach == .tappable && $0.selector == $0.element })
      #expect(found.target("#c")?.label == "hin")
    }

    @Test("holds whatever a finger can move, which way, and what it shows")
    @EngineActor func surfaces() async throws {
      let explored = try Explored(
        """
        <div id=row><b></b><b></b><b></b></div><div id=list><p></p></div><div id=card>c</div><div id=tall><p></p></div>
        <div id=still>s</div><div id=hides><p></p></div>
        <script>
        card.addEventListener("touchmove", () => {}); card.addEventListener("touchstart", () => {});
        tall.onpointermove = () => {};
        </script>
        """,
        style: """
          #row{display:flex;overflow-x:auto;width:100px;height:30px} b{flex:0 0 100px} p{height:200px;margin:0}
          #list{overflow-y:scroll;height:30px} #tall,#hides{overflow:hidden;height:30px} #card,#still{height:30px}
          """)
      #expect(await explored.page.open())
      var found = try await explored.inventory()
      let lines = found.surfaces.map { "\($0.element) \($0.reasons.joined(separator: "+")) \($0.directions)" }
      #expect(
        lines == [
          "#row overflow-x [RenderModel.SwipeDirection.left]", "#list overflow-y [RenderModel.SwipeDirection.up]",
          "#card listener:touchmove [RenderModel.SwipeDirection.left, RenderModel.SwipeDirection.right]",
          "#tall onpointermove [RenderModel.SwipeDirection.up, RenderModel.SwipeDirection.down]",
        ])
      #expect(found.surfaces[0].shows == "#row > b:nth-child(1)")
      // Where swipes begin claims nothing of a tap.
      #expect(found.target("#card")?.reasons == ["drag:touchstart"])
      let before = found.fingerprint
      _ = try await explored.page.view.call("row.scrollLeft = 100", world: .page)
      found = try await explored.inventory()
      #expect(found.surfaces[0].directions == [.left, .right])
      #expect(found.surfaces[0].place == Point(x: 1, y: 0))
      #expect(found.surfaces[0].shows == "#row > b:nth-child(2)")
      #expect(found.fingerprint != before)
      _ = try await explored.page.view.call("row.scrollLeft = 200", world: .page)
      let end = try await explored.inventory()
      #expect(end.surfaces[0].directions == [.right])
      #expect(end.fingerprint != found.fingerprint)
    }

    @Test("holds whatever can be filled in, with what fits, and sees when it is")
    @EngineActor func fields() async throws {
      let explored = try Explored(
        """
        <form id=f><input id=a><input id=m type=email><input id=p name=phone><input id=n type=number min=20>
        <input id=z inputmode=numeric maxlength=3><textarea id=t>old</textarea>
        <select id=s><option>One<option selected>Two<option disabled>Three</select></form><div id=e contenteditable>x</div>
        <input id=r readonly><input id=d disabled><input type=checkbox><input type=date><select id=o><option>Only</select>
        """, style: "input,select,textarea,#e{display:block;height:15px;padding:0;margin:0;border:0}")
      #expect(await explored.page.open())
      let found = try await explored.inventory()
      #expect(
        found.fields.map { "\($0.element) \($0.kind) \($0.entry) \($0.group)" } == [
          "#a text Galley #f", "#m text galley@example.com #f", "#p text 5550100 #f", "#n text 20 #f", "#z text 123 #f",
          "#t text Galley #f", "#s choice One #f", "#e text Galley ",
        ])
      #expect(found.fields.allSatisfy { !$0.isFilled })
      var last = found.fingerprint
      for change in ["a.value = 'x'", "t.value = 'new'", "s.selectedIndex = 0", "e.textContent = 'x Galley'"] {
        _ = try await explored.page.view.call(change, world: .page)
        let now = try await explored.inventory()
        #expect(now.fingerprint != last, "\(change)")
        last = now.fingerprint
      }
      #expect(try await explored.inventory().fields.filter(\.isFilled).map(\.element) == ["#a", "#t", "#s", "#e"])
    }

    @Test("forgets listeners that were removed, and counts one that was added twice once")
    @EngineActor func removed() async throws {
      let found = try await inventory(
        """
        <div id=a>a</div><div id=b>b</div>
        <script>
        const f = () => {};
        a.addEventListener("click", f); a.addEventListener("click", f); a.removeEventListener("click", f);
        b.addEventListener("click", f); b.removeEventListener("click", f, true);
        </script>
        """)
      #expect(found.lines == ["#b listener:click"])
    }

    @Test("finds each of them by a selector of its own")
    @EngineActor func selectors() async throws {
      let explored = try Explored(
        """
        <ul><li onclick="1">1</li><li onclick="1">2</li></ul><div id=box><p><i onclick="1">a</i><i onclick="1">b</i></p></div>
        <div class="x big" onclick="1">c</div><div data-go='a"b' onclick="1">d</div><div id="1 odd:id" onclick="1">e</div>
        <div id=twin onclick="1">f</div><div id=twin onclick="1">g</div>
        """)
      #expect(await explored.page.open())
      let targets = try await explored.inventory().targets
      #expect(targets.count == 9)
      for target in targets {
        let label = try await explored.page.view.call(
          "return document.querySelector(selector).textContent", ["selector": try #require(target.selector)])
        #expect(label == "\"\(target.label)\"", "\(target.element)")
      }
      #expect(targets.map(\.element).contains("div.x.big"))
      #expect(targets.map(\.element).contains("#box > p:nth-child(1) > i:nth-child(2)"))
    }

    @Test("says what can't be reached: covered, or outside what can be seen or scrolled to")
    @EngineActor func reach() async throws {
      let found = try await inventory(
        """
        <button id=under>Close</button><div id=lid></div><button id=half>half</button><div id=part></div>
        <button id=out>out</button><div id=list><div style="height:300px"></div><button id=deep>deep</button></div>
        """,
        style: """
          body{overflow:hidden} body>*{position:absolute} #under,#lid{left:0;top:0;width:90px;height:40px}
          #half,#part{left:0;top:50px;height:40px} #half{width:100px} #part{width:60px}
          #out{left:400px;top:0} #list{left:0;top:100px;width:90px;height:80px;overflow:auto}
          """)
      #expect(found.target("#under")?.reach == .covered)
      #expect(found.target("#under")?.coveredBy == "#lid")
      #expect(found.target("#under")?.closes == true)
      // What peeps out can be tapped at a point, though not in its middle.
      #expect(found.target("#half")?.reach == .tappable)
      #expect(found.target("#half")?.selector == nil)
      #expect((found.target("#half")?.point.x ?? 0) > 60)
      #expect(found.target("#out")?.reach == .offScreen)
      #expect(found.target("#deep")?.reach == .tappable)
    }

    @Test("tries what stands out under a listener that is for many, and no spot twice")
    @EngineActor func delegation() async throws {
      let found = try await inventory(
        """
        <div id=ad><span id=title>Title</span><em>plain</em><i data-go=1>go</i><img id=pic width=20 height=20>
        <b style="background:#ccc;border-radius:4px">pill</b></div>
        <script>ad.addEventListener("click", () => {})</script>
        """)
      let under = found.targets.filter { $0.reasons == ["under:#ad"] }
      #expect(under.map(\.element) == ["#title", #"i[data-go="1"]"#, "#pic", "#ad > b:nth-child(5)"])
      #expect(under.allSatisfy { $0.within == "#ad" })
      #expect(found.target("#ad")?.reasons == ["listener:click"])
    }

    @Test("takes a listener on the document for one on the body, and tries places of a canvas")
    @EngineActor func canvas() async throws {
      let found = try await inventory(
        """
        <canvas id=game width=200 height=100></canvas>
        <script>document.addEventListener("touchstart", () => {}); addEventListener("click", () => {})</script>
        """)
      #expect(found.target("body")?.reasons == ["listener:touchstart@document", "listener:click@window"])
      let spots = found.targets.filter { $0.reasons == ["spot:body"] }
      #expect(spots.map { [$0.point.x, $0.point.y] } == [[50, 25], [150, 25], [50, 75], [150, 75]])
      #expect(spots.allSatisfy { $0.selector == nil && $0.element == "#game" })
    }

    @Test("reaches into frames of the page's own and open shadow trees, by points")
    @EngineActor func inside() async throws {
      let explored = try Explored([
        "index.html": """
        <!doctype html><style>body{margin:0}iframe{position:absolute;left:100px;top:50px;border:0;width:150px;height:100px}</style>
        <div id=host style="width:80px;height:40px"></div><iframe id=f src="inner.html"></iframe>
        <script>
        host.attachShadow({ mode: "open" }).innerHTML = "<button style='display:block;width:60px;height:30px'>in</button>";
        </script>
        """,
        "inner.html":
          """
        <!doctype html><style>body{margin:0}</style><button id=b style='display:block;width:40px;height:20px'>Deep</button>
        <div id=r style="display:flex;overflow-x:auto;height:40px"><b style="flex:0 0 400px">x</b></div>
        <input id=i style="display:block;width:60px;height:20px;padding:0;border:0">
        """,
      ])
      #expect(await explored.page.open())
      let found = try await explored.inventory()
      let deep = try #require(found.target("#f #b"))
      #expect(deep.selector == nil)
      #expect(deep.point == Point(x: 120, y: 60))
      #expect(found.text.contains("Deep"))
      #expect(found.surfaces.map(\.element) == ["#f #r"])
      #expect(found.surfaces.first?.selector == nil)
      #expect(found.surfaces.first?.frame == Rect(x: 100, y: 70, width: 150, height: 40))
      #expect(found.fields.map(\.element) == ["#f #i"])
      #expect(found.fields.first?.point == Point(x: 130, y: 120))
      let shadow = try #require(found.targets.first { $0.label == "in" })
      #expect(shadow.selector == nil)
      #expect(shadow.point == Point(x: 30, y: 15))
    }

    @Test("has a fingerprint that clocks don't change, and everything else does")
    @EngineActor func fingerprint() async throws {
      let explored = try Explored(
        "<p id=p style='left: 1px;'>Ends in 10 s</p><input id=i type=checkbox><video id=v></video>")
      #expect(await explored.page.open())
      var last = try await explored.inventory().fingerprint
      _ = try await explored.page.view.call(
        "document.getElementById('p').textContent = 'Ends in 9 s'; document.getElementById('p').style.left = '20.5px'")
      #expect(try await explored.inventory().fingerprint == last)
      for change in [
        "p.className = 'on'", "i.checked = true", "v.muted = true", "p.textContent = 'Over'", "i.type='text';i.focus()",
      ] {
        _ = try await explored.page.view.call(change, world: .page)
        let now = try await explored.inventory().fingerprint
        #expect(now != last, "\(change)")
        last = now
      }
    }

    @Test("can't be told from the engine's own functions by the page")
    @EngineActor func unseen() async throws {
      let script = """
        const shape = (owner, name) => {
          const f = owner[name], d = Object.getOwnPropertyDescriptor(owner, name);
          return [String(f), Function.prototype.toString.call(f), f.name, f.length, "prototype" in f, Reflect.ownKeys(f).join(),
            typeof f, d.writable, d.enumerable, d.configurable];
        };
        const thrown = (f) => { try { f(); return "nothing"; } catch (error) { return error.name + ": " + error.message; } };
        const odd = [];
        const options = { get capture() { odd.push("capture"); return false; }, get passive() { odd.push("passive"); } };
        document.body.addEventListener("click", () => {}, options);
        return JSON.stringify([
          shape(EventTarget.prototype, "addEventListener"), shape(EventTarget.prototype, "removeEventListener"),
          shape(Function.prototype, "toString"), Object.keys(EventTarget.prototype), Object.keys(window).length,
          Reflect.ownKeys(EventTarget.prototype).length, odd.filter((name) => name === "capture").length,
          thrown(() => document.body.addEventListener()), thrown(() => document.body.addEventListener("click", 5)),
          thrown(() => EventTarget.prototype.addEventListener.call({}, "click", () => {})),
          thrown(() => new EventTarget.prototype.addEventListener()), thrown(() => Function.prototype.toString.call({})),
          (0, addEventListener)("load", () => {}) === undefined,
        ]);
        """
      let device = try #require(DeviceCatalogue.standard.device(named: DeviceCatalogue.defaultName))
      let plain = LivePage(["index.html": "<body>x"], everyFrame: PageScripts(device: device).everyFrame)
      #expect(await plain.open())
      let explored = try Explored(["index.html": "<body>x"])
      #expect(await explored.page.open())
      #expect(
        try await explored.page.view.call(script, world: .page) == (try await plain.view.call(script, world: .page)))
    }

    @Test("is told by a page that broke everything")
    @EngineActor func hostile() async throws {
      let found = try await inventory(
        """
        <button id=b>Still here</button>
        <script>
        b.addEventListener("click", () => {});
        const broken = () => { throw new Error("broken"); };
        for (const name of ["JSON", "WeakMap", "Proxy", "Math", "Reflect", "CSS", "getComputedStyle"]) window[name] = broken;
        for (const owner of [Array, String, Object, Element, Document, Node, NodeList, HTMLElement, EventTarget, Function]) {
          for (const key of Reflect.ownKeys?.(owner.prototype) ?? Object.getOwnPropertyNames(owner.prototype)) {
            if (key === "constructor") continue;
            try { Object.defineProperty(owner.prototype, key, { get: broken, configurable: true }); } catch {}
          }
        }
        </script>
        """)
      #expect(found.lines == ["#b listener:click+control"])
      #expect(found.text == "Still here")
    }

    @Test("is bounded")
    @EngineActor func bounded() async throws {
      let found = try await inventory(
        "<p>x<script>document.body.innerHTML = '<button>x</button>'.repeat(20000)</script>",
        style: "button{width:4px;height:4px;padding:0}")
      #expect(found.cut)
      #expect(found.targets.count == 60)
      #expect(found.text.count <= 4_000)
    }
  }
}
