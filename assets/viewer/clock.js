// Which step is shown. Knows the steps that are stored, not what they look like.

/** Speeds to choose from, as multiples of real time. */
export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export class Clock {
  #listeners = [];

  /**
   * @param {Float64Array} stops the stored steps, in order
   * @param {number} dt seconds a step
   */
  constructor(stops, dt) {
    this.stops = stops;
    this.dt = dt;
    this.first = stops[0];
    this.last = stops[stops.length - 1];
    /** The step that is shown; has a fraction while playing. */
    this.step = this.first;
    this.playing = false;
    this.speed = 1;
    this.loop = false;
  }

  /** @param {() => void} listener called after every change */
  on(listener) {
    this.#listeners.push(listener);
  }

  #changed() {
    for (const listener of this.#listeners) listener();
  }

  /** Seconds since step 0. */
  get seconds() {
    return this.step * this.dt;
  }

  /** The stored step that is shown, or the last one before what is shown. */
  get stop() {
    return this.stops[this.#placeOf(this.step)];
  }

  /** Place of the last stop at or before a step. */
  #placeOf(step) {
    let low = 0;
    let high = this.stops.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.stops[middle] <= step + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** @param {number} step shows the stored step nearest to it */
  seek(step) {
    const wanted = Number.isFinite(step) ? step : this.first;
    const place = this.#placeOf(wanted);
    const next = this.stops[Math.min(place + 1, this.stops.length - 1)];
    this.step = wanted - this.stops[place] <= next - wanted ? this.stops[place] : next;
    this.#changed();
  }

  /** @param {number} count how many stored steps to go on, or back where negative; stops playing */
  move(count) {
    const place = this.#placeOf(this.step);
    // Between two stops, one step back leads to the stop just passed.
    const between = this.step > this.stops[place] + 1e-9 && count < 0 ? 1 : 0;
    const wanted = Math.min(Math.max(place + count + between, 0), this.stops.length - 1);
    this.playing = false;
    this.step = this.stops[wanted];
    this.#changed();
  }

  /** Starts; from the beginning where the end was reached. */
  play() {
    if (this.stops.length < 2) return;
    if (this.step >= this.last) this.step = this.first;
    this.playing = true;
    this.#changed();
  }

  /** Stops at a stored step, so that what is shown is what was recorded. */
  pause() {
    this.playing = false;
    this.seek(this.step);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** @param {number} speed a multiple of real time */
  setSpeed(speed) {
    if (!(speed > 0)) return;
    this.speed = speed;
    this.#changed();
  }

  /** @param {1 | -1} direction to the next faster or slower of the speeds */
  changeSpeed(direction) {
    const others = SPEEDS.filter((speed) => (direction > 0 ? speed > this.speed : speed < this.speed));
    if (others.length > 0) this.setSpeed(direction > 0 ? others[0] : others[others.length - 1]);
  }

  /** @param {boolean} loop */
  setLoop(loop) {
    this.loop = loop;
    this.#changed();
  }

  /** @param {number} seconds of real time that went by */
  tick(seconds) {
    if (!this.playing) return;
    const step = this.step + (seconds * this.speed) / this.dt;
    if (step < this.last) this.step = step;
    else if (this.loop) this.step = this.first + ((step - this.first) % (this.last - this.first));
    else {
      this.step = this.last;
      this.playing = false;
    }
    this.#changed();
  }
}
