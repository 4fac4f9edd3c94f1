/// One thing shown above the app: what, for which view, how.
///
/// It is a plain value: whose content it is, and who acts on its closing, is the ad manager's knowledge.
package struct ModalState: Hashable, Sendable {
  /// What it holds.
  package var kind: Kind
  /// The view with the content.
  package var displayView: AdViewID
  /// The view it was presented from, nil for the app itself.
  package var presentingView: AdViewID?
  /// Where it stands, how it is turned, and when it can be closed.
  package var properties: InterstitialDisplayProperties

  /// A state that fills the content area and can be closed at once, unless the properties say otherwise.
  package init(
    kind: Kind, displayView: AdViewID, presentingView: AdViewID? = nil,
    properties: InterstitialDisplayProperties = InterstitialDisplayProperties()
  ) {
    self.kind = kind
    self.displayView = displayView
    self.presentingView = presentingView
    self.properties = properties
  }
}
