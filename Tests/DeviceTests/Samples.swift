import Core
import Pixels

@testable import Device

/// Screens that several tests start from.
enum Samples {
  static let adColor = Color(rgb: 0x1F6FEB)

  static func device(_ name: String) -> Device {
    DeviceCatalogue.standard.device(named: name)!
  }

  /// A banner in its slot: host page, ad, system bars.
  static func banner(
    _ device: String = "iphone-15", size: Size = Size(width: 320, height: 50), position: SlotPosition = .center,
    scroll: Double = 0
  ) -> Screen {
    var screen = Screen(
      device: self.device(device), scrollOffset: scroll, slot: Slot(size: size, position: position))
    screen.layers = [screen.hostPageLayer, screen.adLayer(showing: "ad")] + screen.systemLayers
    return screen
  }

  /// An expanded ad over its page: host page, scrim, ad, close control, system bars.
  static func expanded(_ device: String = "iphone-15") -> Screen {
    var screen = banner(device)
    let area = screen.contentArea
    screen.layers =
      [
        screen.hostPageLayer, screen.scrimLayer(), screen.adLayer(showing: "ad", frame: area),
        screen.closeControlLayer(for: area),
      ] + screen.systemLayers
    return screen
  }

  /// A resized ad above its page: host page, ad, close control, system bars.
  static func resized(to frame: Rect) -> Screen {
    var screen = banner()
    screen.layers =
      [screen.hostPageLayer, screen.adLayer(showing: "ad", frame: frame), screen.closeControlLayer(for: frame)]
      + screen.systemLayers
    return screen
  }

  /// The clickthrough browser over a banner: host page, ad, scrim, browser, close control, system bars.
  static func browser() -> Screen {
    var screen = banner()
    let browser = screen.browserLayer(showing: "web")
    screen.layers.insert(
      contentsOf: [screen.scrimLayer(), browser, screen.closeControlLayer(for: browser.frame)], at: 2)
    return screen
  }

  /// A one-coloured picture for every view on the screen, as large as its frame.
  static func images(for screen: Screen, color: Color = adColor) -> [ViewID: Bitmap] {
    let views = screen.layers.compactMap { layer in
      layer.viewID.map { id -> (ViewID, Bitmap) in
        let frame = screen.pixelFrame(of: layer.viewFrame)
        return (id, Bitmap(width: frame.width, height: frame.height, fill: color))
      }
    }
    return Dictionary(views) { $1 }
  }
}

extension AdViewID: ExpressibleByStringLiteral {
  /// Lets tests name views freely.
  package init(stringLiteral value: String) {
    self.init(rawValue: value)
  }
}
