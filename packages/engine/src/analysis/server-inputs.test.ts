import { describe, expect, test } from "vitest";
import { emptyColumns, EventKind, type EventColumns } from "@aglens/ag-model/events";
import { prepareEvents } from "@aglens/ag-model/replication";
import type { AnalyzedFile } from "./analyzed-file.ts";
import { serverInputs } from "./server-inputs.ts";

/** A file with one received acknowledgment, whose event names its server. */
function eventsOf(self: string, at: bigint): EventColumns {
  const columns = emptyColumns(1);
  columns.kind[0] = EventKind.receiveHarden;
  columns.ticks[0] = at;
  columns.texts.push(self);
  columns.self[0] = 1;
  columns.files.push({ name: "as it was", size: 9, events: 1, gaps: [] });
  return columns;
}

const file = (name: string, replica: string, from: string | null = null): AnalyzedFile => ({
  id: name,
  name,
  size: 9,
  role: "primary",
  replica,
  from,
});

/** Inputs of files, and the files that were read. @param prepared files whose events were prepared before */
async function inputsOf(
  files: readonly (readonly [AnalyzedFile, EventColumns])[],
  prepared: readonly string[] = [],
) {
  const read: string[] = [];
  const columnsOf = new Map(files);
  const reports: unknown[] = [];
  const inputs = await serverInputs(
    files.map(([each]) => each),
    {
      async *decode(each) {
        read.push(each.name);
        await Promise.resolve();
        yield columnsOf.get(each) ?? emptyColumns(0);
      },
      preparedOf: (each) =>
        prepared.includes(each.name) ? prepareEvents(columnsOf.get(each) ?? emptyColumns(0)) : null,
    },
    { file: (id, ...done) => reports.push([id, ...done]), phase: () => {} },
  );
  return { inputs, read, reports };
}

describe("the servers of an analysis", () => {
  test("take what was prepared of their only file, and read the others in the order of their events", async () => {
    const { inputs, read, reports } = await inputsOf(
      [
        [file("rolled-0.xel", "SQL1", "2026-01-01T00:00:02.0000000Z"), eventsOf("a", 20n)],
        [file("only.xel", "SQL2"), eventsOf("b", 5n)],
        [file("rolled-1.xel", "SQL1", "2026-01-01T00:00:01.0000000Z"), eventsOf("a", 10n)],
      ],
      ["only.xel", "rolled-0.xel"],
    );
    expect(read).toEqual(["rolled-1.xel", "rolled-0.xel"]);
    expect(inputs.map(({ name, prepared }) => [name, prepared?.files.map((each) => each.name)])).toEqual([
      ["SQL1", ["rolled-1.xel", "rolled-0.xel"]],
      ["SQL2", ["only.xel"]],
    ]);
    expect(reports).toContainEqual(["only.xel", 9, 1, "1601-01-01T00:00:00.0000005Z"]);
  });

  test("give the events themselves where two of them turn out to be one", async () => {
    const { inputs, read } = await inputsOf(
      [
        [file("one.xel", "SQL1"), eventsOf("a", 20n)],
        [file("other.xel", "SQL9"), eventsOf("a", 5n)],
        [file("third.xel", "SQL3"), eventsOf("c", 5n)],
      ],
      ["one.xel", "other.xel", "third.xel"],
    );
    expect(inputs.map(({ name, columns }) => [name, columns?.length])).toEqual([
      ["SQL1", 1],
      ["SQL3", undefined],
      ["SQL9", 1],
    ]);
    expect(read.toSorted()).toEqual(["one.xel", "other.xel"]);
  });

  test("are primary where any of their files was given as one, whichever it is", async () => {
    const secondary = (name: string, replica: string, from: string): AnalyzedFile => ({
      ...file(name, replica, from),
      role: "secondary",
    });
    const [early, late] = ["2026-01-01T00:00:01.0000000Z", "2026-01-01T00:00:02.0000000Z"];
    const { inputs } = await inputsOf([
      [file("a-0.xel", "SQL1", early), eventsOf("a", 1n)],
      [secondary("a-1.xel", "SQL1", late), eventsOf("a", 2n)],
      [secondary("b-0.xel", "SQL2", early), eventsOf("b", 1n)],
      [file("b-1.xel", "SQL2", late), eventsOf("b", 2n)],
      [secondary("c-0.xel", "SQL3", early), eventsOf("c", 1n)],
      [secondary("c-1.xel", "SQL3", late), eventsOf("c", 2n)],
    ]);
    expect(inputs.map(({ name, role }) => [name, role])).toEqual([
      ["SQL1", "primary"],
      ["SQL2", "primary"],
      ["SQL3", "secondary"],
    ]);
  });

  test("have the gaps of an upload where reading found none", async () => {
    const gap = {
      code: "cut",
      offset: 5,
      bytes: 4,
      message: "The file ends early.",
      before: null,
      after: null,
    };
    const { inputs } = await inputsOf([[{ ...file("a.xel", "SQL1"), gaps: [gap] }, eventsOf("a", 1n)]]);
    const { before: _before, after: _after, ...kept } = gap;
    expect(inputs[0]?.prepared?.files[0]?.gaps).toEqual([kept]);
  });

  test("take part in each other where one of several ids is in both, and are prepared alone where none is", async () => {
    const both = (...selves: readonly string[]): EventColumns => {
      const columns = emptyColumns(selves.length);
      for (const [row, self] of selves.entries()) {
        columns.kind[row] = EventKind.receiveHarden;
        columns.ticks[row] = BigInt(10 + row);
        columns.self[row] = columns.texts.push(self) - 1;
      }
      columns.files.push({ name: "as it was", size: 9, events: selves.length, gaps: [] });
      return columns;
    };
    const { inputs } = await inputsOf([
      [file("one.xel", "SQL1"), both("a", "b")],
      [file("other.xel", "SQL2"), both("c", "b")],
      [file("third.xel", "SQL3"), both("d", "e")],
    ]);
    expect(inputs.map(({ columns }) => columns?.length)).toEqual([2, 2, undefined]);
  });

  test("are called by the name that they were given, but for a word of a role", async () => {
    const names = ["Primary", "secondary", "Secondary 12", "secondary2", "Primary 1", "My primary"];
    const { inputs } = await inputsOf(names.map((name, i) => [file(`${i}.xel`, name), eventsOf(name, 1n)]));
    expect(new Set(inputs.map(({ name }) => name))).toEqual(
      new Set([undefined, "secondary2", "Primary 1", "My primary"]),
    );
    expect(inputs.filter(({ name }) => name === undefined)).toHaveLength(3);
  });

  test("come in the order of their names, and their files by the first event, those without any first, then by name", async () => {
    const early = "2026-01-01T00:00:01.0000000Z";
    const { inputs, read } = await inputsOf([
      [file("d.xel", "SQL2", early), eventsOf("b", 4n)],
      [file("b.xel", "SQL2"), eventsOf("b", 2n)],
      [file("c.xel", "SQL2", early), eventsOf("b", 3n)],
      [file("a.xel", "SQL2"), eventsOf("b", 1n)],
      [file("z.xel", "SQL1"), eventsOf("a", 1n)],
    ]);
    expect(read.filter((name) => name !== "z.xel")).toEqual(["a.xel", "b.xel", "c.xel", "d.xel"]);
    expect(inputs.map(({ name }) => name)).toEqual(["SQL1", "SQL2"]);
  });

  test("report a file as read to its end, with all its events, once its last piece is there", async () => {
    const { reports } = await inputsOf([
      [file("a.xel", "SQL1"), eventsOf("a", 7n)],
      [file("b.xel", "SQL2"), { ...emptyColumns(0), files: [{ name: "b", size: 9, events: 0, gaps: [] }] }],
    ]);
    expect(reports).toEqual([
      ["a.xel", 9, 1, "1601-01-01T00:00:00.0000007Z"],
      ["b.xel", 9, 0, null],
    ]);
  });

  test("give the memory of events back once they are prepared, and let the model do so with what it takes over", async () => {
    const given: unknown[] = [];
    const giveBack = (buffers: unknown): void => void given.push(buffers);
    const inputs = await serverInputs(
      [file("a.xel", "SQL1")],
      {
        async *decode() {
          await Promise.resolve();
          yield eventsOf("a", 1n);
        },
        giveBack,
      },
      { file: () => {}, phase: () => {} },
    );
    expect(given).toHaveLength(1);
    expect(inputs[0]?.giveBack).toBe(giveBack);
  });

  test("keep the gaps that reading found, whatever an upload knows", async () => {
    const gap = { code: "cut", offset: 5, bytes: 4, message: "The file ends early." };
    const files = [{ name: "a", size: 9, events: 1, gaps: [{ ...gap, offset: 7 }] }];
    const columns = { ...eventsOf("a", 1n), files };
    const { inputs } = await inputsOf([
      [{ ...file("a.xel", "SQL1"), gaps: [{ ...gap, before: null, after: null }] }, columns],
    ]);
    expect(inputs[0]?.prepared?.files[0]?.gaps).toEqual([{ ...gap, offset: 7 }]);
  });

  test("take what was prepared without an event as read, at no time", async () => {
    const empty = { ...emptyColumns(0), files: [{ name: "a", size: 9, events: 0, gaps: [] }] };
    const { reports, read } = await inputsOf([[file("a.xel", "SQL1"), empty]], ["a.xel"]);
    expect([read, reports]).toEqual([[], [["a.xel", 9, 0, null]]]);
  });
});
