/**
 * What the model answers and what the contract declares are written apart, because the contract is zod and the model must
 * not need it. This file holds them together: it does not compile when a field is added, dropped, renamed or retyped on
 * one side only, and what the model answers passes the contract's door.
 */
import { diagnose, type FlushClassCounts } from "@aglens/ag-model/diagnosis";
import type { LiveModelPicture } from "@aglens/ag-model/live";
import { modelOf } from "@aglens/ag-model/model-for-tests";
import {
  findAt,
  findLsn,
  overview,
  rangeStatistics,
  sequence,
  slowest,
  summarise,
  toSequenceEvent,
} from "@aglens/ag-model/query";
import { expect, test } from "vitest";
import {
  FoundBlocks,
  Overview,
  RangeStatistics,
  Sequence,
  SequenceEvent,
  SlowBlocks,
  Summary,
  type FlushClasses,
  type Verdict,
} from "./api.ts";
import type { LivePicture } from "./live.ts";

/** The same type without `readonly`. */
type Plain<T> = T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T;

/** The live model's figures as JSON has them: null for NaN. */
type NullForNaN<T> = T extends number
  ? number | null
  : T extends object
    ? { -readonly [K in keyof T]: NullForNaN<T[K]> }
    : T;

type Fits<From, To> = [From] extends [To] ? true : { readonly given: From; readonly expected: To };
type Same<Model, Contract> =
  Fits<Plain<Model>, Contract> extends true ? Fits<Contract, Plain<Model>> : Fits<Plain<Model>, Contract>;

type LivePart = Extract<keyof LiveModelPicture, keyof LivePicture>;

/** Compiles as long as every check is true. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the parameter is the check
function expectTypes<_Checks extends readonly true[]>(): void {}

expectTypes<
  [
    Same<ReturnType<typeof summarise>, Summary>,
    Same<ReturnType<typeof diagnose>, Verdict>,
    Same<ReturnType<typeof overview>, Overview>,
    Same<ReturnType<typeof slowest>, SlowBlocks>,
    Same<ReturnType<typeof findLsn>, FoundBlocks>,
    Same<ReturnType<typeof findAt>, FoundBlocks>,
    Same<ReturnType<typeof rangeStatistics>, RangeStatistics>,
    Same<ReturnType<typeof sequence>, Sequence>,
    Same<ReturnType<typeof toSequenceEvent>, SequenceEvent>,
    Same<FlushClassCounts, FlushClasses>,
    Fits<Plain<Pick<LiveModelPicture, LivePart>>, Pick<LivePicture, LivePart>>,
    Fits<Pick<LivePicture, LivePart>, NullForNaN<Pick<LiveModelPicture, LivePart>>>,
  ]
>();

// The second block never reached the secondary: what is not there has to be null on the wire.
const model = modelOf([{ at: 0 }, { at: 10_000 }]);
for (const column of Object.values(model.hops[0]!))
  if (column instanceof Float64Array) column[1] = Number.NaN;
const range = { from: 0, to: 50_000 };

test.each([
  ["summary", Summary, summarise(model, "id", "name", diagnose(model))],
  ["overview", Overview, overview(model, { ...range, bins: 3, secondary: 0 })],
  ["slow blocks", SlowBlocks, slowest(model, { ...range, sort: "send", descending: true, secondary: 0, limit: 9, offset: 0 })], // prettier-ignore
  ["blocks of an LSN", FoundBlocks, findLsn(model, "22:1")],
  ["the block at an instant", FoundBlocks, findAt(model, 0)],
  ["statistics", RangeStatistics, rangeStatistics(model, range)],
  ["a sequence", Sequence, sequence(model, 1)],
  ["an event", SequenceEvent, toSequenceEvent(model, { file: 0, offset: 0, fire: Number.NaN }, { name: "x", ticks: 0n, fields: {}, actions: {} })], // prettier-ignore
] as const)("%s: what the model answers passes the contract as it is", (_, shape, answer) => {
  const sent: unknown = JSON.parse(JSON.stringify(answer));
  expect(shape.parse(sent)).toEqual(answer);
});
