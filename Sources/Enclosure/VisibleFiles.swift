internal import Glibc
internal import Machine

/// What of the machine rendering takes, whatever is rendered.
struct VisibleFiles {
  /// Absolute paths to be seen and not changed; none lies in another.
  private(set) var readable: [String] = []
  /// The same of what stays as it is for as long as a worker lives.
  private(set) var settled: [String] = []
  /// Caches that the engine's processes fill.
  private(set) var writable: [String] = []
  /// Folders that have to be there.
  private(set) var empty = ["/var/cache", "/run", "/job"]
  /// What isn't of any disk.
  let devices = [
    "/proc", "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/dri",
  ]
  /// Where links of the view lead.
  private(set) var links = [("/var/tmp", "../tmp"), ("/dev/fd", "/proc/self/fd")]
  /// Files of our own: users there are none but this one.
  private(set) var texts: [(String, String)] = []

  /// Programs and libraries.
  private static let programs = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]
  /// What libraries look for; links of these lead to others of these. Nothing that tells who or what else is here.
  private static let settings = [
    "/usr", "/sys", "/nix/store", "/gnu/store", "/run/opengl-driver", "/run/current-system",
    "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/run/nscd", "/var/cache/fontconfig",
    "/var/lib/ca-certificates", "/etc/alternatives", "/etc/ssl", "/etc/pki", "/etc/ca-certificates",
    "/etc/ca-certificates.conf", "/etc/gnutls", "/etc/crypto-policies", "/etc/pkcs11", "/etc/resolv.conf", "/etc/hosts",
    "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols", "/etc/localtime",
    "/etc/timezone", "/etc/locale.alias", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/ld.so.conf",
    "/etc/ld.so.conf.d", "/etc/fonts", "/etc/mime.types", "/etc/drirc", "/etc/glvnd", "/etc/OpenCL", "/etc/vulkan",
    "/etc/X11", "/etc/gtk-3.0", "/etc/xdg",
  ]
  /// Those of them that machines rewrite as they go from network to network.
  private static let changing: Set<String> = ["/etc/resolv.conf", "/etc/hosts"]
  /// Variables that name files and folders of these.
  private static let variables = [
    "PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "TZDIR", "LD_LIBRARY_PATH", "GST_PLUGIN_PATH", "GST_PLUGIN_PATH_1_0",
    "GST_PLUGIN_SYSTEM_PATH", "GST_PLUGIN_SYSTEM_PATH_1_0", "GST_PLUGIN_SCANNER", "GIO_MODULE_DIR", "GIO_EXTRA_MODULES",
    "LIBGL_DRIVERS_PATH", "GDK_PIXBUF_MODULE_FILE", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "FONTCONFIG_FILE",
    "FONTCONFIG_PATH", "WEBKIT_EXEC_PATH", "WEBKIT_INJECTED_BUNDLE_PATH",
  ]

  /// Looks at this process and its environment.
  init() {
    var paths = (Self.settings + Self.named + Self.loaded + Self.fonts).filter { !Self.programs.contains($0) }
    for program in Self.programs {
      if let target = Place.link(program) { links.append((program, target)) } else { paths.append(program) }
    }
    var latest: String?
    for path in paths.sorted() where path.hasPrefix("/") && path != "/" {
      if let latest, path == latest || path.hasPrefix(latest + "/") { continue }
      if path.hasPrefix("/etc/"), !Self.changing.contains(path) { settled.append(path) } else { readable.append(path) }
      latest = path
    }
    addHome()
  }

  /// The home as such, since the engine wants one, with nothing in it but what it takes.
  private mutating func addHome() {
    let user = getpwuid(getuid())?.pointee
    let name = user.map { String(cString: $0.pw_name) } ?? "galley"
    let home = Self.home
    texts = [
      ("/etc/passwd", "\(name):x:\(getuid()):\(getgid())::\(home):/usr/sbin/nologin\n"),
      ("/etc/group", "\(name):x:\(getgid()):\n"),
    ]
    // One that is closed the worker replaces by itself.
    guard home.hasPrefix("/"), access(home, X_OK) == 0 else { return }
    empty.append(home)
    writable = EngineCaches.paths(below: home)
  }

  /// Where the engine looks for a home.
  static var home: String {
    variable("HOME") ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
  }

  /// What the environment names.
  private static var named: [String] {
    variables.flatMap { name in (variable(name) ?? "").split(separator: ":").map { withoutSlash(String($0)) } }
  }

  /// The worker, Galley's libraries for the engine's processes, and where the libraries of this program's kind are.
  private static var loaded: [String] {
    let folder = Place.folder(of: Enclosure.worker)
    let own = Place.names(in: folder).filter {
      $0.hasPrefix("libGalley") && $0.hasSuffix(".so") || ["galley-fork-client", "galley-recorder"].contains($0)
    }
    let ahead = (variable("LD_PRELOAD") ?? "").split { $0 == ":" || $0 == " " }.map(String.init)
    let folders = Set(libraries.filter { !ahead.contains($0) }.map(Place.folder))
    return [Enclosure.worker] + own.map { "\(folder)/\($0)" } + ahead + folders.sorted()
  }

  /// Files of libraries that this process has loaded.
  private static var libraries: Set<String> {
    guard let maps = fopen("/proc/self/maps", "re") else { return [] }
    defer { fclose(maps) }
    var files: Set<String> = []
    var line = [CChar](repeating: 0, count: Int(PATH_MAX) + 128)
    while fgets(&line, Int32(line.count), maps) != nil {
      let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if let path = text.firstIndex(of: "/").map({ String(text[$0...]) }), path.contains(".so") { files.insert(path) }
    }
    return files
  }

  /// The fonts of a caller who has a configuration of their own; the pinned ones are the system's.
  private static var fonts: [String] {
    guard !PinnedFonts.areInForce else { return [] }
    let fonts = UsableFonts()
    return Set(fonts.files.map(Place.folder)).sorted() + fonts.settings
  }

  static func variable(_ name: String) -> String? {
    getenv(name).map { withoutSlash(String(cString: $0)) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func withoutSlash(_ path: String) -> String {
    var path = path
    while path.hasSuffix("/"), path != "/" { path.removeLast() }
    return path
  }
}
