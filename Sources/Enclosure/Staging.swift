internal import CNamespaces
internal import Files
internal import Glibc

/// Puts the files of jobs into a worker's view, each job's in a folder of its own, and takes them out again.
struct Staging {
  /// Jobs that a worker has at most: one that it renders, and one to come.
  private static let mostJobs = 2
  /// Files beside a document that is a link; more don't come along.
  private static let mostBeside = 2_000

  /// The worker's view as it is seen from here.
  private let root: String
  private var number = 0
  /// What was made for each job, in order.
  private var made: [[String]] = []

  init(root: String) { self.root = root }

  /// Brings a job's files; those of jobs that are done by now go.
  ///
  /// What isn't there keeps its path, which leads nowhere in the view either.
  mutating func take(_ words: [CarriedLine.Word]) -> [CarriedLine.Word] {
    number += 1
    while made.count >= Self.mostJobs { clear(made.removeFirst()) }
    var visit = Visit(root: root, base: "/job/\(number)")
    let brought = words.map { word in CarriedLine.Word(word.kind, word.path, at: visit.place(of: word)) }
    made.append(visit.made)
    return brought + visit.names.sorted { $0.key < $1.key }.map { CarriedLine.Word(.name, $0.value, at: $0.key) }
  }

  /// Takes down what is mounted and removes what it was mounted on; a place that is still in use isn't removed.
  private func clear(_ paths: [String]) {
    for path in paths.reversed() {
      _ = namespaces_unbind(path)
      if rmdir(path) != 0 { unlink(path) }
    }
  }

  /// What one job brings along.
  private struct Visit {
    private let root: String
    /// In the view.
    private let base: String
    var made: [String] = []
    var names: [String: String] = [:]
    /// Where what has come is: creatives of a feed may be the same.
    private var places: [String: String] = [:]

    init(root: String, base: String) {
      (self.root, self.base) = (root, base)
      makeFolder(base)
    }

    /// A folder that results are written to, made where it isn't there.
    private mutating func output(_ path: String) -> String {
      Place.makeFolder(path)
      let place = "\(base)/output"
      return bind(path, at: place, NAMESPACES_WRITABLE) ? place : path
    }

    /// Where the worker finds what a word names.
    mutating func place(of word: CarriedLine.Word) -> String {
      switch word.kind {
      case .output: output(word.path)
      case .creative, .alone: Place.kind(of: word.path) == S_IFDIR ? folder(word.path) : file(word)
      case .document: document(word.path)
      case .name: ""
      }
    }

    private mutating func file(_ word: CarriedLine.Word) -> String {
      word.kind == .alone ? lone(word.path) : document(word.path)
    }

    private mutating func folder(_ path: String) -> String {
      once(path) { visit in
        let place = visit.nextPlace
        return visit.bind(path, at: place, NAMESPACES_READABLE) ? place : path
      }
    }

    /// A file with whatever lies beside it, since it may name that.
    private mutating func document(_ path: String) -> String {
      guard Place.kind(of: path) == S_IFREG else { return lone(path) }
      return once(path) { visit in
        let (place, parent) = (visit.nextPlace, Place.folder(of: path))
        let file = "\(place)/\(Place.name(of: path))"
        guard Place.link(path) != nil else {
          return visit.bind(parent.isEmpty ? "/" : parent, at: place, NAMESPACES_READABLE) ? file : path
        }
        // A link leads out of the folder, and to nowhere in the view.
        visit.makeFolder(place)
        visit.names[place] = parent
        for name in Place.names(in: parent).prefix(mostBeside) where Place.link("\(parent)/\(name)") == nil {
          _ = visit.bind("\(parent)/\(name)", at: "\(place)/\(name)", NAMESPACES_READABLE)
        }
        return visit.bind(path, at: file, NAMESPACES_READABLE) ? file : path
      }
    }

    /// A file without what lies beside it.
    private mutating func lone(_ path: String) -> String {
      once(path) { visit in
        guard Place.kind(of: path) != nil else { return path }
        let place = visit.nextPlace
        visit.makeFolder(place)
        visit.names[place] = Place.folder(of: path)
        let file = "\(place)/\(Place.name(of: path))"
        return visit.bind(path, at: file, NAMESPACES_READABLE) ? file : path
      }
    }

    private mutating func once(_ path: String, _ make: (inout Visit) -> String) -> String {
      if let place = places[path] { return place }
      let place = make(&self)
      places[path] = place
      return place
    }

    private var nextPlace: String { "\(base)/\(places.count)" }

    private mutating func makeFolder(_ place: String) {
      Place.makeFolder(root + place)
      made.append(root + place)
    }

    private mutating func bind(_ path: String, at place: String, _ use: namespaces_use) -> Bool {
      guard Place.bind(path, at: root + place, use) else { return false }
      made.append(root + place)
      names[place] = path
      return true
    }
  }
}
