/// What the script in each frame says of films in stepped time, which waits for them.
enum FilmMark: String {
  case waits = "film-waits"
  case goesOn = "film-goes-on"
}
