import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { blockId, blocksInARow, hopEvents, localEvents, secondaryEvents } from "../../../test/paths.ts";
import { placesOf } from "../../../test/servers.ts";
import { EventKind, fireTime, mergeColumns, type EventColumns } from "../../events/index.ts";
import { PackedColumn } from "../../numbers/index.ts";
import { IdNumbers, wordsOf } from "./event-ids.ts";
import { buildModel } from "../model.ts";
import { buffersOfEvents } from "./memory.ts";
import { prepareEvents, prepareInTurn, prepareParts, type FilesInTurn } from "./prepared-events.ts";
import type { ServerInput } from "./server-input.ts";

const paths = blocksInARow(40);
const primary = eventColumns(paths.flatMap((path) => [...localEvents(path), ...hopEvents(path, {})]));
const secondary = eventColumns(paths.flatMap((path) => secondaryEvents(path, {})));

it("numbers ids as they come first, and lists them ascending, the absent id as 0", () => {
  const ids = [2n ** 40n, 7n, 0n, 7n, 2n ** 40n + 1n, 6n];
  const numbers = new IdNumbers();
  const parts = [ids.slice(0, 3), ids.slice(3)].map((part) => numbers.of(wordsOf(BigUint64Array.from(part))));
  expect(parts.map((part) => [...part])).toEqual([
    [0, 1, 2],
    [1, 3, 4],
  ]);
  const found = numbers.ascending();
  expect([...found.place]).toEqual([3, 2, 0, 4, 1]);
  expect([...found.high]).toEqual([0, 0, 0, 256, 256]);
  expect([...found.low]).toEqual([0, 6, 7, 0, 1]);
});

it("makes the same model as without, also after a journey between threads", () => {
  const inputs: ServerInput[] = [
    { role: "primary", columns: primary },
    { role: "secondary", columns: secondary },
  ];
  const travelled = inputs.map((input) => {
    const prepared = prepareEvents(input.columns);
    const transfer = buffersOfEvents({ prepared });
    const handedOver = structuredClone(prepared, { transfer });
    expect(transfer.every(({ byteLength }) => byteLength === 0)).toBe(true);
    return { ...input, prepared: handedOver };
  });
  expect(buildModel(travelled)).toEqual(buildModel(inputs));
});

it("gives the memory of events that are used up back, each buffer once, and makes the same model", () => {
  const given: ArrayBuffer[] = [];
  const giveBack = (memory: readonly ArrayBuffer[]): void => {
    given.push(...memory);
    for (const buffer of memory) buffer.transfer(0);
  };
  const inputs = [primary, secondary].map((columns) => ({ columns, prepared: prepareEvents(columns) }));
  const usedUp = inputs.map((input) => ({ ...structuredClone(input), giveBack }));
  const all = usedUp.flatMap(buffersOfEvents).filter(({ byteLength }) => byteLength > 0);
  expect(buildModel(usedUp)).toEqual(buildModel(inputs));
  expect(all.filter((buffer) => !given.includes(buffer)).length).toBe(0);
  expect(new Set(given).size).toBe(given.length);
  expect(all.every(({ byteLength }) => byteLength === 0)).toBe(true);
});

it("is left out where two inputs turn out to be of one server", () => {
  const half = (from: number, to: number) =>
    eventColumns(paths.slice(from, to).flatMap((path) => [...localEvents(path), ...hopEvents(path, {})]));
  const parts = [half(0, 20), half(20, 40)].map((columns) => ({
    role: "primary" as const,
    columns,
    prepared: prepareEvents(columns),
  }));
  expect(buildModel(parts).blocks).toEqual(buildModel([{ role: "primary", columns: primary }]).blocks);
});

it("makes the same model a second time", () => {
  const late = { ...primary, start: primary.start.map((at, i) => (i % 7 === 3 ? Number.NaN : at)) };
  const inputs = [late, secondary].map((columns) => ({ columns, prepared: prepareEvents(columns) }));
  const first = structuredClone(buildModel(inputs));
  expect(buildModel(inputs)).toEqual(first);
});

/** Three rollover files of one server; the first text of each is another. */
function rolloverFiles(): EventColumns[] {
  const events = paths.flatMap((path) => [...localEvents(path), ...hopEvents(path, {})]);
  const publishOf = ({ kind, at = 0, took = 0 }: EventSpec): number => fireTime(EventKind[kind], at, took);
  const inOrder = events.toSorted((a, b) => publishOf(a) - publishOf(b));
  const cut = inOrder.length / 3;
  return [inOrder.slice(0, cut), inOrder.slice(cut, 2 * cut), inOrder.slice(2 * cut)].map((part) =>
    eventColumns([{ kind: "stillWaiting", published: publishOf(part[0]), action: part[0].kind }, ...part]),
  );
}

it("prepares rollover files as it does their events together, whatever numbers their texts have", () => {
  const [first, second, third] = rolloverFiles();
  const together = prepareEvents(mergeColumns([first, second, third]));
  expect(prepareParts([first, second, third])).toEqual(together);
  expect(together.files.length).toBe(3);
  expect(new Set(placesOf(together.places).file).size).toBe(3);
  // A file that begins before the one before it ends.
  expect(prepareParts([second, first, third])).toEqual(prepareEvents(mergeColumns([second, first, third])));
});

it("knows the action of an event whose file brings nothing else that is new", () => {
  const flow = (at: number, action: string): EventSpec[] => [
    { kind: "databaseFlowControl", published: at, database: "sales", action },
  ];
  // Events of a new shape in two files, then a file with one of the same shape and another action.
  const files = [eventColumns(localEvents(paths[0])), flow(1e9, "Set"), flow(2e9, "Clear")].map((file) =>
    Array.isArray(file) ? eventColumns(file) : file,
  );
  const { columns, action } = prepareParts(files).single;
  const texts = [2, 1].map((last) => new PackedColumn(action).at(columns.length - last));
  expect(texts.map((text) => columns.texts[text])).toEqual(["Set", "Clear"]);
});

it("keeps the places of few events where nobody lists them, and all else", () => {
  const all = prepareEvents(primary);
  const unlisted = prepareEvents(primary, { ofEach: false });
  for (const { offset } of unlisted.places.parts) expect(offset.bytes).toHaveLength(0);
  expect(unlisted.places.length).toBeLessThan(0.6 * all.places.length);
  expect({ ...unlisted, places: all.places }).toEqual(all);
});

describe("files that are read in turn", () => {
  /** Reads files, and keeps how many were in memory at once. */
  function inTurn(files: readonly EventColumns[]) {
    const held = { now: 0, most: 0 };
    const from: FilesInTurn = {
      events: 1_000,
      files: files.map(
        (columns) =>
          async function* () {
            held.most = Math.max(held.most, ++held.now);
            await Promise.resolve();
            yield columns;
          },
      ),
      release: () => held.now--,
    };
    return { from, held };
  }

  it("are prepared as together, no more than two at once in memory", async () => {
    const files = rolloverFiles();
    const { from, held } = inTurn(files);
    expect(await prepareInTurn(from)).toEqual(prepareParts(files));
    expect(held).toEqual({ now: 0, most: 2 });
  });

  it("are put together where one begins before the one before it ended", async () => {
    const [first, second, third] = rolloverFiles();
    const files = [second, first, third];
    expect(await prepareInTurn(inTurn(files).from)).toEqual(prepareEvents(mergeColumns(files)));
  });

  it("fail as the file does that cannot be read", async () => {
    const { from } = inTurn(rolloverFiles());
    const files = from.files.with(1, async function* () {
      await Promise.resolve();
      yield rolloverFiles()[1];
      throw new Error("The disk is gone.");
    });
    await expect(prepareInTurn({ ...from, files })).rejects.toThrow("The disk is gone.");
  });
});

it("begins again where the database of the first events shows only after many others", () => {
  const B = blockId;
  const BLOCKS = 20_000;
  const written = Array.from({ length: BLOCKS }, (_, i): EventSpec => {
    return { kind: "flushStart", at: 10 * i, local: 7, block: B(1, 16 + 8 * i) };
  });
  // Half of the blocks are named with the database, all of them at the end.
  const received = written.slice(0, BLOCKS / 2).map(({ block }, i): EventSpec => {
    return {
      kind: "transportReceive",
      mode: 2,
      at: 10 * (BLOCKS + i),
      took: 0,
      database: "sales",
      block: block!,
    };
  });
  const { databases, blocks } = prepareEvents(eventColumns([...written, ...received]));
  expect(databases.localIds).toEqual([7]);
  // None of them is of a foreign database.
  expect(blocks.length).toBe(BLOCKS);
  expect(new Set(blocks.database)).toEqual(new Set([0]));
});

it("keeps each database_id that a database had when it begins again", () => {
  const B = (i: number): bigint => blockId(1, 16 + 8 * i);
  const BLOCKS = 20_000;
  // The log writes of blocks are long before the events that name the database; it was restored under another number.
  const written = Array.from({ length: BLOCKS }, (_, i): EventSpec => {
    return { kind: "flushStart", at: 10 * i, local: i < BLOCKS / 2 ? 5 : 7, block: B(i) };
  });
  const hardened = [5, 7].map((local, i): EventSpec => {
    return { kind: "commitManagerHarden", at: 10 * (BLOCKS + i), database: "sales", local, block: B(i) };
  });
  const { blocks } = prepareEvents(eventColumns([...written, ...hardened]));
  expect(blocks.length).toBe(BLOCKS);
  expect(new Set(blocks.database)).toEqual(new Set([0]));
});
