import { expect, it } from "vitest";
import { eventsAt, modelOf, type PlacedEvent } from "../../../test/model.ts";
import { fileBorders } from "./file-borders.ts";

it("each server's files border where one has its last event and the next one its first, in a run of any length", () => {
  const model = modelOf([{ at: 0, localFlush: 1 }]);
  const primary: PlacedEvent[] = [
    ...Array.from({ length: 70_000 }, (_, i) => ({ file: 0, fire: 10 * i })),
    { file: 1, fire: 1_000_000 },
    { file: 1, fire: 1_000_010 },
    { file: 0, fire: Number.NaN },
  ];
  const secondary = [5, 500].map((fire) => ({ replica: 1, file: 2, fire }));
  const files = [0, 0, 1, 1].map((replica, n) => ({ ...model.files[0], name: `${n}.xel`, replica }));
  const events = eventsAt([...primary, ...secondary, { replica: 1, file: 3, fire: 2_000 }]);
  expect(fileBorders({ ...model, files, events })).toEqual([
    [{ from: 699_990, to: 1_000_000, before: 0, behind: 1 }],
    [{ from: 500, to: 2_000, before: 2, behind: 3 }],
  ]);
});
