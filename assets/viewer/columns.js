// Numbers as a film's blob holds them: LEB128 varints, and columns of residuals.

/** Reads a blob from its first byte to its last. */
export class BlobReader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** @returns {number} the next byte */
  byte() {
    if (this.at >= this.bytes.length) throw new Error('the data end too early');
    return this.bytes[this.at++];
  }

  /**
   * Multiplies instead of shifting: a shift would cut values at 32 bits, and they reach 2^53.
   * @returns {number} the next unsigned varint
   */
  varint() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  /** @returns {number} the next zigzag varint */
  signed() {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /**
   * Reads one column into every `stride`-th place of `out`.
   * @param {Float64Array | Float32Array} out
   * @param {number} offset place of the first value
   * @param {number} stride
   * @param {number} count
   * @param {number} quantum
   */
  column(out, offset, stride, count, quantum) {
    const order = this.byte();
    if (order > 3) throw new Error(`a column of order ${order}`);
    let last = 0;
    let before = 0;
    if (order === 3) {
      // A body that rests: one value stands for all.
      const value = count > 0 ? this.signed() * quantum : 0;
      for (let k = 0; k < count; k++) out[offset + k * stride] = value;
      return;
    }
    for (let k = 0; k < count; k++) {
      const prediction = order === 0 ? 0 : order === 1 ? last : 2 * last - before;
      before = last;
      last = this.signed() + prediction;
      out[offset + k * stride] = last * quantum;
    }
  }
}
