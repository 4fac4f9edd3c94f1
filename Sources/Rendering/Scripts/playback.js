// What already runs in a document: the body of a function, in a world where the built-ins are untouched.
// In stepped time elements stand still, and an event asks those that go on all the same.
const runs = (film) => filmsEvent !== ""
  && !EventTarget.prototype.dispatchEvent.call(film, new Event(filmsEvent, { cancelable: true }));
const films = [...Document.prototype.querySelectorAll.call(document, "video, audio")];
return {
  media: films.filter((film) => film.played.length > 0 || (!film.paused && film.currentTime > 0) || runs(film)).length,
  animations: Document.prototype.getAnimations.call(document).filter((animation) => animation.playState === "running").length,
};
