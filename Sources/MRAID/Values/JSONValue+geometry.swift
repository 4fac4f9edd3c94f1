extension Size {
  /// `{width, height}`, as MRAID's getters return it.
  package var json: JSONValue { ["width": .number(width), "height": .number(height)] }
}

extension Rect {
  /// `{x, y, width, height}`, as MRAID's getters return it.
  package var json: JSONValue {
    ["x": .number(x), "y": .number(y), "width": .number(width), "height": .number(height)]
  }
}

extension Exposure {
  /// Whether any of the ad can be seen: what `isViewable` and `viewableChange` tell.
  package var isViewable: Bool { exposedPercentage > 0 }

  /// The three arguments of `exposureChange`.
  package var arguments: [JSONValue] {
    [
      .number(exposedPercentage),
      visibleRectangle?.json ?? .null,
      occlusionRectangles.map { .array($0.map(\.json)) } ?? .null,
    ]
  }
}
