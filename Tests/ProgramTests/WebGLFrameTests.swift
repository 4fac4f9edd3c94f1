import Foundation
import Pixels
import RenderModel
import Testing

extension ProgramTier {
  /// WebGL in frames of which no picture is taken: they aren't drawn, and pictures show the same as if they were.
  @Suite struct WebGLFrameTests {
    private let program: Program
    init() throws { program = try Program() }

    /// Kind of motion: what a page draws, and the colour in the middle at the end.
    private struct Kind {
      let name: String
      var context = "webgl"
      var options = ""
      var setUp = ""
      let draw: String
      /// Nil where red is the number of frames: 93 to 100 in 1.6 s.
      var colour: [UInt8]?
    }

    /// A canvas of 200 x 100; `draw` runs in each frame with its number and answers if it wants another.
    private static func page(_ kind: Kind) -> String {
      """
      <!doctype html><meta name="ad.size" content="width=200,height=100">
      <body style="margin: 0"><canvas id="canvas" width="200" height="100" style="display: block"></canvas><script>
        const gl = canvas.getContext("\(kind.context)", {antialias: false, \(kind.options)});
        const fill = (r, g, b) => { gl.clearColor(r / 255, g / 255, b / 255, 1); gl.clear(gl.COLOR_BUFFER_BIT); };
        const within = (x, y, w, h, act) => {
          gl.enable(gl.SCISSOR_TEST); gl.scissor(x, y, w, h); act(); gl.disable(gl.SCISSOR_TEST);
        };
        const buffer = () => {
          const made = gl.createFramebuffer(), texture = gl.createTexture();
          gl.bindTexture(gl.TEXTURE_2D, texture);
          gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 200, 100, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
          gl.bindFramebuffer(gl.FRAMEBUFFER, made);
          gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
          gl.bindFramebuffer(gl.FRAMEBUFFER, null);
          gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
          gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
          gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
          made.texture = texture;
          return made;
        };
        const into = (target, act) => {
          gl.bindFramebuffer(gl.FRAMEBUFFER, target); act(); gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        };
        const program = gl.createProgram();
        for (const [kind, text] of [
          [gl.VERTEX_SHADER, "attribute vec2 p; varying vec2 t; void main() { t = p; gl_Position = vec4(p * 2. - 1., 0, 1); }"],
          [gl.FRAGMENT_SHADER, "precision highp float; varying vec2 t; uniform sampler2D s; uniform float more;" +
            "void main() { gl_FragColor = vec4(texture2D(s, t).rgb + vec3(more, 0, 0), 1); }"],
        ]) {
          const shader = gl.createShader(kind);
          gl.shaderSource(shader, text); gl.compileShader(shader); gl.attachShader(program, shader);
        }
        gl.linkProgram(program); gl.useProgram(program);
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 2, 0, 0, 2]), gl.STATIC_DRAW);
        gl.enableVertexAttribArray(0); gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
        // Draws what one framebuffer has on another, and a little more of red.
        const copy = (source, target, more = 0) => into(target, () => {
          gl.uniform1f(gl.getUniformLocation(program, "more"), more);
          gl.bindTexture(gl.TEXTURE_2D, source.texture);
          gl.clear(gl.COLOR_BUFFER_BIT);
          gl.drawArrays(gl.TRIANGLES, 0, 3);
          gl.bindTexture(gl.TEXTURE_2D, null);
        });
        const a = buffer(), b = buffer();
        let n = 0;
        \(kind.setUp)
        const draw = (n) => { \(kind.draw) };
        requestAnimationFrame(function next() {
          n += 1;
          if (draw(n) !== false) requestAnimationFrame(next);
        });
      </script>
      """
    }

    private static let kinds = [
      Kind(name: "each", draw: "fill(n, 0, 255 - n)"),
      Kind(name: "third", draw: "if (n % 3 === 0) fill(n, 0, 255 - n)"),
      Kind(name: "ends", draw: "fill(n, 200, 0); return n < 60", colour: [60, 200, 0]),
      Kind(name: "rests", draw: "if (n <= 60) fill(n, 200, 0)", colour: [60, 200, 0]),
      Kind(
        name: "trail", options: "preserveDrawingBuffer: true", draw: "within(0, 0, n, 100, () => fill(0, 90, 0))",
        colour: [0, 90, 0]),
      Kind(
        name: "adds", draw: "into(a, () => within(n, 0, 1, 100, () => fill(0, 0, 99))); copy(a, null)",
        colour: [0, 0, 99]),
      Kind(
        name: "kept", draw: "into(a, () => fill(n, 80, 0)); if (n === 60) copy(a, b); copy(b, null)",
        colour: [60, 80, 0]),
      // Each frame is made of the one before, so all have to be drawn.
      Kind(name: "feedback", draw: "const [x, y] = n % 2 ? [a, b] : [b, a]; copy(x, y, 1 / 255); copy(y, null)"),
      Kind(name: "through", draw: "into(a, () => fill(n, 80, 0)); copy(a, b); copy(b, null)"),
      Kind(
        name: "read",
        draw: """
          fill(n, 120, 0);
          if (n === 60) {
            const pixel = new Uint8Array(4);
            gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
            canvas.hidden = true; canvas.style.display = "none";
            document.body.style.background = `rgb(${pixel[0]},${pixel[1]},${pixel[2]})`;
          }
          """, colour: [60, 120, 0]),
      Kind(
        name: "copied",
        draw: """
          fill(n, 140, 0);
          if (n === 60) {
            const still = document.createElement("canvas");
            still.width = 200; still.height = 100; still.style.display = "block";
            still.getContext("2d").drawImage(canvas, 0, 0);
            canvas.replaceWith(still);
          }
          """, colour: [60, 140, 0]),
      // One face of a cube is drawn anew in each frame; the other, drawn once, is what the page shows.
      Kind(
        name: "cube",
        setUp: """
          const cube = gl.createTexture();
          gl.bindTexture(gl.TEXTURE_CUBE_MAP, cube);
          for (let at = 0; at < 6; at += 1) {
            gl.texImage2D(
              gl.TEXTURE_CUBE_MAP_POSITIVE_X + at, 0, gl.RGBA, 64, 64, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
          }
          const faces = [0, 1].map((at) => {
            const made = gl.createFramebuffer();
            into(made, () => gl.framebufferTexture2D(
              gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_CUBE_MAP_POSITIVE_X + at, cube, 0));
            return made;
          });
          """,
        draw: """
          if (n === 30) into(faces[1], () => fill(n, 110, 0));
          into(faces[0], () => fill(n, 0, 200));
          into(faces[1], () => {
            gl.bindTexture(gl.TEXTURE_2D, a.texture);
            gl.copyTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 0, 0, 64, 64);
          });
          copy(a, null);
          """, colour: [30, 110, 0]),
      // The same with two levels of a texture.
      Kind(
        name: "levels", context: "webgl2",
        setUp: """
          const whole = gl.createTexture();
          gl.bindTexture(gl.TEXTURE_2D, whole);
          gl.texStorage2D(gl.TEXTURE_2D, 2, gl.RGBA8, 128, 128);
          const levels = [0, 1].map((at) => {
            const made = gl.createFramebuffer();
            into(made, () => gl.framebufferTexture2D(
              gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, whole, at));
            return made;
          });
          """,
        draw: """
          if (n === 30) into(levels[1], () => fill(n, 130, 0));
          into(levels[0], () => fill(n, 0, 200));
          into(levels[1], () => {
            gl.bindTexture(gl.TEXTURE_2D, a.texture);
            gl.copyTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 0, 0, 64, 64);
          });
          copy(a, null);
          """, colour: [30, 130, 0]),
      // The colours are drawn anew in each frame, but the page shows the depths, which are drawn until frame 60.
      Kind(
        name: "depth", context: "webgl2",
        setUp: """
          const depths = gl.createTexture();
          gl.bindTexture(gl.TEXTURE_2D, depths);
          gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, 200, 100);
          gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
          gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
          into(a, () => gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, depths, 0));
          """,
        draw: """
          into(a, () => {
            if (n <= 60) { gl.clearDepth(n / 255); gl.clear(gl.DEPTH_BUFFER_BIT); }
            fill(0, 0, n);
          });
          copy({texture: depths}, null);
          """, colour: [60, 0, 0]),
    ]

    private static let instants = (1...48).map { String(format: "%.4f", Double($0) / 30) }

    @Test("pictures are the same if a frame before them wasn't drawn")
    func pictures() async throws {
      for kind in Self.kinds { try program.file("\(kind.name).html", Self.page(kind)) }
      let files = Self.kinds.map { "\($0.name).html" }.joined(separator: " ")
      let last = try #require(Self.instants.last)
      let few = try await program.shell("\"$GALLEY\" render \(files) --at \(last) --out few --timeout 60")
      try #require(few.code == 0, "\(few.output)\(few.errors)")
      // A picture at each second frame leaves none out.
      let all = try await program.shell(
        "\"$GALLEY\" render \(files) --at \(Self.instants.joined(separator: ",")) --out all --timeout 60")
      try #require(all.code == 0, "\(all.output)\(all.errors)")
      for kind in Self.kinds {
        let picture = try image("few/\(kind.name)")
        #expect(try picture == image("all/\(kind.name)"), "\(kind.name): another picture")
        let pixel = picture[picture.width / 4, picture.height / 2]
        let middle = [16, 8, 0].map { UInt8(truncatingIfNeeded: pixel.premultiplied >> $0) }
        if let colour = kind.colour {
          // The engine rounds 60/255 to 59.
          let isRight = zip(middle, colour).allSatisfy { max($0, $1) - min($0, $1) <= 1 }
          #expect(isRight, "\(kind.name): \(middle)")
        } else {
          #expect((93...100).contains(middle[0]), "\(kind.name): \(middle)")
        }
      }
    }

    /// The ad's picture at the last instant of a render.
    private func image(_ folder: String) throws -> Bitmap {
      let screenshots = "\(program.folder)/\(folder)/screenshots"
      let names = try FileManager.default.contentsOfDirectory(atPath: screenshots)
      let name = try #require(names.filter { $0.contains("-at-") && $0.hasSuffix("-ad.png") }.max())
      return try PNGDecoder.read(path: "\(screenshots)/\(name)")
    }
  }
}
