import { expect, test } from "vitest";
import { partsThatFit, type Part, type SizedFile } from "./parts-that-fit.ts";

/** 2024-11-30 00:00 UTC as FILETIME ticks, by `[datetime]::new(2024,11,30).ToFileTimeUtc()`. */
const MIDNIGHT = 133_773_984_000_000_000n;
const minutes = (count: number): bigint => MIDNIGHT + BigInt(count) * 600_000_000n;

const file = (folder: string, name: string, bytes: number): SizedFile => ({
  picked: { file: new File([], name), path: `${folder}/${name}` },
  bytes,
});

/** A rollover file that begins at this number of minutes after midnight. */
const rollover = (server: string, atMinutes: number, bytes = 500): SizedFile =>
  file(server, `ag_0_${minutes(atMinutes)}.xel`, bytes);

const namesOf = (part: Part | undefined | null): string[] =>
  (part?.files ?? []).map(({ picked }) => {
    const ticks = /_(\d+)\.xel$/u.exec(picked.file.name)?.[1];
    const [folder] = picked.path.split("/");
    return ticks === undefined
      ? picked.file.name
      : `${folder} ${Number((BigInt(ticks) - MIDNIGHT) / 600_000_000n)}`;
  });

const primary = [0, 10, 20, 30].map((at) => rollover("SQL1", at));
const secondary = [0, 20].map((at) => rollover("SQL2", at));

test("a period has the files of all servers that cover some of it", () => {
  const { periods } = partsThatFit([...primary, ...secondary], 1_500);
  expect(periods.map(({ from }) => from)).toEqual([0, 10, 20, 30].map(minutes));
  expect(namesOf(periods[0])).toEqual(["SQL1 0", "SQL1 10", "SQL2 0"]);
  expect(periods[0]?.to).toBe(minutes(20));
  // From minute 10 to 20, and no further: the secondary's next file would be a fourth.
  expect(namesOf(periods[1])).toEqual(["SQL1 10", "SQL2 0"]);
  expect(namesOf(periods[2])).toEqual(["SQL1 20", "SQL1 30", "SQL2 20"]);
  expect(periods[2]).toMatchObject({ to: null, bytes: 1_500 });
});

test("every n-th file is of the server with fewest, with what the others have of its times", () => {
  const wide = [0, 30, 60, 90].map((at) => rollover("SQL2", at));
  const narrow = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90].map((at) => rollover("SQL1", at, 100));
  const { everyNth } = partsThatFit([...narrow, ...wide], 1_700);
  expect(everyNth?.n).toBe(2);
  expect(namesOf(everyNth)).toEqual([
    "SQL1 0",
    "SQL1 10",
    "SQL1 20",
    "SQL1 60",
    "SQL1 70",
    "SQL1 80",
    "SQL2 0",
    "SQL2 60",
  ]);
  expect(everyNth?.bytes).toBe(6 * 100 + 2 * 500);
});

test("a topology goes along, and its bytes count", () => {
  const topology = file("", "topology.xml", 10);
  const { periods } = partsThatFit([topology, ...primary, ...secondary], 1_010);
  expect(namesOf(periods[0])).toEqual(["topology.xml", "SQL1 0", "SQL2 0"]);
  expect(periods[0]?.bytes).toBe(1_010);
});

test("no part is offered where one moment does not fit, or a name holds no time", () => {
  expect(partsThatFit([...primary, ...secondary], 999)).toEqual({ periods: [], everyNth: null });
  expect(partsThatFit([...primary, file("SQL2", "copy.xel", 5)], 5_000)).toEqual({
    periods: [],
    everyNth: null,
  });
});
