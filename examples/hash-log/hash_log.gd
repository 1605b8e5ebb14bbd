# A hash log in GDScript (Godot 4): the same toy simulation and the same log as in the other languages here.
#
#     godot --headless --script hash_log.gd > gdscript.log
#     godot --headless --script hash_log.gd -- 40 41       tells all of steps 40 and 41: physim asks so, with {from} {to}
#
# Godot prints lines of its own before the first: physim skips them in the output of a program, and in a file with --lenient.
extends SceneTree

var random := 2463534242
var xs: Array[float] = [1.0, 2.0, 3.0, 4.0]
var vs: Array[float] = [0.0, 0.0, 0.0, 0.0]


func step() -> void:
	random ^= (random << 13) & 0xFFFFFFFF
	random ^= random >> 17
	random ^= (random << 5) & 0xFFFFFFFF
	for i in xs.size():
		var push := float((random >> (8 * i)) & 255) / 256.0 - 0.5
		vs[i] = vs[i] * 0.99 + push * 0.125 - xs[i] * 0.01
		xs[i] = xs[i] + vs[i]


# ---- what goes into an engine of your own: FNV-1a over the bytes of all state that can affect later steps

func hash_of() -> int:
	var state := PackedByteArray()
	state.resize(4 + 16 * xs.size())
	state.encode_u32(0, random)
	for i in xs.size():
		state.encode_double(4 + 16 * i, xs[i])
		state.encode_double(12 + 16 * i, vs[i])
	# 0xcbf29ce484222325 in halves: as one number it does not fit a signed one.
	var value := (0xcbf29ce4 << 32) | 0x84222325
	for byte in state:
		value = (value ^ byte) * 0x100000001b3
	return value


func hex(bits: int) -> String:
	return "%08x%08x" % [(bits >> 32) & 0xFFFFFFFF, bits & 0xFFFFFFFF]


func number(value: float) -> String:
	# JSON has no NaN and no infinity: as texts they are read.
	if is_finite(value):
		return str(value)
	return "\"NaN\"" if is_nan(value) else "\"Infinity\"" if value > 0.0 else "\"-Infinity\""


func field(value: float) -> String:
	var bytes := PackedByteArray()
	bytes.resize(8)
	bytes.encode_double(0, value)
	return "{\"value\":%s,\"bits\":\"%s\",\"type\":\"f64\"}" % [number(value), hex(bytes.decode_s64(0))]


func line(number: int, first: int, last: int) -> String:
	var told := "{\"step\":%d,\"hash\":\"%s\"" % [number, hex(hash_of())]
	if last > 0 and first <= number and number <= last:
		var objects := PackedStringArray()
		for i in xs.size():
			objects.append("{\"name\":\"unit %d\",\"fields\":{\"x\":%s,\"v\":%s}}" % [i, field(xs[i]), field(vs[i])])
		told += ",\"objects\":[%s]" % ",".join(objects)
	return told + "}"


func _init() -> void:
	var words := OS.get_cmdline_user_args()
	var first := int(words[0]) if words.size() > 0 else 0
	var last := int(words[1]) if words.size() > 1 else 0
	print(line(0, first, last))
	for number in range(1, 101):
		step()
		print(line(number, first, last))
	quit()
