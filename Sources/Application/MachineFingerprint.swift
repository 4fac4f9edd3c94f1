package import Comparison
internal import FoundationEssentials
internal import Machine
package import RenderModel

/// What of this machine goes into a fingerprint; measured once, before anything is rendered.
package struct MachineFingerprint: Sendable {
  private let gl: String?
  private let fonts: [Fingerprint.Font]
  private let fontSettings: String

  /// Reads every font file: a tenth of a second for what Galley needs, more where more is installed.
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

  /// The whole fingerprint of a render; nil when no engine drew anything.
  package func of(_ record: RenderRecord, _ job: RenderJob) -> Fingerprint? {
    record.engine.map { engine in
      Fingerprint(
        galley: engine.galley, webkit: engine.webkit, gl: gl, device: job.device, clock: job.options.clock,
        fonts: fonts, fontSettings: fontSettings)
    }
  }

  private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// A file that can't be read is drawn with by nobody.
  private static func hash(_ path: String) -> String {
    Document.hash(of: FileManager.default.contents(atPath: path).map(Array.init) ?? [])
  }
}
