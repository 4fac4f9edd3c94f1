import Foundation
import Pixels
import RenderModel
import Testing

extension ProgramTier {
  /// WebGL in frames of which no picture is taken: they aren't drawn, and pictures show the same as if they were.
  @Suite struct WebGLFrameTests {
    private let program: Program
    init() throws { program = try Program() }

    /// A canvas of 200 x 100; `draw` runs in each frame with its number and answers if it wants another.
    private static func page(_ options: String, _ draw: String) -> String {
      """
      <!doctype html><meta name="ad.size" content="width=200,height=100">
      <body style="margin: 0"><canvas id="canvas" width="200" height="100" style="display: block"></canvas><script>
        const gl = canvas.getContext("webgl", {antialias: false, \(options)});
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
        const draw = (n) => { \(draw) };
        requestAnimationFrame(function next() {
          n += 1;
          if (draw(n) !== false) requestAnimationFrame(next);
        });
      </script>
      """
    }

    /// Kinds of motion, with the page's options, what it draws, and the colour in the middle at the end.
    ///
    /// Where no colour is given, its red is the number of frames: 93 to 100 in 1.6 s.
    private static let kinds: [(name: String, options: String, draw: String, colour: [UInt8]?)] = [
      ("each", "", "fill(n, 0, 255 - n)", nil),
      ("third", "", "if (n % 3 === 0) fill(n, 0, 255 - n)", nil),
      ("ends", "", "fill(n, 200, 0); return n < 60", [60, 200, 0]),
      ("rests", "", "if (n <= 60) fill(n, 200, 0)", [60, 200, 0]),
      ("trail", "preserveDrawingBuffer: true", "within(0, 0, n, 100, () => fill(0, 90, 0))", [0, 90, 0]),
      ("adds", "", "into(a, () => within(n, 0, 1, 100, () => fill(0, 0, 99))); copy(a, null)", [0, 0, 99]),
      ("kept", "", "into(a, () => fill(n, 80, 0)); if (n === 60) copy(a, b); copy(b, null)", [60, 80, 0]),
      // Each frame is made of the one before, so all have to be drawn.
      ("feedback", "", "const [x, y] = n % 2 ? [a, b] : [b, a]; copy(x, y, 1 / 255); copy(y, null)", nil),
      ("through", "", "into(a, () => fill(n, 80, 0)); copy(a, b); copy(b, null)", nil),
      (
        "read", "",
        """
        fill(n, 120, 0);
        if (n === 60) {
          const pixel = new Uint8Array(4);
          gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
          canvas.hidden = true; canvas.style.display = "none";
          document.body.style.background = `rgb(${pixel[0]},${pixel[1]},${pixel[2]})`;
        }
        """, [60, 120, 0]
      ),
      (
        "copied", "",
        """
        fill(n, 140, 0);
        if (n === 60) {
          const still = document.createElement("canvas");
          still.width = 200; still.height = 100; still.style.display = "block";
          still.getContext("2d").drawImage(canvas, 0, 0);
          canvas.replaceWith(still);
        }
        """, [60, 140, 0]
      ),
    ]

    private static let instants = (1...48).map { String(format: "%.4f", Double($0) / 30) }

    @Test("pictures are the same if a frame before them wasn't drawn")
    func pictures() async throws {
      for kind in Self.kinds { try program.file("\(kind.name).html", Self.page(kind.options, kind.draw)) }
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
