internal import CNursery
internal import FoundationEssentials
internal import Glibc

// Stands between a render's pages and the network. A worker starts it once, with a socket for its standard input by which
// it is asked for copies of itself, one for each render; a copy is told what to do by the socket that comes with it, and
// ends with it.
signal(SIGPIPE, SIG_IGN)
// Copies end by themselves, and nobody asks how.
signal(SIGCHLD, SIG_IGN)
WarmUp.run()

var files: [Int32] = [-1, -1]
while nursery_wait(STDIN_FILENO, &files) == 1 {
  if nursery_copy() == 0 { RenderRecorder.run(words: files[0], listener: files[1]) }
  for file in files { close(file) }
}
// Whoever started it is gone.
exit(0)
