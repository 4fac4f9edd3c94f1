import Testing

@testable import Workers

@Suite struct OutputTests {
  @Test func cutsLinesAcrossChunks() {
    var splitter = LineSplitter()
    #expect(splitter.take("one\ntw".utf8) == [Array("one".utf8)])
    #expect(splitter.take("o\n\n".utf8) == [Array("two".utf8), []])
    #expect(splitter.take("rest".utf8) == [])
  }

  @Test func dropsALineThatIsTooLongAndGoesOn() {
    var splitter = LineSplitter(longest: 8)
    #expect(splitter.take("one\n0123456789 and more".utf8) == [Array("one".utf8)])
    #expect(splitter.take(" of it\ntwo\n".utf8) == [Array("two".utf8)])
    #expect(splitter.take("01234567\n".utf8) == [Array("01234567".utf8)])
  }

  @Test func keepsUnicodeLineBreaksInside() {
    var splitter = LineSplitter()
    #expect(splitter.take("a\u{2028}b\u{0C}c\r\n".utf8) == [Array("a\u{2028}b\u{0C}c\r".utf8)])
  }

  @Test func keepsTheEndOfALongOutput() {
    let tail = OutputTail(limit: 8)
    for chunk in ["first ", "second ", "third\n"] { tail.append(Array(chunk.utf8)) }
    #expect(tail.text == "d third")
  }

  @Test func describesExits() {
    #expect("\(WorkerExit(.signal(6)))" == "died by SIGABRT")
    #expect("\(WorkerExit(.signal(40)))" == "died by signal 40")
    #expect("\(WorkerExit(.status(1)))" == "exited with status 1")
    #expect(WorkerExit(.status(1), errorTail: "why").quote == "; it last wrote: why")
  }
}
