internal import Checks

/// Answers of the networks to the builds of playables: the matrix, then each build with reasons and pictures.
struct PlayableSection {
  let matrix: PlayableMatrix
  let page: ReportPage

  @NodeBuilder var node: Node {
    if !matrix.rows.isEmpty {
      element("section", ["class": "playables", "aria-labelledby": "playables"]) {
        element("h2", ["id": "playables"]) { "Builds and networks" }
        element(
          "div", ["class": "scrolls", "tabindex": "0", "role": "group", "aria-label": "Answers by build and network"]
        ) { table }
        for (index, row) in matrix.rows.enumerated() { build(row, number: index + 1) }
      }
    }
  }

  private var table: Node {
    element("table", ["class": networks.count > 6 ? "matrix many" : "matrix"]) {
      element("caption") {
        "Answers of the networks to each build. The answer of a network that isn't asked is in brackets: "
          + "it doesn't have to accept the build."
      }
      element("thead") {
        element("tr") {
          ColumnHead.text("Build").node
          for network in networks {
            element("th", ["scope": "col", "class": "profile"]) { element("span") { network.title } }
          }
        }
      }
      element("tbody") { for (index, row) in matrix.rows.enumerated() { line(row, number: index + 1) } }
    }
  }

  /// Networks with an answer to at least one build, in the order of the report.
  private var networks: [CheckReport.ProfileSummary] {
    let answering = Set(matrix.rows.flatMap(\.cells).map(\.answer.profile))
    return page.source.report.profiles.filter { answering.contains($0.id) }
  }

  private func line(_ row: PlayableMatrix.Row, number: Int) -> Node {
    element("tr") {
      element("th", ["scope": "row"]) { row.build }
      for network in networks {
        mark(row.cells.firstIndex { $0.answer.profile == network.id }, of: row, number: number)
      }
    }
  }

  private func mark(_ index: Int?, of row: PlayableMatrix.Row, number: Int) -> Node {
    guard let index else { return element("td", ["class": "unknown"]) { "no answer" } }
    let cell = row.cells[index]
    return element("td", ["class": cell.tone]) {
      element("a", ["href": "#\(PlayableAnswer.id(build: number, network: index + 1))"]) {
        if let sign = cell.sign { element("span", ["aria-hidden": "true"]) { "\(sign) " } }
        cell.words
      }
    }
  }

  private func build(_ row: PlayableMatrix.Row, number: Int) -> Node {
    element("section", ["class": "build", "aria-label": "Answers to \(row.build)"]) {
      element("h3") { row.build }
      element("p", ["class": "facts"]) { "The build \(row.demand)." }
      for index in row.cells.indices { PlayableAnswer(row: row, index: index, build: number, page: page).node }
    }
  }
}

extension PlayableMatrix.Cell {
  /// CSS class of the cell and its block.
  var tone: String { isAsked ? answer.verdict.tone : "unasked" }

  /// Sign before the word; nil if the network isn't asked.
  var sign: String? { isAsked ? answer.verdict.sign : nil }
}

/// Block of one build and one network: the answer, its reasons, and pictures from the network's host.
struct PlayableAnswer {
  let row: PlayableMatrix.Row
  /// Index of the answer in the row.
  let index: Int
  /// Number of the build in the page, from 1.
  let build: Int
  let page: ReportPage

  private var cell: PlayableMatrix.Cell { row.cells[index] }

  /// Returns the anchor of a block; build and network are counted from 1.
  static func id(build: Int, network: Int) -> String { "b\(build)-n\(network)" }

  var node: Node {
    let isOpen = cell.isAsked && cell.answer.verdict != .accepted
    return element(
      "details",
      [
        "class": "answer \(cell.tone)", "id": Self.id(build: build, network: index + 1), "open": isOpen ? "open" : nil,
      ]
    ) {
      element("summary") {
        element("h4") {
          if let sign = cell.sign { element("span", ["aria-hidden": "true"]) { "\(sign) " } }
          "\(page.profile(cell.answer.profile)): \(cell.words)"
        }
      }
      reasons
      renders
      pictures
    }
  }

  @NodeBuilder private var reasons: Node {
    switch cell.answer.verdict {
    case .accepted: element("p") { "All rules of the network were tried and kept." }
    case .refused: element("ul") { for issue in cell.issues { item(issue) } }
    case .notTried:
      element("ul") {
        for rule in cell.answer.notTried {
          element("li") {
            element("code") { rule.check }
            ": \(rule.reason)"
          }
        }
      }
    }
  }

  private func item(_ issue: PlayableMatrix.Issue) -> Node {
    element("li") {
      element("code") { issue.check }
      if !issue.message.isEmpty { ": \(issue.message)" }
      if let remedy = issue.remedy {
        element("p", ["class": "remedy"]) {
          element("b") { "Remedy: " }
          remedy
        }
      }
    }
  }

  /// Numbers of the answer's creatives in the page, from 1.
  private var numbers: [Int] {
    cell.results.compactMap { name in page.source.report.creatives.firstIndex { $0.name == name } }.map { $0 + 1 }
  }

  private var renders: Node {
    element("p", ["class": "facts"]) {
      "All findings: "
      for number in numbers {
        element("a", ["href": "#c\(number)"]) { page.source.report.creatives[number - 1].name }
        " "
      }
    }
  }

  /// Pictures of each render; networks with the same host share them, so that each is in the page once.
  @NodeBuilder private var pictures: Node {
    if let same = row.cells.firstIndex(where: { $0.results == cell.results }), same < index {
      element("p") {
        "The pictures are those of "
        element("a", ["href": "#\(Self.id(build: build, network: same + 1))"]) {
          page.profile(row.cells[same].answer.profile)
        }
        ", which has the same host."
      }
    } else {
      for number in numbers {
        PlayablePictures(
          creative: page.source.report.creatives[number - 1], id: "c\(number)",
          title: "\(row.build) for \(page.profile(cell.answer.profile))", page: page
        ).node
      }
    }
  }
}
