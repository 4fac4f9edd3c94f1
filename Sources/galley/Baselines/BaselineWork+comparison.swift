internal import Baselines
internal import Comparison
internal import Jobs
internal import Planning

extension BaselineWork {
  /// What there is to look at: of each part that needs a look, the render that is believed beside the baseline.
  func comparison(_ name: String, folder: String, _ candidate: Candidate) -> ResultVerdict {
    var result = ResultVerdict(name: name, onlyOn: candidate.verdict == .new ? .new : nil)
    if candidate.verdict == .refused {
      result.problems = ["the baseline was drawn by something else"] + (candidate.differences ?? [])
      return result
    }
    for (judgement, part) in zip(settlement.judgements, candidate.parts)
    where judgement.verdict != .unchanged && !judgement.isTolerated {
      let render = renders[judgement.render ?? renders.count - 1]
      switch judgement.name {
      case PartName.events: result.events = render.against?.events
      case PartName.states: result.record = render.against?.record ?? []
      default: result.pictures.append(picture(part, of: render, folder: folder))
      }
    }
    return result
  }

  private func picture(_ part: Candidate.Part, of render: BaselineRender, folder: String) -> PictureVerdict {
    let file = "\(part.name).png"
    guard var verdict = render.against?.pictures.first(where: { $0.name == file }) else {
      return PictureVerdict(name: file, verdict: .new, first: nil, second: part.file.map { "\(folder)/\($0)" })
    }
    verdict.written = (part.written ?? [:]).mapValues { "\(folder)/\($0)" }
    return verdict
  }
}
