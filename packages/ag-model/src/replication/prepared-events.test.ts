import { expect, it } from "vitest";
import { eventColumns } from "../../test/events.ts";
import { blocksInARow, hopEvents, localEvents, secondaryEvents } from "../../test/paths.ts";
import { numberIds } from "./event-ids.ts";
import { buildModel } from "./model.ts";
import { buffersOfEvents } from "./memory.ts";
import { prepareEvents } from "./prepared-events.ts";
import type { ServerInput } from "./server-input.ts";

const paths = blocksInARow(40);
const primary = eventColumns(paths.flatMap((path) => [...localEvents(path), ...hopEvents(path, {})]));
const secondary = eventColumns(paths.flatMap((path) => secondaryEvents(path, {})));

it("numbers ids as they come first, and lists them ascending, the absent id as 0", () => {
  const ids = [2n ** 40n, 7n, 0n, 7n, 2n ** 40n + 1n, 6n];
  const found = numberIds(BigUint64Array.from(ids));
  expect([...found.numberOf]).toEqual([0, 1, 2, 1, 3, 4]);
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
