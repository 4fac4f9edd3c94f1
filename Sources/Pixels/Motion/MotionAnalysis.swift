/// Follows a row of pictures: how much of each differs from the one before, and what flashes.
package struct MotionAnalysis: Sendable {
  /// A picture that differed from the one before: when, and which part of it.
  package struct Step: Equatable, Sendable {
    package var t: Double
    package var share: Double
  }

  /// Pixels between the places that are looked at.
  private let step: Int
  private var last: Bitmap?
  private var lattice: PictureLattice?
  package private(set) var flashes: FlashCounter
  package private(set) var steps: [Step] = []
  package private(set) var pictures = 0
  /// Whether each picture showed one colour only.
  package private(set) var isBlank = true
  /// Whether the last picture did.
  package private(set) var endsBlank = false

  /// A change counts towards a flash when this part of the picture makes it.
  package init(step: Int, leastFlash: Double) {
    self.step = step
    flashes = FlashCounter(least: leastFlash)
  }

  /// Takes the picture of an instant in milliseconds; whether so much turned brighter or darker that it may flash.
  package mutating func add(_ picture: Bitmap, t: Double) -> Bool {
    pictures += 1
    guard picture != last else { return false }
    endsBlank = picture.isUniform
    isBlank = isBlank && endsBlank
    last = picture
    let next = PictureLattice(picture, step: step)
    let share = lattice.map { next.share(changedFrom: $0) } ?? 0
    lattice = next
    if share > 0 { steps.append(Step(t: t, share: share)) }
    return flashes.add(next, t: t)
  }
}
