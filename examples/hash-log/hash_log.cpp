// A hash log in C++17: the same toy simulation and the same log as in the other languages here.
//
//     c++ -std=c++17 -O2 -ffp-contract=off hash_log.cpp -o hash_log && ./hash_log > cpp.log
//     ./hash_log 40 41       tells all of steps 40 and 41: physim asks so, with {from} {to}
//
// -ffp-contract=off keeps the compiler from rounding a*b+c once instead of twice where the processor can: that differs between
// processors, and is one of the usual desyncs.
#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

struct Unit { double x, v; };

struct Game {
    std::uint32_t random = 2463534242u;
    std::array<Unit, 4> units{{{1.0, 0.0}, {2.0, 0.0}, {3.0, 0.0}, {4.0, 0.0}}};

    void step() {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        for (std::size_t i = 0; i < units.size(); i++) {
            Unit &unit = units[i];
            double push = static_cast<double>((random >> (8 * i)) & 255) / 256.0 - 0.5;
            unit.v = unit.v * 0.99 + push * 0.125 - unit.x * 0.01;
            unit.x = unit.x + unit.v;
        }
    }
};

// ---- what goes into an engine of your own: FNV-1a over the bytes of all state that can affect later steps

class StateHash {
public:
    template <typename Number> void add(Number number) {
        static_assert(sizeof number <= 8);
        std::uint64_t bits = 0;
        std::memcpy(&bits, &number, sizeof number);  // on a machine whose bytes stand the other way round: swap them here
        for (std::size_t i = 0; i < sizeof number; i++) {
            hash = (hash ^ ((bits >> (8 * i)) & 255)) * UINT64_C(0x100000001b3);
        }
    }
    std::uint64_t value() const { return hash; }

private:
    std::uint64_t hash = UINT64_C(0xcbf29ce484222325);
};

static std::uint64_t hash_of(const Game &game) {
    StateHash hash;
    hash.add(game.random);
    for (const Unit &unit : game.units) {
        hash.add(unit.x);
        hash.add(unit.v);
    }
    return hash.value();
}

// JSON has no NaN and no infinity: as texts they are read. Their bits tell them even where -ffast-math lets isfinite say nothing.
static std::string number(double value, std::uint64_t bits) {
    if ((bits >> 52 & 0x7ff) == 0x7ff) {
        return bits << 12 != 0 ? "\"NaN\"" : bits >> 63 != 0 ? "\"-Infinity\"" : "\"Infinity\"";
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

static std::string field(const char *name, double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    char text[32];
    std::snprintf(text, sizeof text, "%016" PRIx64, bits);
    return std::string("\"") + name + "\":{\"value\":" + number(value, bits) + ",\"bits\":\"" + text + "\",\"type\":\"f64\"}";
}

static void print_line(const Game &game, unsigned long number, unsigned long from, unsigned long to) {
    std::string objects;
    if (to > 0 && from <= number && number <= to) {
        for (std::size_t i = 0; i < game.units.size(); i++) {
            objects += (i > 0 ? "," : "") + ("{\"name\":\"unit " + std::to_string(i)) + "\",\"fields\":{" +
                       field("x", game.units[i].x) + "," + field("v", game.units[i].v) + "}}";
        }
        objects = ",\"objects\":[" + objects + "]";
    }
    std::printf("{\"step\":%lu,\"hash\":\"%016" PRIx64 "\"%s}\n", number, hash_of(game), objects.c_str());
}

int main(int count, char **arguments) {
    unsigned long from = count > 1 ? std::stoul(arguments[1]) : 0;
    unsigned long to = count > 2 ? std::stoul(arguments[2]) : 0;
    Game game;
    print_line(game, 0, from, to);
    for (unsigned long number = 1; number <= 100; number++) {
        game.step();
        print_line(game, number, from, to);
    }
}
