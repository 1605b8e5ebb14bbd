// A hash log in C: the same toy simulation and the same log as in the other languages here.
//
//     cc -O2 -ffp-contract=off hash_log.c -o hash_log && ./hash_log > c.log
//     ./hash_log 40 41       tells all of steps 40 and 41: physim asks so, with {from} {to}
//
// -ffp-contract=off keeps the compiler from rounding a*b+c once instead of twice where the processor can: that differs between
// processors, and is one of the usual desyncs.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 4, STEPS = 100 };

struct unit { double x, v; };
struct game { uint32_t random; struct unit units[UNITS]; };

static void step(struct game *game) {
    uint32_t r = game->random;
    r ^= r << 13;
    r ^= r >> 17;
    r ^= r << 5;
    game->random = r;
    for (int i = 0; i < UNITS; i++) {
        struct unit *unit = &game->units[i];
        double push = (double)((r >> (8 * i)) & 255) / 256.0 - 0.5;
        unit->v = unit->v * 0.99 + push * 0.125 - unit->x * 0.01;
        unit->x = unit->x + unit->v;
    }
}

// ---- what goes into an engine of your own: FNV-1a over the bytes of all state that can affect later steps

static uint64_t hash_bytes(uint64_t hash, uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; i++) {
        hash = (hash ^ ((bits >> (8 * i)) & 255)) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t hash_game(const struct game *game) {
    uint64_t hash = hash_bytes(UINT64_C(0xcbf29ce484222325), game->random, 4);
    for (int i = 0; i < UNITS; i++) {
        hash = hash_bytes(hash, bits_of(game->units[i].x), 8);
        hash = hash_bytes(hash, bits_of(game->units[i].v), 8);
    }
    return hash;
}

// JSON has no NaN and no infinity: as texts they are read. Their bits tell them even where -ffast-math lets isfinite say nothing.
static void print_number(double value) {
    uint64_t bits = bits_of(value);
    if ((bits >> 52 & 0x7ff) != 0x7ff) {
        printf("%.17g", value);
    } else {
        printf("\"%s\"", bits << 12 != 0 ? "NaN" : bits >> 63 != 0 ? "-Infinity" : "Infinity");
    }
}

static void print_field(const char *name, double value, const char *end) {
    printf("\"%s\":{\"value\":", name);
    print_number(value);
    printf(",\"bits\":\"%016" PRIx64 "\",\"type\":\"f64\"}%s", bits_of(value), end);
}

static void print_line(const struct game *game, unsigned long number, unsigned long from, unsigned long to) {
    printf("{\"step\":%lu,\"hash\":\"%016" PRIx64 "\"", number, hash_game(game));
    if (to > 0 && from <= number && number <= to) {
        printf(",\"objects\":[");
        for (int i = 0; i < UNITS; i++) {
            printf("%s{\"name\":\"unit %d\",\"fields\":{", i > 0 ? "," : "", i);
            print_field("x", game->units[i].x, ",");
            print_field("v", game->units[i].v, "}}");
        }
        printf("]");
    }
    printf("}\n");
}

int main(int count, char **arguments) {
    unsigned long from = count > 1 ? strtoul(arguments[1], NULL, 10) : 0;
    unsigned long to = count > 2 ? strtoul(arguments[2], NULL, 10) : 0;
    struct game game = { 2463534242u, { { 1.0, 0.0 }, { 2.0, 0.0 }, { 3.0, 0.0 }, { 4.0, 0.0 } } };
    print_line(&game, 0, from, to);
    for (unsigned long number = 1; number <= STEPS; number++) {
        step(&game);
        print_line(&game, number, from, to);
    }
    return 0;
}
