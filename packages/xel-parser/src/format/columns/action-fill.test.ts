import { describe, expect, test } from "vitest";
import { createXelWriter, type WriterValues } from "../../writer/index.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeReference } from "@aglens/reference-data";
import { ABSENT_INT, decodeColumns, readXelBytes, type ColumnRequest } from "../index.ts";

const REQUEST: ColumnRequest = {
  events: [
    {
      name: "commit",
      kind: 1,
      fields: [{ field: "size", column: "size" }],
      actions: [
        { action: "session_id", column: "session" },
        { action: "sql_text", column: "statement" },
      ],
    },
    { name: "write", kind: 2, fields: [] },
  ],
  columns: [{ name: "size", type: "int" }],
  actionColumns: [
    { name: "session", type: "int" },
    { name: "statement", type: "text", textOf: (text) => text.toLowerCase() },
  ],
};

interface Written {
  readonly name: "commit" | "write";
  readonly actions?: WriterValues;
}

async function batchOf(written: readonly Written[], actions: readonly string[], dictionaryBytes?: number) {
  const types: Readonly<Record<string, "uint16" | "unicode_string">> = {
    session_id: "uint16",
    sql_text: "unicode_string",
    other: "uint16",
  };
  const columns = [{ name: "size", type: "int64" as const }];
  const writer = createXelWriter({
    packages: [
      {
        name: "sqlserver",
        id: 2,
        events: ["commit", "write"].map((name) => ({ name, columns })),
        actions: actions.map((name) => ({ name, type: types[name] })),
      },
    ],
  });
  for (const [tick, { name, actions: own }] of written.entries()) writer.write(name, tick, { size: 9 }, own);
  const bytes = writer.finish();
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  const limits = dictionaryBytes === undefined ? {} : { limits: { dictionaryBytes } };
  return await decodeColumns(chunks(), REQUEST, limits);
}

const commit = (actions?: WriterValues): Written => ({ name: "commit", ...(actions && { actions }) });

describe("columns of actions", () => {
  test("are absent of a file whose session collects none of them", async () => {
    const { columns } = await batchOf([commit({ other: 3 }), commit()], ["other"]);
    expect(Object.keys(columns.columns)).toEqual(["size"]);
  });

  test("have the values of requested events alone, whichever actions are around them", async () => {
    const { columns, report } = await batchOf(
      [
        commit(),
        commit({ other: 1, session_id: 57, sql_text: "SELECT 1" }),
        { name: "write", actions: { session_id: 99, sql_text: "no" } },
        commit({ sql_text: "Select 1", session_id: 61 }),
        commit({ session_id: 65_535 }),
      ],
      ["other", "session_id", "sql_text"],
    );
    expect(report.gaps).toEqual([]);
    const { session, statement } = columns.columns;
    expect([...(session as Int32Array)]).toEqual([ABSENT_INT, 57, ABSENT_INT, 61, 65_535]);
    const texts = columns.dictionaries["statement"];
    expect(Array.from(statement as Uint8Array, (index) => texts[index])).toEqual([
      "",
      "select 1",
      "",
      "select 1",
      "",
    ]);
    // Both texts are one after `textOf`.
    expect(texts).toEqual(["", "select 1"]);
  });

  test("have more than 255 texts, and texts without room are one, which is no damage", async () => {
    const many = Array.from({ length: 300 }, (_, i) => commit({ sql_text: `text ${i}` }));
    const { columns } = await batchOf(many, ["sql_text"]);
    const texts = columns.dictionaries["statement"];
    expect(Array.from(columns.columns["statement"] as Uint16Array, (index) => texts[index])).toEqual(
      many.map((_, i) => `text ${i}`),
    );
    const small = await batchOf(many, ["sql_text"], 200);
    expect(small.columns.dictionaries["statement"]).toContain("(other values)");
    expect(small.report.gaps).toEqual([]);
  });

  test("begin with the event that first has one, in the middle of a file", async () => {
    const many = Array.from({ length: 5_000 }, () => commit());
    const { columns } = await batchOf([...many, commit({ session_id: 7 })], ["session_id"]);
    const session = columns.columns["session"] as Int32Array;
    expect(session).toHaveLength(5_001);
    expect(session[0]).toBe(ABSENT_INT);
    expect(session[5_000]).toBe(7);
  });
});

describeReference(
  { folder: "xel-real", tests: 1, prove: "columns of actions have what events of a real server have" },
  (folder) => {
    test("TestXel_0.xel", async () => {
      const bytes = new Uint8Array(readFileSync(join(folder, "TestXel_0.xel")));
      const names = ["rpc_completed", "sql_batch_completed", "login"];
      const actions = ["session_id", "client_app_name"];
      const request: ColumnRequest = {
        events: names.map((name, kind) => ({
          name,
          kind,
          fields: [],
          actions: actions.map((action) => ({ action, column: action })),
        })),
        columns: [],
        actionColumns: [
          { name: "session_id", type: "int" },
          { name: "client_app_name", type: "text" },
        ],
      };
      async function* chunks(): AsyncGenerator<Uint8Array> {
        yield bytes;
      }
      const { columns } = await decodeColumns(chunks(), request);
      const texts = columns.dictionaries["client_app_name"];
      const [sessions, applications] = actions.map((name) => columns.columns[name]);
      const expected = readXelBytes(bytes).events.filter(({ name }) => names.includes(name));
      expect(expected.length).toBeGreaterThan(10);
      expect(expected.map((_, row) => [Number(sessions[row]), texts[Number(applications[row])]])).toEqual(
        expected.map((event) => actions.map((name) => event.actions[name])),
      );
    });
  },
);
