/**
 * Answers of the model and shapes of the contract are written separately, because the contract is zod and the model
 * must not need it. This file keeps them equal: it does not compile when a field is added, removed, renamed or retyped
 * on one side only, and it checks that answers of the model pass the contract's validation.
 */
import { diagnose, type FlushClassCounts } from "@aglens/ag-model/diagnosis";
import type { LiveModelPicture } from "@aglens/ag-model/live";
import { modelOf } from "@aglens/ag-model/model-for-tests";
import {
  findBlockAt,
  findLsn,
  overviewOf,
  rangeStatistics,
  sequenceOfBlock,
  slowestBlocks,
  slowestInCapture,
  summarise,
  toSequenceEvent,
  whoWaited,
} from "@aglens/ag-model/query";
import { describe, expect, test } from "vitest";
import { Overview } from "./shapes/overview.ts";
import { Sequence, SequenceEvent } from "./shapes/sequence.ts";
import { FoundBlocks, SlowBlocks } from "./shapes/slow-blocks.ts";
import { RangeStatistics } from "./shapes/statistics.ts";
import { Summary, type FlushClasses } from "./shapes/summary.ts";
import { WhoWaited } from "./shapes/who-waited.ts";
import { type Verdict } from "./shapes/verdict.ts";
import type { LivePicture } from "./shapes/live-picture.ts";

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
    // Marks are of the live run that was recorded, not of its events.
    Same<ReturnType<typeof summarise>, Omit<Summary, "marks">>,
    Same<ReturnType<typeof diagnose>, Verdict>,
    Same<ReturnType<typeof overviewOf>, Overview>,
    Same<ReturnType<typeof slowestInCapture>, SlowBlocks>,
    Fits<Plain<ReturnType<typeof whoWaited>>, WhoWaited>,
    Same<ReturnType<typeof findLsn>, FoundBlocks>,
    Same<ReturnType<typeof findBlockAt>, FoundBlocks>,
    Same<ReturnType<typeof rangeStatistics>, RangeStatistics>,
    Same<ReturnType<typeof sequenceOfBlock>, Sequence>,
    Same<ReturnType<typeof toSequenceEvent>, SequenceEvent>,
    Same<FlushClassCounts, FlushClasses>,
    Fits<Plain<Pick<LiveModelPicture, LivePart>>, Pick<LivePicture, LivePart>>,
    Fits<Pick<LivePicture, LivePart>, NullForNaN<Pick<LiveModelPicture, LivePart>>>,
  ]
>();

// The second block never reached the secondary: missing values have to be null on the wire.
const two = modelOf([{ at: 0 }, { at: 10_000 }]);
for (const column of Object.values(two.hops[0]!)) if (column instanceof Float64Array) column[1] = Number.NaN;
const range = { from: 0, to: 50_000 };

describe.each([
  ["two blocks", two],
  ["no block", modelOf([])],
])("%s: what the model answers passes the contract as it is", (_, model) => {
  const slow = { ...range, sort: "send", descending: true, secondary: 0, limit: 9, offset: 0 } as const;
  const event = { name: "x", ticks: 0n, fields: {}, actions: {} };
  const place = { file: 0, offset: 0, fire: Number.NaN };
  test.each([
    ["summary", Summary, { ...summarise(model, "id", "name", diagnose(model)), marks: [] }],
    ["overview", Overview, overviewOf(model, { ...range, bins: 3, secondary: 0 })],
    [
      "slow blocks",
      SlowBlocks,
      slowestInCapture(model, slowestBlocks(model, slow), { model, rows: null, commitRows: null }),
    ],
    ["who waited", WhoWaited, whoWaited(model, { ...range, by: "session" })],
    ["blocks of an LSN", FoundBlocks, findLsn(model, "22:1")],
    ["the block at an instant", FoundBlocks, findBlockAt(model, 0)],
    ["statistics", RangeStatistics, rangeStatistics(model, range)],
    ["an event", SequenceEvent, toSequenceEvent(model, place, event)],
  ] as const)("%s", (_name, shape, answer) => {
    expect(shape.parse(JSON.parse(JSON.stringify(answer)))).toEqual(answer);
  });

  test("every sequence", () => {
    for (let row = 0; row < model.blocks.length; row++) {
      const answer = sequenceOfBlock(model, row);
      expect(Sequence.parse(JSON.parse(JSON.stringify(answer)))).toEqual(answer);
    }
  });
});
