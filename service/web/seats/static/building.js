/* An act that is put together part by part. What may be picked next is asked of the service. */

/** An act under construction: the option, the picks, how many parts are closed, and the way here. */
export class Building {
  constructor(ask, state) {
    this.ask = ask;
    this.state = state;
    this.before = state.before || [];
    this.answer = null;
  }

  /** The state that is kept over a reload. */
  get kept() {
    return { ...this.state, before: this.before };
  }

  /** Takes another state; if the service refuses it, the present one stays. */
  async go(picks, closed, remember = true) {
    const { decision, option, interjects, usual } = this.state;
    const answer = await this.ask({ decision, option, interjects, picks, closed, usual });
    if (remember && this.answer) this.before.push({ picks: this.state.picks, closed: this.state.closed });
    this.answer = answer;
    this.state = { ...this.state, picks: answer.picks, closed: answer.at };
    return answer;
  }

  start() {
    return this.go(this.state.picks, this.state.closed, false);
  }

  pick(ref) {
    const { picks, closed } = this.state;
    const now = (picks[closed] || []).concat([ref]);
    return this.go(picks.slice(0, closed).concat([now]), closed);
  }

  /** A number or a text: it is all that its part has. */
  value(value) {
    const { picks, closed } = this.state;
    return this.go(picks.slice(0, closed).concat([[value]]), closed + 1);
  }

  unpick(part, at) {
    const { picks } = this.state;
    const now = picks[part].filter((_, n) => n !== at);
    return this.go(picks.slice(0, part).concat([now]), part);
  }

  up(part, at) {
    const { picks, closed } = this.state;
    const found = picks.map((one) => one.slice());
    [found[part][at - 1], found[part][at]] = [found[part][at], found[part][at - 1]];
    return this.go(found, closed);
  }

  /** Chooses a part again, or an earlier one if the picks of this one follow from that. */
  again(part) {
    this.state.usual = false;
    return this.go(this.state.picks.slice(0, part), part);
  }

  close() {
    const { picks, closed } = this.state;
    return this.go(picks, closed + 1);
  }

  rest() {
    return this.go(this.answer.rest, this.answer.rest.length);
  }

  /** A step back; false: there is none. */
  async back() {
    const last = this.before.pop();
    if (!last) return false;
    await this.go(last.picks, last.closed, false);
    return true;
  }
}
