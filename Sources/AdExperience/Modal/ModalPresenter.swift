/// Moves layers as transitions say.
package protocol ModalPresenter: AnyObject {
  /// Changes the screen before it returns; `completion` runs once, when views that changed size are laid out.
  func present(_ transition: ModalTransition, completion: @escaping () -> Void)
}
