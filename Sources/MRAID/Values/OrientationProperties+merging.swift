extension OrientationProperties {
  /// Takes over members of the right type and value and leaves the rest alone.
  package mutating func merge(_ properties: JSONValue) {
    if let value = properties["allowOrientationChange"]?.bool { allowOrientationChange = value }
    if let value = properties["forceOrientation"]?.string.flatMap(Force.init(rawValue:)) { forceOrientation = value }
  }

  /// As the bridge's getter returns it.
  var json: JSONValue {
    ["allowOrientationChange": .bool(allowOrientationChange), "forceOrientation": .string(forceOrientation.rawValue)]
  }
}
