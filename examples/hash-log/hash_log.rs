//! A hash log in Rust: the same toy simulation and the same log as in the other languages here.
//!
//!     rustc -O hash_log.rs && ./hash_log > rust.log
//!     ./hash_log 40 41       tells all of steps 40 and 41: physim asks so, with {from} {to}

struct Unit {
    x: f64,
    v: f64,
}

struct Game {
    random: u32,
    units: Vec<Unit>,
}

impl Game {
    fn step(&mut self) {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        for (number, unit) in self.units.iter_mut().enumerate() {
            let push = f64::from((self.random >> (8 * number)) & 255) / 256.0 - 0.5;
            unit.v = unit.v * 0.99 + push * 0.125 - unit.x * 0.01;
            unit.x += unit.v;
        }
    }
}

// ---- what goes into an engine of your own: FNV-1a over the bytes of all state that can affect later steps

fn hash_bytes(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn hash_of(game: &Game) -> u64 {
    let hash = hash_bytes(0xcbf2_9ce4_8422_2325, &game.random.to_le_bytes());
    game.units.iter().fold(hash, |hash, unit| hash_bytes(hash_bytes(hash, &unit.x.to_le_bytes()), &unit.v.to_le_bytes()))
}

/// JSON has no NaN and no infinity: as texts they are read.
fn number(value: f64) -> String {
    if value.is_finite() {
        value.to_string()
    } else if value.is_nan() {
        "\"NaN\"".to_owned()
    } else {
        format!("\"{}Infinity\"", if value < 0.0 { "-" } else { "" })
    }
}

fn field(name: &str, value: f64) -> String {
    format!(r#""{name}":{{"value":{},"bits":"{:016x}","type":"f64"}}"#, number(value), value.to_bits())
}

fn line(game: &Game, number: u32, from: u32, to: u32) -> String {
    let mut objects = String::new();
    if to > 0 && (from..=to).contains(&number) {
        let units = game.units.iter().enumerate().map(|(number, unit)| {
            format!(r#"{{"name":"unit {number}","fields":{{{},{}}}}}"#, field("x", unit.x), field("v", unit.v))
        });
        objects = format!(r#","objects":[{}]"#, units.collect::<Vec<String>>().join(","));
    }
    format!(r#"{{"step":{number},"hash":"{:016x}"{objects}}}"#, hash_of(game))
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a step"));
    let (from, to) = (arguments.next().unwrap_or(0), arguments.next().unwrap_or(0));
    let units = (1..=4).map(|x| Unit { x: f64::from(x), v: 0.0 }).collect();
    let mut game = Game { random: 2_463_534_242, units };
    println!("{}", line(&game, 0, from, to));
    for number in 1..=100 {
        game.step();
        println!("{}", line(&game, number, from, to));
    }
}
