/** Files that are prepared while they are read: their description equals that of files that are read completely. */
import { readFileSync } from "node:fs";
import { readEvents } from "@aglens/ag-model/events";
import { prepareEvents } from "@aglens/ag-model/replication";
import type { PreparedEvents } from "@aglens/ag-model/replication";
import { createXelWriter } from "xel-parser/writer";
import { expect, test, vi } from "vitest";
import { recognizeFile } from "./recognise.ts";
import type { ReadableFile } from "./readable-file.ts";

/** More events than are read at once. */
const EVENTS_OF_TWO_PIECES = (1 << 18) + 20_000;

/** A file of flushes, 1 us apart. @param last publish time of the last one, ticks */
function fileOfFlushes(last = 10 * EVENTS_OF_TWO_PIECES): Uint8Array {
  const name = "log_flush_start";
  const schema = { packages: [{ name: "sqlserver", id: 2, events: [{ name, columns: [] }] }] };
  const writer = createXelWriter(schema, { bufferBytes: 100_000 });
  for (let i = 1; i < EVENTS_OF_TWO_PIECES; i++) writer.write(name, 10 * i, {});
  writer.write(name, last, {});
  return writer.finish();
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A file in memory, and how often it was read. */
function readable(bytes: Uint8Array): { readonly file: ReadableFile; readonly readings: () => number } {
  let readings = 0;
  const file: ReadableFile = {
    name: "a.xel",
    size: bytes.length,
    bytes: () => {
      readings++;
      return once(bytes);
    },
    chunks: () => once(bytes),
    head: (length) => Promise.resolve(bytes.subarray(0, length)),
    tail: (length) => Promise.resolve(bytes.subarray(-length)),
  };
  return { file, readings: () => readings };
}

const replace = () => Promise.reject(new Error("is no text"));

async function recognizedInPieces(bytes: Uint8Array) {
  const prepared: PreparedEvents[] = [];
  const { file, readings } = readable(bytes);
  const recognised = await recognizeFile(file, {
    replace,
    preparing: { onPrepared: (events) => prepared.push(events), giveBack: () => {} },
  });
  return { recognised, prepared, readings: readings() };
}

test.each([
  ["in order, which is read once", fileOfFlushes(), 1],
  ["whose last event was published before all others, which is read whole", fileOfFlushes(1), 2],
])("a file of several pieces, %s", async (_, bytes, readings) => {
  const found = await recognizedInPieces(bytes);
  expect(found.recognised).toEqual(await recognizeFile(readable(bytes).file, { replace }));
  expect(found.recognised).toMatchObject({ kind: "xel", events: EVENTS_OF_TWO_PIECES });
  expect(found.readings).toBe(readings);
  const whole = prepareEvents(await readEvents(once(bytes), "a.xel"));
  expect(found.prepared.map(({ length, firstTicks }) => [length, firstTicks])).toEqual(
    readings === 1 ? [[whole.length, whole.firstTicks]] : [],
  );
});

test("what is beside a gap is said of a file that was to be prepared too", async () => {
  const bytes = fileOfFlushes();
  const damaged = bytes.fill(0xa5, bytes.length >> 1, (bytes.length >> 1) + 5_000);
  const { recognised, prepared } = await recognizedInPieces(damaged);
  expect(recognised).toEqual(await recognizeFile(readable(damaged).file, { replace }));
  expect(recognised.gaps[0]?.before?.name).toBe("log_flush_start");
  expect(prepared).toEqual([]);
});

/** A file of 8,986 events whose GUIDs are read at the wrong place: its descriptors count as ids. */
function fileReadWrongly(): Uint8Array {
  const file = readFileSync(
    new URL(
      "../../../../fixtures/captures/slow-network/primary/AlwaysOn_Data_Movement_Tracing_SQL1_0_131069746150017970.xel",
      import.meta.url,
    ),
  );
  // The size that the TYPE record of guid declares is after its name and an empty description
  // (docs/reference/xel-format.md 3.3).
  const name = Buffer.from("guid\0\0", "utf16le");
  const declared = file.indexOf(name) + name.length;
  expect(file[declared]).toBe(0);
  file[declared] = 16;
  return new Uint8Array(file);
}

test("a file whose ids cannot be those of a group is refused with a sentence, and leaves no id in the record", async () => {
  const { file } = readable(fileReadWrongly());
  const onColumns = vi.fn();
  const found = await recognizeFile(file, { replace, onColumns });
  expect(onColumns).not.toHaveBeenCalled();
  expect(found).toEqual({
    ...found,
    kind: "unreadable",
    message:
      "a.xel: The events name 4,182 availability databases. A server has no more than 500. They are damaged, or their ids are stored in a way that AG Lens can't read. The analysis skips the file. Copy it from the server again.",
    partnerIds: [],
    replicaId: null,
    identity: null,
  });
});

test("the same where the file is prepared while it is read", async () => {
  const { recognised, prepared } = await recognizedInPieces(fileReadWrongly());
  expect(recognised.kind).toBe("unreadable");
  expect(prepared).toEqual([]);
});

test("a topology of more bytes than one can have is left out, with both sizes", async () => {
  const head = new TextEncoder().encode("<AGInfoRoot>");
  const { file } = readable(head);
  const found = await recognizeFile({ ...file, name: "t.xml", size: 4_194_305 }, { replace });
  expect(found).toMatchObject({
    kind: "unreadable",
    message:
      "t.xml has 4,194,305 bytes, more than the topology of an availability group can have (4,194,304). The analysis skips the file.",
  });
  expect(await recognizeFile({ ...file, size: 4_194_304 }, { replace })).toMatchObject({ kind: "topology" });
});
