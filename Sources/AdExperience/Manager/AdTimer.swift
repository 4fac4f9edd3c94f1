/// What the ad manager waits with; the manager itself has no clock.
package protocol AdTimer: AnyObject {
  /// Runs `action` later, unless nothing may happen any more.
  func schedule(after milliseconds: Double, _ action: @escaping () -> Void)
}
