"""Reads a Foxglove export with Foxglove's own packages and compares every transform with the CSV of the same run.

    python read_foxglove.py RUN.mcap RUN.csv [SHAPES.json]

SHAPES.json has the primitives that bodies must have: {"ball": {"spheres": [[1, 1, 1]]}}, sizes from side to side.
"""

import csv
import json
import struct
import sys

from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory


def main(mcap_path, csv_path, shapes_path=None):
    rows = {}
    with open(csv_path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            pose = [float(row[name]) for name in ("px", "py", "pz", "qx", "qy", "qz", "qw")]
            rows[int(row["step"]), row["body"]] = pose
    bodies = {body for _, body in rows}
    transforms, shown, ever, deleted, arrows, schemas = 0, set(), {}, set(), 0, set()
    with open(mcap_path, "rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()], validate_crcs=True)
        summary = reader.get_summary()
        assert summary.chunk_indexes and summary.statistics.message_count, "there is an index"
        about = {record.name: record.metadata for record in reader.iter_metadata()}["physim"]
        assert len(about["final_hash"]) == 64, about
        topics = ["/tf", "/scene", "/contacts"]
        for schema, channel, message, decoded in reader.iter_decoded_messages(topics=topics):
            schemas.add((channel.topic, schema.name, schema.encoding))
            if channel.topic == "/tf":
                names = set()
                for transform in decoded.transforms:
                    names.add(transform.child_frame_id)
                    key = message.sequence, transform.child_frame_id
                    at, turn = transform.translation, transform.rotation
                    pose = [at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w]
                    if about["scalar"] == "f32":
                        # The text of an f32 is short: it has to be read as one.
                        rows[key] = struct.unpack("7f", struct.pack("7f", *rows[key]))
                    expected = list(rows.pop(key))
                    assert pose == expected, (key, pose, expected)
                    nanoseconds = transform.timestamp.seconds * 10**9 + transform.timestamp.nanos
                    assert nanoseconds == message.log_time, "the time in the message is that of the log"
                    assert transform.parent_frame_id not in bodies, "no body has the name of the world"
                    transforms += 1
                assert names == shown, f"shapes of {shown ^ names} at step {message.sequence}"
            elif channel.topic == "/scene":
                for deletion in decoded.deletions:
                    shown.remove(deletion.id)
                    deleted.add(deletion.id)
                for entity in decoded.entities:
                    assert entity.frame_id == entity.id and entity.frame_locked
                    parts = {
                        kind: [[p.size.x, p.size.y, p.size.z] for p in getattr(entity, kind)]
                        for kind in ("spheres", "cubes", "cylinders")
                    }
                    for kind in parts:
                        assert all(p.color.a == 1 for p in getattr(entity, kind))
                    shown.add(entity.id)
                    ever[entity.id] = parts
            else:
                (contacts,) = decoded.entities
                arrows += len(contacts.arrows)
                assert all(arrow.shaft_length >= 0 for arrow in contacts.arrows)
    assert not rows, f"{len(rows)} rows of the CSV are missing, such as {next(iter(rows))}"
    assert schemas <= {
        ("/tf", "foxglove.FrameTransforms", "protobuf"),
        ("/scene", "foxglove.SceneUpdate", "protobuf"),
        ("/contacts", "foxglove.SceneUpdate", "protobuf"),
    }, schemas
    if shapes_path:
        with open(shapes_path, encoding="utf-8") as file:
            for body, expected in json.load(file).items():
                for kind, sizes in expected.items():
                    assert ever[body][kind] == sizes, (body, kind, ever[body][kind], sizes)
    print(f"{mcap_path}: {transforms} transforms as in the CSV, {len(ever)} bodies, {len(deleted)} removed, {arrows} arrows")


if __name__ == "__main__":
    main(*sys.argv[1:])
