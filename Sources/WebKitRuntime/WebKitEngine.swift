internal import CClock
internal import Core
internal import CWebKitGTK
internal import Files
internal import Glibc
internal import Machine
package import Startup
internal import Synchronization

/// The engine as a whole: its environment, its version, its display.
package enum WebKitEngine {
  /// The engine can't run on this machine.
  package struct StartError: Error, CustomStringConvertible {
    package let description: String
  }

  /// `2.50.6`
  package static var version: String {
    "\(webkit_get_major_version()).\(webkit_get_minor_version()).\(webkit_get_micro_version())"
  }

  /// Takes over what was begun before this program was linked; before all else.
  package static func takeStarted() -> StartedAhead? {
    let ahead = StartedAhead.take()
    if let ahead { EngineFolders.adopt(ahead.folder) }
    return ahead
  }

  /// Starts a display, on a thread that lives as long as this process.
  package static func startDisplay() throws(VirtualDisplay.StartError) -> VirtualDisplay.Starting {
    guard let folder = EngineFolders.root else {
      throw VirtualDisplay.StartError(
        description: "no folder can be made in \(EngineFolder.place): \(SystemError(errno))")
    }
    return try VirtualDisplay.start(in: folder)
  }

  /// Has the engine use a display; before the first use of `WebKitActor`.
  package static func prepareDisplay(_ display: VirtualDisplay) { setenv("DISPLAY", display.name, 1) }

  /// Sets what the engine reads from the environment beside its display; before the first use of `WebKitActor`.
  package static func prepareEnvironment() {
    let values = [
      "GDK_BACKEND": "x11",
      // Each of these spares start-up time or a helper process.
      "NO_AT_BRIDGE": "1",
      "GIO_USE_VFS": "local",
      "GSETTINGS_BACKEND": "memory",
      "GTK_A11Y": "none",
      // Any other value leaves composited pages without a compositor.
      "WEBKIT_DISABLE_DMABUF_RENDERER": "0",
      // Pictures don't depend on the person's desktop.
      "GTK_THEME": "Adwaita",
      "GTK_CSD": "0",
      "LIBGL_ALWAYS_SOFTWARE": "1",
      "GDK_SCALE": "1",
      "GDK_DPI_SCALE": "1",
    ]
    FontSetup.prepareEnvironment()
    for (name, value) in values { setenv(name, value, 1) }
    let others = ["WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "GTK_MODULES", CLOCK_NETWORK_VARIABLE]
    for name in others { unsetenv(name) }
  }

  /// Keeps freed memory for reuse: pictures come and go by the dozen of megabytes, and zeroing them anew costs more.
  package static func keepFreedMemory() { galley_keep_freed_memory() }

  /// Opens the display; throws when GTK can't.
  package static func start() async throws(StartError) {
    let open = await WebKitActor.run { WebKitActor.displayIsOpen }
    if open { await FontSetup.fixDrawing() }
    guard open else {
      throw StartError(description: "GTK can't open the display \(getenv("DISPLAY").map { String(cString: $0) } ?? "")")
    }
  }

  /// Clears away what was made for the engine; before the process ends.
  package static func end() { EngineFolders.removeAll() }

  @WebKitActor private static var monitorIsSet = false

  /// Makes the screen that new web views see: `width` × `height` dip at `scale` pixels each.
  @WebKitActor package static func setScreen(width: Int, height: Int, scale: Int) {
    let (across, down) = (Bounded.product(width, scale), Bounded.product(height, scale))
    galley_set_monitor(Int32(clamping: across), Int32(clamping: down), monitorIsSet ? 1 : 0)
    // GDK looks at the monitors again when the scale changes, and only then.
    if !monitorIsSet, scale == 1 { _ = galley_set_scale(2) }
    monitorIsSet = true
    _ = galley_set_scale(Int32(scale))
  }

  /// The same, unless a screen was set before: web processes keep to the one that the first of them found.
  @WebKitActor package static func setFirstScreen(width: Int, height: Int, scale: Int) {
    guard !monitorIsSet else { return }
    setScreen(width: width, height: height, scale: scale)
  }
}

/// Gives the engine the pinned fonts.
enum FontSetup {
  static let fileName = "fonts.conf"

  /// Where their configuration lies, for web processes in the sandbox; nil when the caller has one, or it can't be written.
  static let folder = makeFolder()

  /// What web processes in the sandbox have to be shown of a caller's own fonts, folders and settings: beside the system's
  /// they find those in the usual places alone, and draw nothing at all by a font that they can't read.
  static let ownPlaces = folder == nil ? places(of: UsableFonts()) : []

  private static func places(of fonts: UsableFonts) -> [String] {
    let folders = fonts.files.map { file in file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "" }
    let own = Set(folders + fonts.settings).filter { path in !["/usr/", "/etc/fonts/"].contains { path.hasPrefix($0) } }
    // Each is an argument of the sandbox's program.
    return Array(own.filter { $0.count > 1 }.sorted().prefix(200))
  }

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

/// The folders of what is shared with the engine's processes, all in one of this process's own.
enum EngineFolders {
  private struct Own {
    var root: (path: String, lock: Int32)?
    var made = 0
  }

  private static let own = Mutex(Own())

  /// The folder that holds all others; nil when there is no place for one.
  ///
  /// The first call makes it, and clears away those of processes that were killed.
  static var root: String? {
    own.withLock { own in
      if own.root == nil {
        EngineFolder.sweep()
        own.root = EngineFolder.make()
      }
      return own.root?.path
    }
  }

  /// Takes over the folder that was made for this process before it was this program.
  static func adopt(_ folder: (path: String, lock: Int32)) { own.withLock { $0.root = folder } }

  /// Makes an empty folder; nil when there is no place for one.
  static func make() -> String? {
    guard let root else { return nil }
    let number = own.withLock { own in
      own.made += 1
      return own.made
    }
    let folder = "\(root)/\(number)"
    return mkdir(folder, 0o700) == 0 ? folder : nil
  }

  /// Removes one that `make` made.
  static func remove(_ folder: String) { EngineFolder.remove(folder) }

  /// For the end of the process.
  static func removeAll() {
    let root = own.withLock { own in
      defer { own.root = nil }
      return own.root
    }
    guard let root else { return }
    EngineFolder.remove(root.path)
    close(root.lock)
  }
}

/// The home folder as the engine sees it.
package enum HomeFolder {
  /// Replaces one that isn't there or that this user may not enter, as service managers and containers have it: the
  /// engine doesn't look whether it found one, and bubblewrap can't start over a closed one.
  package static func replaceIfClosed() {
    guard access(path, X_OK) != 0, let empty = EngineFolders.make() else { return }
    // Nothing is to be kept there.
    chmod(empty, 0o500)
    setenv("HOME", empty, 1)
  }

  /// As GLib finds it.
  private static var path: String {
    if let home = getenv("HOME") { return String(cString: home) }
    return getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? ""
  }
}

/// Libraries that the engine's processes get ahead of the C library; those that run already don't.
package enum PreloadedLibraries {
  private static let variable = "LD_PRELOAD"

  /// Adds one by its path, before those of the caller's; false where it isn't there.
  @discardableResult package static func add(_ library: String) -> Bool {
    guard access(library, R_OK) == 0 else { return false }
    let others = getenv(variable).map { String(cString: $0) } ?? ""
    let list = others.split { $0 == ":" || $0 == " " }.map(String.init)
    if !list.contains(library) { setenv(variable, ([library] + list).joined(separator: ":"), 1) }
    return true
  }

  /// Shuts the network process off from the machine's files, where the kernel can; web processes have the sandbox.
  package static func addGuard(from folder: String) { add("\(folder)/libGalleyGuard.so") }
}
