import Core
import Engine
import Pixels
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A tap hits what is topmost")
  struct LayerTests {
    /// Red, and green where it was clicked; expands at the first click.
    private static let page = """
      <!doctype html><meta name="ad.size" content="width=320,height=50">
      <body style="margin:0;height:100vh;background:#ff0000"><script>
      document.body.onclick = (event) => {
        console.log("click " + event.clientX + "," + event.clientY);
        document.body.style.background = "#00ff00";
        if (mraid.getState() === "default") mraid.expand();
      };
      </script>
      """

    @Test("the close control above an expanded ad, which gets nothing")
    @EngineActor func closeControl() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - tap: body
            - wait: {state: expanded}
            - tap: {x: 368, y: 84}
            - expect: {state: default}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("input/tap").map { $0.detail["layer"] } == ["ad", "closeControl"])
      #expect(result.console.count == 1)
      #expect(result.record.transitions.last?.cause == "hostClose")
    }

    @Test("the expanded ad beside its close control")
    @EngineActor func besideControl() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - tap: body
            - wait: {state: expanded}
            - tap: {x: 340, y: 112}
            - expect: {state: expanded}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console == ["click 160,25", "click 340,53"])
    }

    @Test("the scrim, which swallows it, and the status bar")
    @EngineActor func scrim() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - tap: body
            - wait: {state: expanded}
            - tap: {x: 200, y: 840}
            - tap: {x: 200, y: 20}
            - expect: {state: expanded}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("input/tap").map { $0.detail["layer"] } == ["ad", "scrim", "statusBar"])
      #expect(result.console.count == 1)
    }

    @Test("the browser above the ad, whose control closes only the browser")
    @EngineActor func browser() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - tap: body
            - wait: {state: expanded}
            - evaluate: mraid.open("https://x.example/")
            - wait: {event: modal/push, count: 2}
            - tap: {x: 200, y: 400}
            - tap: {x: 368, y: 84}
            - expect: {state: expanded, event: adClickthroughDidClose}
            - tap: {x: 200, y: 400}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("input/tap").map { $0.detail["layer"] } == ["ad", "browser", "closeControl", "ad"])
      #expect(result.console.count == 2)
    }

    @Test("the page beside a resized ad, which stays")
    @EngineActor func resized() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - evaluate: |
                mraid.setResizeProperties({width: 300, height: 200, offsetX: 10, offsetY: 0});
                mraid.resize();
            - wait: {state: resized}
            - tap: {x: 200, y: 200}
            - tap: {x: 200, y: 450}
            - expect: {events: [{name: input/tap, detail: {layer: hostPage}}, {name: input/tap, detail: {layer: ad}}]}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console.count == 1)
      let picture = try result.picture(2)
      let ad = try result.picture(2, ad: true)
      #expect((ad.width, ad.height) == (900, 600))
      // Content area 59 to 818, slot in its middle: resized at x 36+10, y 413.
      #expect(picture[46 * 3, 413 * 3 + 300] == Color(rgb: 0xFF_0000))
      #expect(picture[46 * 3 - 1, 413 * 3 + 300] != Color(rgb: 0xFF_0000))
      #expect(picture[46 * 3 + 899, 413 * 3 + 599] == Color(rgb: 0xFF_0000))
      #expect(picture[46 * 3 + 899, 413 * 3 + 600] != Color(rgb: 0xFF_0000))
    }

    @Test("and pictures show the same: banner in its slot, expanded ad over all, home again")
    @EngineActor func pictures() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - tap: body
            - wait: {state: expanded}
            - close
            """))
      let (red, green) = (Color(rgb: 0xFF_0000), Color(rgb: 0x00_FF00))
      let pictures = try (1...3).map { try result.picture($0) }
      // Slot: x 36 to 356, y 413 to 463 dip.
      for (picture, color) in [(pictures[0], red), (pictures[2], green)] {
        #expect(picture[36 * 3, 413 * 3] == color)
        #expect(picture[356 * 3 - 1, 463 * 3 - 1] == color)
        #expect(picture[36 * 3 - 1, 413 * 3] != color)
        #expect(picture[36 * 3, 463 * 3] != color)
      }
      // Content area: y 59 to 818 dip.
      #expect(pictures[1][0, 59 * 3] == green)
      #expect(pictures[1][393 * 3 - 1, 818 * 3 - 1] == green)
      #expect(pictures[1][0, 59 * 3 - 1] != green)
      #expect(pictures[1][200 * 3, 818 * 3] != green)
      // The control's square isn't all the ad's.
      #expect(!pictures[1].crop(PixelRect(x: 343 * 3, y: 59 * 3, width: 150, height: 150)).isUniform)
      #expect(try result.picture(2, ad: true).isUniform)
    }
  }
}

extension LiveWebKit {
  @Suite("A page with depth")
  struct DepthTests {
    /// A card with a red face and a green rear, turned in space; stripes, half of them under frosted glass. 200x100 dip.
    private static let style = """
      html, body { margin: 0; overflow: hidden; background: #fff }
      .card { position: absolute; left: 0; top: 10px; width: 100px; height: 80px; transform-style: preserve-3d }
      .side { position: absolute; inset: 0; backface-visibility: hidden; background: #f00 }
      .rear { background: #0f0; transform: rotateY(180deg) }
      .stripes { position: absolute; left: 100px; top: 0; width: 100px; height: 100px }
      .stripes { background: repeating-linear-gradient(90deg, #000 0 5px, #fff 5px 10px) }
      .glass { position: absolute; left: 150px; top: 0; width: 50px; height: 100px; backdrop-filter: blur(8px) }
      """
    private static let body = """
      <body><div style="perspective:200px;width:100px;height:100px"><div class="card" id="card">
      <div class="side"></div><div class="side rear"></div></div></div>
      <div class="stripes"></div><div class="glass"></div>
      """
    private static let turn = "transform: rotateY(45deg)"

    @EngineActor private static func render(
      _ files: [String: String], _ compositing: RenderOptions.Compositing = .automatic
    ) async throws -> RenderedCreative {
      var options = TestRender.Options()
      options.placement.size = .init(width: 200, height: 100)
      options.compositing = compositing
      return try await TestRender.shared.render(files: files, options)
    }

    /// Red in the middle, white where only a card that isn't turned would reach, grey under the glass.
    private static func expectDepth(_ render: RenderedCreative) throws {
      #expect(render.record.outcome == .completed)
      #expect(render.record.engine?.compositor == true)
      let picture = try render.picture(1, ad: true)
      let scale = picture.width / 200
      #expect(picture[50 * scale, 50 * scale] == Color(rgb: 0xFF_0000))
      #expect(picture[5 * scale, 50 * scale] == .white)
      // The nearer edge is taller than the farther one.
      let heights = [20, 80].map { x in
        (0..<picture.height).count { picture[x * scale, $0] == Color(rgb: 0xFF_0000) }
      }
      #expect(heights[0] != heights[1])
      #expect((102..<148).contains { picture[$0 * scale, 50 * scale] == Color(rgb: 0) })
      #expect(!(160..<190).contains { [.white, Color(rgb: 0)].contains(picture[$0 * scale, 50 * scale]) })
    }

    @Test("is pictured with its perspective, hidden sides and frosted glass")
    @EngineActor func depth() async throws {
      let html = "<!doctype html><style>\(Self.style) .card { \(Self.turn) }</style>\(Self.body)"
      try Self.expectDepth(await Self.render(["index.html": html]))
    }

    @Test("is begun anew with a compositor when its document doesn't tell, and logged once")
    @EngineActor func foundOut() async throws {
      let render = try await Self.render([
        "index.html": "<!doctype html><link rel=stylesheet href=depth.css>\(Self.body)",
        "depth.css": "\(Self.style) .card { \(Self.turn) }",
      ])
      try Self.expectDepth(render)
      #expect(render.events("host/load").count == 1)
      #expect(render.events("host/failure").isEmpty)
      #expect(render.record.screenshots.map(\.name) == ["001-default"])
    }

    @Test("that a script turns is found out too")
    @EngineActor func scripted() async throws {
      let script = "<script>document.getElementById('card').style.transform = 'rotate' + 'Y(45deg)'</script>"
      try Self.expectDepth(
        await Self.render(["index.html": "<!doctype html><style>\(Self.style)</style>\(Self.body)\(script)"]))
    }

    @Test(
      "is given its compositor after two attempts that ended its web process",
      arguments: [(1, nil), (2, nil), (3, true)] as [(Int, Bool?)])
    @EngineActor func attempts(attempt: Int, compositor: Bool?) async throws {
      let options = TestRender.Options(attempt: attempt)
      let render = try await TestRender.shared.render(html: "<!doctype html><p>Plain</p>", options)
      #expect(render.record.outcome == .completed, "\(render.record.message ?? "")")
      #expect(render.record.engine?.compositor == compositor)
    }

    @Test("that stands still and then turns is right at each instant")
    @EngineActor func instants() async throws {
      let turning = "<script>setTimeout(() => { card.style.transform = 'rotateY(135deg)' }, 3000)</script>"
      let html = "<!doctype html><style>\(Self.style) .card { \(Self.turn) }</style>\(Self.body)\(turning)"
      var options = TestRender.Options(limits: Limits(timeout: 50), clock: .virtual)
      options.placement.size = .init(width: 200, height: 100)
      options.captures = CaptureSchedule(instants: [0, 1, 2, 2.5, 3.5, 4, 5, 6])
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(html: html, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      for number in 1...8 {
        let picture = try result.picture(number, ad: true)
        let colour = picture[picture.width / 4, picture.height / 2]
        #expect(colour == Color(rgb: number < 5 ? 0xFF_0000 : 0x00_FF00), "picture \(number)")
      }
    }

    /// Cards of 50x50 dip in rows of six, red in front and green behind, that `motion` turns.
    private static func cards(_ count: Int, _ motion: String, _ rest: String = "") -> String {
      let cards = (0..<count).map {
        "<div class=card style='left:\($0 % 6 * 50)px;top:\($0 / 6 * 50)px'><i></i><i class=rear></i></div>"
      }
      let style = """
        html { overflow: hidden }
        body { margin: 0; height: 250px; background: #fff; perspective: 600px }
        .card { position: absolute; width: 40px; height: 40px; transform-style: preserve-3d; \(motion) }
        .card i { position: absolute; inset: 0; backface-visibility: hidden; background: #f00 }
        .card .rear { background: #0f0; transform: rotateY(180deg) }
        @keyframes turn { to { transform: rotateY(360deg) } }
        """
      return "<!doctype html><style>\(style)</style><body>\(cards.joined())\(rest)"
    }

    /// Renders in stepped time, at three pixels a dip unless another device is named.
    @EngineActor private static func stepped(
      _ html: String, at instants: [Double], device: String? = nil
    ) async throws -> RenderedCreative {
      var options = TestRender.Options(limits: Limits(timeout: 45), clock: .virtual)
      options.placement.size = .init(width: 300, height: 250)
      if let device { options.device = device }
      options.captures = CaptureSchedule(instants: instants)
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(html: html, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.engine?.compositor == true)
      #expect(result.record.nondeterminism == [.compositor])
      return result
    }

    /// The colours at a place in dip, picture by picture.
    private static func colours(_ render: RenderedCreative, _ x: Int, _ y: Int) throws -> [Color] {
      try (1...render.record.screenshots.count).map { number in
        let picture = try render.picture(number, ad: true)
        let scale = picture.width / 300
        return picture[x * scale, y * scale]
      }
    }

    private static let (front, rear) = (Color(rgb: 0xFF_0000), Color(rgb: 0x00_FF00))

    @Test(
      "that turns for ever comes to rest at each instant, and looks as it does then")
    @EngineActor func endless() async throws {
      let html = Self.cards(24, "animation: turn 4s linear infinite")
      let render = try await Self.stepped(html, at: [0.5, 1.5, 2.5, 3.5, 8.5, 9.5])
      let expected = [Self.front, Self.rear, Self.rear, Self.front, Self.front, Self.rear]
      for (x, y) in [(20, 20), (270, 20), (120, 170)] { #expect(try Self.colours(render, x, y) == expected) }
      let again = try await Self.stepped(html, at: [0.5, 1.5, 2.5, 3.5, 8.5, 9.5])
      for number in 1...6 { #expect(try render.picture(number) == again.picture(number), "picture \(number)") }
    }

    @Test("that turns with a delay of its own comes to rest all the same")
    @EngineActor func delayed() async throws {
      let cards = (0..<24).map {
        """
        <div style="left:\($0 % 6 * 50)px;top:\($0 / 6 * 60)px;animation-delay:\((-Double($0) * 0.05).plain)s">\($0)</div>
        """
      }
      let html = """
        <!doctype html><style>
        body { margin: 0; background: #fff; perspective: 600px }
        div { position: absolute; width: 45px; height: 55px; background: #c33; color: #fff }
        div { animation: turn 3s linear infinite }
        @keyframes turn { to { transform: rotateY(360deg) } }
        </style>\(cards.joined())
        """
      let render = try await Self.stepped(html, at: [0, 2, 9.5])
      let again = try await Self.stepped(html, at: [0, 2, 9.5])
      let pictures = try (1...3).map { try render.picture($0, ad: true) }
      #expect(pictures[0] != pictures[1] && pictures[1] != pictures[2])
      for number in 1...3 { #expect(try pictures[number - 1] == again.picture(number, ad: true), "picture \(number)") }
    }

    @Test("is on its way at each instant of its transitions")
    @EngineActor func transitions() async throws {
      let turning = """
        <style>.on .card { transform: rotateY(180deg) }</style>
        <script>setTimeout(() => document.body.className = "on", 500)</script>
        """
      let motion = "height: 30px; will-change: transform; transition: transform 4s linear"
      let render = try await Self.stepped(Self.cards(40, motion, turning), at: [0, 1, 2, 4, 5])
      #expect(
        try Self.colours(render, 20, 15) == [Self.front, Self.front, Self.front, Self.rear, Self.rear])
      let pictures = try (1...5).map { try render.picture($0, ad: true) }
      for (one, other) in zip(pictures, pictures.dropFirst()) { #expect(one != other) }
    }

    @Test(
      "is drawn with what its scripts do in the same frame",
      arguments: ["320x568@1", "320x568@2", "320x568@3"])
    @EngineActor func mixed(device: String) async throws {
      let moving = """
        <div id=bar style="position:absolute;left:0;top:230px;height:20px;background:#00f"></div>
        <canvas id=canvas width=300 height=20 style="position:absolute;left:0;top:200px"></canvas>
        <script>
          const gl = canvas.getContext("webgl");
          requestAnimationFrame(function next(now) {
            bar.style.width = `${Math.floor(now / 100) * 10}px`;
            gl.clearColor(now < 800 ? 1 : 0, now < 800 ? 0 : 1, 0, 1);
            gl.clear(gl.COLOR_BUFFER_BIT);
            requestAnimationFrame(next);
          });
        </script>
        """
      let html = Self.cards(6, "animation: turn 4s linear infinite", moving)
      let render = try await Self.stepped(html, at: [0.35, 1.35], device: device)
      #expect(try Self.colours(render, 20, 20) == [Self.front, Self.rear])
      #expect(try Self.colours(render, 150, 210) == [Self.front, Self.rear])
      for (number, width) in [(1, 30), (2, 130)] {
        let picture = try render.picture(number, ad: true)
        let scale = picture.width / 300
        let blue = (0..<picture.width).count { picture[$0, 240 * scale] == Color(rgb: 0x00_00FF) }
        #expect(blue == width * scale, "picture \(number)")
      }
    }

    @Test("is flat when no compositor may draw it")
    @EngineActor func flat() async throws {
      let html = "<!doctype html><style>\(Self.style) .card { \(Self.turn) }</style>\(Self.body)"
      let render = try await Self.render(["index.html": html], .never)
      #expect(render.record.engine?.compositor == nil)
      let picture = try render.picture(1, ad: true)
      #expect(picture[picture.width / 4, picture.height / 2] == Color(rgb: 0x00_FF00))
    }

    @Test(
      "isn't seen in what only asks to be drawn apart",
      arguments: [
        "transform: translateZ(0)", "transform: translate3d(4px, 0, 0)", "backface-visibility: hidden",
        "will-change: transform", "perspective: 100px", "transform: rotate(30deg) scale(1.2)",
      ])
    @EngineActor func none(declaration: String) async throws {
      let html = "<!doctype html><link rel=stylesheet href=a.css><div>plain</div>"
      let render = try await Self.render(["index.html": html, "a.css": "div { \(declaration) }"])
      #expect(render.record.outcome == .completed)
      #expect(render.record.engine?.compositor == nil)
    }
  }
}
