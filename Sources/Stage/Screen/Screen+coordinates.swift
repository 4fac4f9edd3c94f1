package import MRAID
package import Pixels

extension Screen {
  /// A frame on the screen as MRAID counts it, from the content area's corner.
  package func inContentArea(_ frame: Rect) -> Rect {
    frame.offset(x: -contentArea.x, y: -contentArea.y)
  }

  /// A frame counted from the content area's corner, as on the screen.
  package func onScreen(_ frame: Rect) -> Rect {
    frame.offset(x: contentArea.x, y: contentArea.y)
  }

  /// What an ad is told of the screen; both frames are given as on the screen, nil meaning the whole content area.
  package func geometry(defaultFrame: Rect?, currentFrame: Rect?, orientationLocked: Bool = false) -> HostGeometry {
    HostGeometry(
      screenSize: size, maxSize: contentArea.size, defaultPosition: inContentArea(defaultFrame ?? contentArea),
      currentPosition: inContentArea(currentFrame ?? contentArea), orientation: orientation,
      orientationLocked: orientationLocked)
  }

  /// A frame in physical pixels: corner and size rounded each for itself, so a view keeps its size wherever it stands.
  package func pixelFrame(of frame: Rect) -> PixelRect {
    PixelGrid(scale: device.renderScale).frame(frame)
  }
}
