internal import CWebKitGTK
internal import Core
internal import Glibc
internal import Machine

/// Gives the engine the pinned fonts.
enum FontSetup {
  static let fileName = "fonts.conf"

  /// Where their configuration lies, for web processes in the sandbox; nil when the caller has one, or it can't be written.
  static let folder = makeFolder()

  /// Names the configuration to every process of the engine; a caller's own stays in force.
  static func prepareEnvironment() {
    if let folder { setenv(PinnedFonts.variable, "\(folder)/\(fileName)", 1) }
  }

  /// Draws text the same way on every machine; once GTK is there.
  @WebKitActor static func fixDrawing() { galley_fix_drawing() }

  private static func makeFolder() -> String? {
    guard PinnedFonts.areInForce, let folder = EngineFolders.make() else { return nil }
    let file = open("\(folder)/\(fileName)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { return nil }
    defer { close(file) }
    do throws(SystemError) {
      try FileWriting.writeAll(PinnedFonts.configuration, to: file)
      return folder
    } catch {
      return nil
    }
  }
}
