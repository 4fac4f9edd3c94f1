package import Comparison
internal import Core
internal import FoundationEssentials
internal import Machine
package import RenderModel

/// Parts of a fingerprint that depend on this machine; measured once before any render.
package struct MachineFingerprint: Sendable {
  private let gl: String?
  private let fonts: [Fingerprint.Font]
  private let fontSettings: String

  /// Reads every font file, which takes a tenth of a second for those that Galley needs, more with more fonts.
  package init() {
    gl = GraphicsDriver.name()
    let installed = UsableFonts()
    fonts = installed.files.map { Fingerprint.Font(file: Self.name($0), sha256: Self.hash($0)) }
    // Settings say which come first by their order, and by names that don't hold this machine's paths.
    fontSettings =
      PinnedFonts.areInForce
      ? Document.hash(of: PinnedFonts.configuration)
      : Document.hash(ofJSON: installed.settings.map { "\(Self.name($0)) \(Self.hash($0))" })
  }

  /// Returns the whole fingerprint of a render; nil if no engine drew anything.
  package func of(_ record: RenderRecord, _ job: RenderJob) -> Fingerprint? {
    record.engine.map { engine in
      Fingerprint(
        galley: engine.galley, webkit: engine.webkit, gl: gl, device: job.device, clock: job.options.clock,
        fonts: fonts, fontSettings: fontSettings)
    }
  }

  private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Returns the hash of a file's contents; one that can't be read counts as empty, since it isn't used for drawing.
  private static func hash(_ path: String) -> String {
    Document.hash(of: (try? FileReading.regular(path, most: 1 << 30)) ?? [])
  }
}
