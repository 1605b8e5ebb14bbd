// A hash log in JavaScript: the same toy simulation and the same log as in the other languages here.
//
//     node hash_log.js > js.log
//     node hash_log.js 40 41       tells all of steps 40 and 41: physim asks so, with {from} {to}
"use strict";

const game = { random: 2463534242, units: [1, 2, 3, 4].map((x) => ({ x, v: 0 })) };

function step(game) {
    let r = game.random;
    r ^= r << 13;
    r ^= r >>> 17;
    r ^= r << 5;
    game.random = r >>> 0;
    game.units.forEach((unit, i) => {
        const push = ((game.random >>> (8 * i)) & 255) / 256 - 0.5;
        unit.v = unit.v * 0.99 + push * 0.125 - unit.x * 0.01;
        unit.x = unit.x + unit.v;
    });
}

// ---- what goes into an engine of your own: FNV-1a over the bytes of all state that can affect later steps

const bytes = new DataView(new ArrayBuffer(8));

function hashBytes(hash, count) {
    for (let i = 0; i < count; i++) {
        hash = BigInt.asUintN(64, (hash ^ BigInt(bytes.getUint8(i))) * 0x100000001b3n);
    }
    return hash;
}

function hashOf(game) {
    bytes.setUint32(0, game.random, true);
    let hash = hashBytes(0xcbf29ce484222325n, 4);
    for (const unit of game.units) {
        for (const value of [unit.x, unit.v]) {
            bytes.setFloat64(0, value, true);
            hash = hashBytes(hash, 8);
        }
    }
    return hash;
}

const hex = (bits) => bits.toString(16).padStart(16, "0");

function field(value) {
    bytes.setFloat64(0, value, true);
    // JSON has no NaN and no infinity: as texts they are read.
    return { value: Number.isFinite(value) ? value : String(value), bits: hex(bytes.getBigUint64(0, true)), type: "f64" };
}

function line(game, number, from, to) {
    const told = { step: number, hash: hex(hashOf(game)) };
    if (to > 0 && from <= number && number <= to) {
        told.objects = game.units.map((unit, i) => ({ name: `unit ${i}`, fields: { x: field(unit.x), v: field(unit.v) } }));
    }
    return JSON.stringify(told);
}

const [from = 0, to = 0] = process.argv.slice(2).map(Number);
console.log(line(game, 0, from, to));
for (let number = 1; number <= 100; number++) {
    step(game);
    console.log(line(game, number, from, to));
}
