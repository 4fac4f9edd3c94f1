extension MRAIDSession {
  /// Takes over properties that the page set.
  mutating func set(_ command: MRAIDCommand, from part: AdPart) -> [MRAIDEffect] {
    switch command {
    case .setExpandProperties(let value): return setExpandProperties(value, from: part)
    case .setResizeProperties(let value): return setResizeProperties(value, from: part)
    case .setOrientationProperties(let value): return setOrientationProperties(value, from: part)
    case .useCustomClose(let value):
      expandProperties.useCustomClose = value
      return [.customClose(value)] + settled("expandProperties", from: part)
    default: return []
    }
  }

  private mutating func setExpandProperties(_ value: JSONValue, from part: AdPart) -> [MRAIDEffect] {
    guard state != .expanded else {
      overruled("expandProperties", from: part)
      return [.ignored(.setExpandProperties(value), reason: "the ad is expanded")] + deliverToAll()
    }
    let before = expandProperties.useCustomClose
    expandProperties.merge(value)
    let after = expandProperties.useCustomClose
    return (after == before ? [] : [.customClose(after)]) + settled("expandProperties", from: part)
  }

  private mutating func setResizeProperties(_ value: JSONValue, from part: AdPart) -> [MRAIDEffect] {
    do throws(ResizeRejection) {
      let rules = profile.behaviour.resize
      let properties = try ResizeProperties(value, rules: rules)
      _ = try properties.frame(in: geometry, rules: rules, checksRegion: rules.checksRegionEarly)
      resizeProperties = properties
      return settled("resizeProperties", from: part)
    } catch {
      return reject(error, "setResizeProperties", from: part)
    }
  }

  private mutating func setOrientationProperties(_ value: JSONValue, from part: AdPart) -> [MRAIDEffect] {
    orientationProperties.merge(value)
    return settled("orientationProperties", from: part) + refreshOrientation(for: state)
  }

  /// Unsets the resize properties and, once the part is ready, tells it why.
  mutating func reject(_ rejection: ResizeRejection, _ action: String, from part: AdPart) -> [MRAIDEffect] {
    resizeProperties = nil
    overruled("resizeProperties", from: part)
    guard isReady(part) else { return deliverToAll() }
    let other: AdPart = part == .one ? .two : .one
    return error(rejection.description, action, to: part) + deliver([], to: other)
  }
}

extension MRAIDCommand {
  /// The property that the page has changed on its own by this call.
  var settableKey: String? {
    switch self {
    case .setExpandProperties, .useCustomClose: "expandProperties"
    case .setResizeProperties: "resizeProperties"
    case .setOrientationProperties: "orientationProperties"
    default: nil
    }
  }
}
