internal import CClock
internal import CWebKitGTK
internal import Core
internal import Engine
internal import Files
internal import Glibc
internal import Machine
package import Startup
internal import Synchronization

/// The engine as a whole: its environment, version and display.
package enum WebKitEngine {
  /// Error if the engine can't run on this machine.
  package struct StartError: Error, CustomStringConvertible {
    package let description: String
  }

  /// Version of the engine, like `2.50.6`.
  package static var version: String {
    "\(webkit_get_major_version()).\(webkit_get_minor_version()).\(webkit_get_micro_version())"
  }

  /// Takes over what was started before this program was linked; to be called before everything else.
  package static func takeStarted() -> Prelaunch? {
    let ahead = Prelaunch.take()
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

  /// Makes the engine's processes use a display and find its cookie; to be called before the first use of
  /// `EngineActor`.
  package static func prepareDisplay(_ display: VirtualDisplay) {
    setenv("DISPLAY", display.name, 1)
    if let root = EngineFolders.root { setenv("XAUTHORITY", VirtualDisplay.cookie(in: root), 1) }
  }

  /// Names this engine as the one in use and sets the environment variables that it reads, other than its display's.
  ///
  /// To be called before the first use of `EngineActor`.
  package static func prepareEnvironment() {
    EngineActor.use { GLibExecutor.shared }
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

  /// Keeps freed memory for reuse: images of dozens of megabytes come and go, and zeroing their memory anew costs more.
  package static func keepFreedMemory() { galley_keep_freed_memory() }

  /// Opens the display; throws if GTK can't.
  package static func start() async throws(StartError) {
    let open = await EngineActor.run { GLibExecutor.shared.displayIsOpen }
    if open { await FontSetup.fixDrawing() }
    guard open else {
      throw StartError(description: "GTK can't open the display \(getenv("DISPLAY").map { String(cString: $0) } ?? "")")
    }
  }

  /// Removes everything that was made for the engine; to be called before the process ends.
  package static func end() { EngineFolders.removeAll() }

  @EngineActor private static var monitorIsSet = false

  /// Sets the screen for new web views: `width` × `height` dip at `scale` pixels each.
  @EngineActor package static func setScreen(width: Int, height: Int, scale: Int) {
    let (across, down) = (Bounded.product(width, scale), Bounded.product(height, scale))
    galley_set_monitor(Int32(clamping: across), Int32(clamping: down), monitorIsSet ? 1 : 0)
    // GDK looks at the monitors again when the scale changes, and only then.
    if !monitorIsSet, scale == 1 { _ = galley_set_scale(2) }
    monitorIsSet = true
    _ = galley_set_scale(Int32(scale))
  }

  /// Sets the screen unless one was set before, as web processes keep to the one that the first of them found.
  @EngineActor package static func setFirstScreen(width: Int, height: Int, scale: Int) {
    guard !monitorIsSet else { return }
    setScreen(width: width, height: height, scale: scale)
  }
}

/// Provides the engine with the pinned fonts.
enum FontSetup {
  static let fileName = "fonts.conf"

  /// Folder with their configuration, for web processes in the sandbox; nil if the caller has its own, or it can't be
  /// written.
  static let folder = makeFolder()

  /// Folders and settings of a caller's own fonts, to be made visible to web processes in the sandbox.
  ///
  /// Besides the system's fonts they find only those in the usual places, and a font that they can't read leaves text
  /// undrawn.
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

  /// Makes text look the same on every machine; to be called once GTK has started.
  @EngineActor static func fixDrawing() { galley_fix_drawing() }

  private static func makeFolder() -> String? {
    guard PinnedFonts.areInForce, let folder = EngineFolders.make() else { return nil }
    let file = open("\(folder)/\(fileName)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { return nil }
    defer { close(file) }
    do throws(SystemError) {
      try FileWriting.writeAll(PinnedFonts.configuration(cachingIn: "\(folder)/cache"), to: file)
      return folder
    } catch {
      return nil
    }
  }
}

/// Folders for data shared with the engine's processes, all in one folder of this process.
enum EngineFolders {
  private struct Own {
    var root: (path: String, lock: Int32)?
    var made = 0
  }

  private static let own = Mutex(Own())

  /// Folder that holds all others; nil if none can be made.
  ///
  /// The first call makes it, and removes those of processes that were killed.
  static var root: String? {
    own.withLock { own in
      if own.root == nil {
        EngineFolder.sweep()
        own.root = EngineFolder.make()
      }
      return own.root?.path
    }
  }

  /// Takes over the folder that was made for this process before it became this program.
  static func adopt(_ folder: (path: String, lock: Int32)) { own.withLock { $0.root = folder } }

  /// Makes an empty folder; nil if none can be made.
  static func make() -> String? {
    guard let root else { return nil }
    let number = own.withLock { own in
      own.made += 1
      return own.made
    }
    let folder = "\(root)/\(number)"
    return mkdir(folder, 0o700) == 0 ? folder : nil
  }

  /// Removes a folder that `make` made.
  static func remove(_ folder: String) { EngineFolder.remove(folder) }

  /// Removes all folders, at the end of the process.
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

/// Home folder that the engine sees: empty at first, used by this worker alone, and removed with it.
package enum HomeFolder {
  /// Cache folders of the engine's processes, which can't create them in the sandbox and need them to exist.
  ///
  /// They include that of compiled shaders, without which a page with 3D takes over a second of processor time more.
  private static let caches = ["gstreamer-1.0", "mesa_shader_cache", "mesa_shader_cache_db"]

  /// Replaces the user's home folder, whose settings would show in screenshots; in an enclosure it has been replaced
  /// before.
  package static func replace(isEnclosed: Bool) {
    let own = isEnclosed ? getenv("HOME").map { String(cString: $0) } : EngineFolders.make()
    guard let own else { return }
    setenv("HOME", own, 1)
    for path in [".cache"] + caches.map({ ".cache/\($0)" }) { mkdir("\(own)/\(path)", 0o700) }
  }
}

/// Libraries that processes of the engine load ahead of the C library; processes that run already are unaffected.
package enum PreloadedLibraries {
  private static let variable = "LD_PRELOAD"

  /// Adds a library by its path, ahead of the caller's own; false if it can't be read.
  @discardableResult package static func add(_ library: String) -> Bool {
    guard access(library, R_OK) == 0 else { return false }
    let others = getenv(variable).map { String(cString: $0) } ?? ""
    let list = others.split { $0 == ":" || $0 == " " }.map(String.init)
    if !list.contains(library) { setenv(variable, ([library] + list).joined(separator: ":"), 1) }
    return true
  }

  /// Denies the network process access to the machine's files, if the kernel supports that; web processes have the
  /// sandbox.
  package static func addGuard(from folder: String) { add("\(folder)/libGalleyGuard.so") }
}
