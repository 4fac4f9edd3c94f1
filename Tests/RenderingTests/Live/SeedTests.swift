import MRAID
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("Chance with a seed")
  struct SeedTests {
    /// Logs numbers of every source, those of a frame, and what a page may look at to tell.
    private static let page = """
      <!doctype html><iframe srcdoc="<script>parent.inner = Math.random()</script>"></iframe><script>
      onload = () => {
        const numbers = Array.from({ length: 1000 }, Math.random);
        console.log("numbers " + JSON.stringify({
          first: numbers.slice(0, 3), inner, bytes: [...crypto.getRandomValues(new Uint8Array(4))],
          words: [...crypto.getRandomValues(new Uint16Array(2))], name: crypto.randomUUID(),
        }));
        const refused = (call) => { try { call(); } catch (error) { return error.name; } };
        console.log("facts " + JSON.stringify({
          inRange: numbers.every((number) => number >= 0 && number < 1), distinct: new Set(numbers).size,
          even: Math.abs(numbers.reduce((sum, number) => sum + number, 0) / 1000 - 0.5) < 0.05,
          names: [Math.random.name, crypto.getRandomValues.name, Math.random.length, "prototype" in Math.random],
          uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()),
          floats: refused(() => crypto.getRandomValues(new Float32Array(1))),
          long: refused(() => crypto.getRandomValues(new Uint8Array(65537))),
          keys: Object.keys(Math).length,
        }));
      };
      </script>
      """

    @WebKitActor private static func render(seed: UInt32?) async throws -> RenderedCreative {
      try await TestRender.shared.render(html: page, .init(seed: seed))
    }

    @Test("gives the same numbers every time, others with another seed, and leaves it without one")
    @WebKitActor func sequences() async throws {
      let first = try #require(try await Self.render(seed: 7).facts("numbers"))
      #expect(try await Self.render(seed: 7).facts("numbers") == first)
      #expect(try await Self.render(seed: 8).facts("numbers") != first)
      #expect(try await Self.render(seed: nil).facts("numbers") != first)
    }

    @Test("looks like chance, and its functions like the engine's")
    @WebKitActor func looks() async throws {
      #expect(
        try await Self.render(seed: 1).facts() == [
          "inRange": true, "distinct": 1000, "even": true, "names": ["random", "getRandomValues", 0, false],
          "uuid": true, "floats": "TypeMismatchError", "long": "QuotaExceededError", "keys": 0,
        ])
    }
  }
}
