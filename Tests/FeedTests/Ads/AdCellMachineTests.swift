import Feed
import Testing

@Suite struct AdCellMachineTests {
  private var cell = AdCellMachine(rotation: 30)

  @Test mutating func `it loads when it comes near, once`() {
    #expect(cell.handle(.comesNear) == [.load])
    #expect(cell.isLoading)
    #expect(cell.handle(.comesNear) == [])
    #expect(cell.handle(.appears(at: 0)) == [])
  }

  @Test mutating func `it loads when it appears without having come near`() {
    #expect(cell.handle(.appears(at: 0)) == [.load])
  }

  @Test mutating func `loaded off screen it is shown, and its turn begins when it appears`() {
    _ = cell.handle(.comesNear)
    #expect(cell.handle(.loaded(at: 100)) == [.show])
    #expect(cell.handle(.appears(at: 5_000)) == [.startRotation(after: 30_000)])
  }

  @Test mutating func `a failure collapses it for good`() {
    _ = cell.handle(.comesNear)
    #expect(cell.handle(.failed) == [.collapse])
    #expect(cell.isCollapsed)
    #expect(cell.handle(.appears(at: 1)) == [] && cell.handle(.comesNear) == [])
    #expect(cell.handle(.loaded(at: 2)) == [])
  }

  @Test mutating func `its turn passes on the screen only`() {
    _ = cell.handle(.appears(at: 0))
    #expect(cell.handle(.loaded(at: 0)).last == .startRotation(after: 30_000))
    #expect(cell.handle(.willLeave(at: 20_000)) == [.stopRotation])
    #expect(cell.handle(.willLeave(at: 21_000)) == [])
    #expect(cell.handle(.appears(at: 500_000)) == [.startRotation(after: 10_000)])
    #expect(cell.handle(.rotationIsDue(at: 509_000)) == [])
    #expect(cell.handle(.rotationIsDue(at: 510_000)) == [.rotate, .startRotation(after: 30_000)])
  }

  @Test mutating func `a timer that comes after it left does nothing`() {
    _ = cell.handle(.appears(at: 0))
    _ = cell.handle(.loaded(at: 0))
    _ = cell.handle(.willLeave(at: 29_000))
    #expect(cell.handle(.rotationIsDue(at: 30_000)) == [])
  }

  @Test mutating func `an ad that is lost ends its turn and collapses its cell for good`() {
    #expect(cell.handle(.lost(at: 0)).isEmpty)
    _ = cell.handle(.appears(at: 0))
    _ = cell.handle(.loaded(at: 0))
    #expect(cell.handle(.lost(at: 5)) == [.stopRotation, .collapse])
    #expect(cell.isCollapsed)
    #expect(cell.handle(.appears(at: 6)).isEmpty)
    #expect(cell.handle(.rotationIsDue(at: 90_000)).isEmpty)
  }

  @Test func `without a rotation an ad stays`() {
    var cell = AdCellMachine(rotation: nil)
    _ = cell.handle(.appears(at: 0))
    #expect(cell.handle(.loaded(at: 0)) == [.show])
    #expect(cell.handle(.rotationIsDue(at: 90_000)) == [])
  }
}
