// What the person has chosen. Buttons, keys, the address and the console all set it; drawing and panels listen.

/**
 * @typedef {object} Choices
 * @property {'body' | 'kind' | 'speed' | 'difference'} colour
 * @property {'both' | 'a' | 'b' | 'blink'} runs which of two runs is shown
 * @property {boolean} contacts
 * @property {boolean} grid
 * @property {boolean} trail
 * @property {boolean} bodies
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {boolean} ui whether anything but the picture is shown
 * @property {boolean} panel
 * @property {boolean} help
 * @property {string} chart which curve stands under the time bar
 * @property {number} picked place of a body in the cast, or -1
 * @property {number} hovered place of a body in the cast, or -1
 * @property {number} follow place of a body in the cast, or -1
 */

/** Values with listeners, called only where a value really changes. */
export class Store {
  #values;
  #initial;
  #listeners = new Map();

  /** @param {Choices} values */
  constructor(values) {
    this.#values = { ...values };
    this.#initial = { ...values };
  }

  /** @param {keyof Choices} key */
  get(key) {
    return this.#values[key];
  }

  /**
   * @param {keyof Choices} key
   * @param {any} value
   */
  set(key, value) {
    if (!(key in this.#values)) throw new Error(`there is no choice called ${key}`);
    if (this.#values[key] === value) return;
    this.#values[key] = value;
    for (const listener of this.#listeners.get(key) ?? []) listener(value);
  }

  /** @param {keyof Choices} key */
  toggle(key) {
    this.set(key, !this.#values[key]);
  }

  /** Goes back to what was chosen at the beginning. */
  reset() {
    for (const key in this.#initial) this.set(key, this.#initial[key]);
  }

  /**
   * @param {(keyof Choices)[]} keys
   * @param {(value: any) => void} listener
   */
  on(keys, listener) {
    for (const key of keys) this.#listeners.set(key, [...(this.#listeners.get(key) ?? []), listener]);
  }
}
