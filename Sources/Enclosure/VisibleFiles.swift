internal import Glibc
internal import Machine

/// Files of the machine that every render needs.
struct VisibleFiles {
  /// Absolute paths to be visible read-only; none is inside another.
  private(set) var readable: [String] = []
  /// Absolute paths, likewise read-only, whose content doesn't change during a worker's life.
  private(set) var settled: [String] = []
  /// Folders that have to exist.
  private(set) var empty = ["/var/cache", "/run", "/job"]
  /// Paths of devices and virtual files, which aren't on any disk.
  let devices = [
    "/proc", "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/dri",
  ]
  /// Links of the view with their targets.
  private(set) var links = [("/var/tmp", "../tmp"), ("/dev/fd", "/proc/self/fd")]
  /// Generated files with their text, which name no user but this one.
  private(set) var texts: [(String, String)] = []

  /// Folders of programs and libraries.
  private static let programs = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]
  /// Files that libraries look for; links in them lead to others of them. None identifies the machine or its other
  /// users.
  private static let settings = [
    "/usr", "/sys", "/nix/store", "/gnu/store", "/run/opengl-driver", "/run/current-system",
    "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/run/nscd", "/var/cache/fontconfig",
    "/var/lib/ca-certificates", "/etc/alternatives", "/etc/ssl", "/etc/pki", "/etc/ca-certificates",
    "/etc/ca-certificates.conf", "/etc/gnutls", "/etc/crypto-policies", "/etc/pkcs11", "/etc/resolv.conf", "/etc/hosts",
    "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols", "/etc/localtime",
    "/etc/locale.alias", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/ld.so.conf",
    "/etc/ld.so.conf.d", "/etc/fonts", "/etc/mime.types", "/etc/glvnd", "/etc/X11",
  ]
  /// Settings that machines rewrite when they change networks.
  private static let changing: Set<String> = ["/etc/resolv.conf", "/etc/hosts"]
  /// Environment variables that name files and folders for libraries.
  private static let variables = [
    "PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "LD_LIBRARY_PATH", "GST_PLUGIN_PATH", "GST_PLUGIN_PATH_1_0",
    "GST_PLUGIN_SYSTEM_PATH", "GST_PLUGIN_SYSTEM_PATH_1_0", "GST_PLUGIN_SCANNER", "GIO_MODULE_DIR", "GIO_EXTRA_MODULES",
    "LIBGL_DRIVERS_PATH", "GDK_PIXBUF_MODULE_FILE", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "FONTCONFIG_FILE",
    "FONTCONFIG_PATH", "WEBKIT_EXEC_PATH", "WEBKIT_INJECTED_BUNDLE_PATH",
  ]

  /// Collects the files from this process and its environment.
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
    addUser()
  }

  /// Adds this user to the generated files, with a home of the worker's own.
  private mutating func addUser() {
    let user = getpwuid(getuid())?.pointee
    let name = user.map { String(cString: $0.pw_name) } ?? "galley"
    texts = [
      ("/etc/passwd", "\(name):x:\(getuid()):\(getgid())::\(Self.home):/usr/sbin/nologin\n"),
      ("/etc/group", "\(name):x:\(getgid()):\n"),
    ]
  }

  /// Home folder in the view, which is in memory and ends with the worker.
  static let home = "/galley"

  /// Paths that the environment names.
  private static var named: [String] {
    variables.flatMap { name in (variable(name) ?? "").split(separator: ":").map { withoutSlash(String($0)) } }
  }

  /// Paths of the worker, Galley's libraries for the engine's processes, and the folders of this program's libraries.
  private static var loaded: [String] {
    let folder = Place.folder(of: Enclosure.worker)
    let own = Place.names(in: folder).filter {
      $0.hasPrefix("libGalley") && $0.hasSuffix(".so") || ["galley-fork-client", "galley-recorder"].contains($0)
    }
    let ahead = (variable("LD_PRELOAD") ?? "").split { $0 == ":" || $0 == " " }.map(String.init)
    let folders = Set(libraries.filter { !ahead.contains($0) }.map(Place.folder))
    return [Enclosure.worker] + own.map { "\(folder)/\($0)" } + ahead + folders.sorted()
  }

  /// Library files that this process has loaded.
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

  /// Fonts of a user with a custom configuration; pinned fonts are among the system's files.
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
