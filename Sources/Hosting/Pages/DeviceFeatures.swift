internal import Core
internal import Device
internal import Foundation

/// Objects that a device's own web view offers and the engine lacks, as `features.js` reads them.
struct DeviceFeatures {
  let device: Device

  /// Operating system of the device by `navigator.platform`; empty for a desktop.
  private var system: String {
    if device.platform.hasPrefix("iP") { return "iOS" }
    return device.platform.hasPrefix("Linux arm") ? "Android" : ""
  }

  /// Major version of Chromium by the user agent; nil for WebKit.
  private var chromium: Int? {
    let parts = device.userAgent.split(separator: "Chrome/", maxSplits: 1)
    return parts.count == 2 ? parts[1].split(separator: ".").first.flatMap { Int($0) } : nil
  }

  /// Facts for the script.
  var json: JSONValue {
    var facts: [String: JSONValue] = [
      "system": .string(system), "hasSensors": .bool(!system.isEmpty), "hasMedia": true,
      "cores": system == "iOS" ? 4 : 8, "isBrowser": .bool(system.isEmpty && chromium != nil),
    ]
    if let chromium, chromium >= Self.firstWithBrands { facts["agent"] = agent(chromium) }
    if let graphics { facts["graphics"] = graphics }
    return .object(facts)
  }

  /// First Chromium version whose web views report their brands.
  private static let firstWithBrands = 116

  private func agent(_ version: Int) -> JSONValue {
    let isWebView = system == "Android"
    let product = isWebView ? "Android WebView" : "Google Chrome"
    let brands: [JSONValue] = [("Not/A)Brand", "8"), ("Chromium", String(version)), (product, String(version))]
      .map { ["brand": .string($0.0), "version": .string($0.1)] }
    let words = device.userAgent.split { "();".contains($0) }.map { $0.trimmingCharacters(in: .whitespaces) }
    let android = words.first { $0.hasPrefix("Android ") }?.dropFirst("Android ".count)
    let model = words.first { $0.contains(" Build/") }?.components(separatedBy: " Build/").first
    return [
      "brands": .array(brands), "mobile": .bool(device.userAgent.contains(" Mobile ")),
      "platform": isWebView ? "Android" : device.platform.hasPrefix("Mac") ? "macOS" : "Windows",
      "details": [
        "platformVersion": .string(android.map { "\($0).0.0" } ?? "15.0.0"), "model": .string(model ?? ""),
        "architecture": isWebView ? "" : "x86", "bitness": isWebView ? "" : "64", "wow64": false,
        "uaFullVersion": .string("\(version).0.0.0"), "fullVersionList": .array(brands),
      ],
    ]
  }

  /// Names of WebGL by number: vendor, renderer, version, language, and the two of the debugging extension; nil if
  /// unknown.
  private var graphics: JSONValue? {
    guard chromium != nil, let (maker, chip) = Self.chips.first(where: { device.name.hasPrefix($0.key) })?.value else {
      return nil
    }
    let names: [(Int, String)] = [
      (7936, "WebKit"), (7937, "WebKit WebGL"), (7938, "WebGL 1.0 (OpenGL ES 2.0 Chromium)"),
      (35_724, "WebGL GLSL ES 1.0 (OpenGL ES GLSL ES 1.0 Chromium)"), (37_445, maker), (37_446, chip),
    ]
    return .array(names.map { [.number(Double($0.0)), .string($0.1)] })
  }

  /// Graphics chips of the catalogue's devices, by the beginnings of their names.
  private static let chips: KeyValuePairs<String, (maker: String, chip: String)> = [
    "pixel-7": ("ARM", "Mali-G710"), "pixel-tablet": ("ARM", "Mali-G710"), "pixel-": ("ARM", "Mali-G715"),
    "galaxy-s24-ultra": ("Qualcomm", "Adreno (TM) 750"), "galaxy-s24": ("Samsung", "Samsung Xclipse 940"),
    "galaxy-s23": ("Qualcomm", "Adreno (TM) 740"), "galaxy-tab-s9": ("Qualcomm", "Adreno (TM) 740"),
    "galaxy-a54": ("ARM", "Mali-G68"), "galaxy-j5": ("ARM", "Mali-T830"),
    "desktop": ("Google Inc. (Intel)", "ANGLE (Intel, Intel(R) UHD Graphics Direct3D11 vs_5_0 ps_5_0, D3D11)"),
  ]
}
