import { expect, test } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { LOG_UNIT_BYTES } from "../shapes/identity.ts";
import { FileWritesOfParts } from "./file-writes.ts";

const VLF = 0x22n;
const WRITES = 5_000;
const LOG_FILE = 2;
/** Where the VLF begins in the log file, bytes. */
const VLF_AT = 65_536;

test("file writes that never complete are kept up to a limit, the latest ones", () => {
  const local = 5;
  const begun = Array.from({ length: WRITES }, (_, i): EventSpec[] => {
    const [block, unit] = [(VLF << 32n) | BigInt(100 + i), 100 + i];
    const write = { mode: LOG_FILE, size: VLF_AT + unit * LOG_UNIT_BYTES, local };
    const at = i * 10;
    return [
      { kind: "flushStart", at, block, local },
      { kind: "fileWriteEnqueued", published: at + 1, ...write },
      { kind: "flushComplete", at: at + 2, published: at + 2, block, local },
      { kind: "fileWriteCompleted", published: WRITES * 10 + at, ...write },
    ];
  }).flat();
  const columns = eventColumns(begun);
  const published = Float64Array.from(columns.ticks, (ticks) => Number(ticks - columns.ticks[0]));
  const blockOf = Int32Array.from(columns.blockId, (id) => (id === 0n ? -1 : Number(id & 0xffffn) - 100));
  const ended = blockOf.length - WRITES;
  new FileWritesOfParts().add({ columns, examples: columns, published }, blockOf);
  const found = [...blockOf.subarray(ended)].filter((block) => block >= 0);
  expect(found.length).toBe(4_096);
  expect(found[0]).toBe(WRITES - 4_096);
  expect(found.at(-1)).toBe(WRITES - 1);
});

test("servers without a split share no memory, because it moves to another thread", () => {
  const [one, other] = [new FileWritesOfParts().finish(), new FileWritesOfParts().finish()];
  structuredClone(one, { transfer: [one.block.buffer, one.queue.buffer] });
  expect(() => structuredClone(other, { transfer: [other.block.buffer, other.queue.buffer] })).not.toThrow();
});
