import { describe, expect, test } from "vitest";
import { emptyColumns, EventKind, type EventColumns } from "@aglens/ag-model/events";
import { prepareEvents } from "@aglens/ag-model/replication";
import type { AnalysedFile } from "./analysed-file.ts";
import { serverInputs } from "./server-inputs.ts";

/** A file of one acknowledgement that arrived, whose event names its server. */
function eventsOf(self: string, at: bigint): EventColumns {
  const columns = emptyColumns(1);
  columns.kind[0] = EventKind.receiveHarden;
  columns.ticks[0] = at;
  columns.texts.push(self);
  columns.self[0] = 1;
  columns.files.push({ name: "as it was", size: 9, events: 1, gaps: [] });
  return columns;
}

const file = (name: string, replica: string, from: string | null = null): AnalysedFile => ({
  id: name,
  name,
  size: 9,
  role: "primary",
  replica,
  from,
});

/** Inputs of files, and which files were read. @param prepared those of which events were prepared before */
async function inputsOf(
  files: readonly (readonly [AnalysedFile, EventColumns])[],
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
    const secondary = (name: string, replica: string, from: string): AnalysedFile => ({
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
});
