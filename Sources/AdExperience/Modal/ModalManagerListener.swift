/// Hears of every modal transition, in order.
package protocol ModalManagerListener: AnyObject {
  /// The screen has changed so; views that changed size may still be laid out.
  func modalManager(didApply transition: ModalTransition)
}
