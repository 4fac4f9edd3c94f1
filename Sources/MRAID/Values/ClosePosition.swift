/// Where the close region of a resized ad lies (`customClosePosition`).
package enum ClosePosition: String, Sendable, Codable, CaseIterable {
  case topLeft = "top-left"
  case topCenter = "top-center"
  case topRight = "top-right"
  case center
  case bottomLeft = "bottom-left"
  case bottomCenter = "bottom-center"
  case bottomRight = "bottom-right"
}
