extension ClosePosition {
  /// The side of the square that must stay tappable.
  package static let regionSide = 50.0

  /// The 50×50 close region of an ad that lies at `frame`.
  package func region(in frame: Rect) -> Rect {
    let side = Self.regionSide
    let x =
      switch self {
      case .topLeft, .bottomLeft: frame.x
      case .topCenter, .center, .bottomCenter: frame.center.x - side / 2
      case .topRight, .bottomRight: frame.maxX - side
      }
    let y =
      switch self {
      case .topLeft, .topCenter, .topRight: frame.y
      case .center: frame.center.y - side / 2
      case .bottomLeft, .bottomCenter, .bottomRight: frame.maxY - side
      }
    return Rect(x: x, y: y, width: side, height: side)
  }
}
