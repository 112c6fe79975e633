/* How long to wait before something that failed is tried again. */

export class Patience {
  /** In milliseconds: at first, and at most; each time up to twice as much. */
  constructor(first = 1000, longest = 5000) {
    Object.assign(this, { first, longest, pause: first });
  }

  /** The next pause: mostly longer than the last one, and another for everybody. */
  next() {
    const pause = this.pause * (1 + Math.random());
    this.pause = Math.min(this.pause * 2, this.longest);
    return pause;
  }

  /** Resolves after the next pause. */
  wait() {
    return new Promise((resolve) => setTimeout(resolve, this.next()));
  }

  /** Resets the pause after a success. */
  over() {
    this.pause = this.first;
  }
}
