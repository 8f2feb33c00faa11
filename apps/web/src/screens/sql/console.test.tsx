import type { SqlResult, SqlTables } from "@aglens/contract";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { ProblemError } from "../../data/problem.ts";
import type { SqlSource } from "../../data/sql-client.ts";
import { Console } from "./console.tsx";
import type { OpenedRow } from "./opened-row.ts";

const READY = [
  { title: "Log writes", sql: "SELECT at, p50 FROM hops" },
  { title: "Findings", sql: "SELECT * FROM findings" },
];
const TABLES: SqlTables = {
  tables: [
    {
      name: "hops",
      rows: 6038,
      columns: [{ name: "log_write_us", type: "DOUBLE", unit: "µs", about: "the replica's log write" }],
    },
  ],
  limits: { seconds: 10, rows: 100_000, memoryBytes: 1e9 },
};
const AT = Date.UTC(2026, 1, 7, 7, 51, 32) * 1000;
const RESULT: SqlResult = {
  columns: [
    { name: "at", type: "TIMESTAMP", kind: "time", unit: null, values: [AT, AT + 5e6, AT + 10e6] },
    { name: "p50", type: "DOUBLE", kind: "number", unit: "µs", values: [2220, 26_200, null] },
    { name: "over_50_ms", type: "BIGINT", kind: "number", unit: null, values: [0, 6, 0] },
  ],
  rows: 3,
  ms: 38.2,
  stopped: null,
  read: ["hops"],
};

let count = 0;

/** A source with this answer; `asked` contains the queries in order. */
function sourceOf(answer: (sql: string, signal: AbortSignal) => Promise<SqlResult>) {
  const asked: string[] = [];
  const source: SqlSource = {
    // Each test has a session of its own.
    key: `source ${count++}`,
    tables: () => ({ key: `tables ${count}`, ask: () => Promise.resolve(TABLES) }),
    rows: (sql, signal) => {
      asked.push(sql);
      return answer(sql, signal);
    },
    file: () => Promise.resolve(new Blob(["x"])),
  };
  return { source, asked };
}

async function open(
  answer: (sql: string, signal: AbortSignal) => Promise<SqlResult>,
  query = "",
  runsFirst = false,
) {
  window.history.replaceState(null, "", `/captures/x/sql${query}`);
  const { source, asked } = sourceOf(answer);
  const [onOpen, onCopyLink, onStatus] = [
    vi.fn<(row: OpenedRow) => void>(),
    vi.fn<() => void>(),
    vi.fn<(words: string) => void>(),
  ];
  render(<Console source={source} ready={READY} {...{ onOpen, onCopyLink, onStatus, runsFirst }} />, {
    wrapper: withAnswers(),
  });
  await settled();
  return { asked, onOpen, onCopyLink, onStatus };
}

const answered = () => Promise.resolve(RESULT);
const click = (name: string) => settled(() => fireEvent.click(screen.getByRole("button", { name })));
const press = (key: string, options = {}) =>
  settled(() => fireEvent.keyDown(document.body, { key, ...options }));
const rows = () =>
  within(screen.getByRole("grid", { name: "Result" }))
    .getAllByRole("row")
    .map((row) => Array.from(row.children, ({ textContent }) => textContent?.replaceAll("\u2009", " ")));
const sqlOfAddress = () => new URLSearchParams(window.location.search).get("sql");

beforeEach(() => {
  fakeScreen({ width: 900, height: 600 });
  logCanvases();
  window.localStorage.clear();
});

describe("a query", () => {
  test("is run when the page opens without one, which stays out of the address", async () => {
    const { asked } = await open(answered, "", true);
    expect(asked).toEqual([READY[0]?.sql]);
    expect(rows()).toHaveLength(4);
    expect(sqlOfAddress()).toBeNull();
  });

  test("of the address is run instead of the first one", async () => {
    const { asked } = await open(answered, "?sql=SELECT%201", true);
    expect(asked).toEqual(["SELECT 1"]);
  });

  test("that is ready is run by a click, and is then in the address", async () => {
    const { asked } = await open(answered);
    expect(screen.getByText("Run the query, or choose a ready one, which runs at once.")).toBeDefined();
    await click("Log writes");
    expect(asked).toEqual([READY[0]?.sql]);
    expect(sqlOfAddress()).toBe(READY[0]?.sql);
    expect(rows()).toEqual([
      ["at", "p50", "over_50_ms"],
      ["07:51:32", "2.22 ms", "0"],
      ["07:51:37", "26.2 ms", "6"],
      ["07:51:42", "–", "0"],
    ]);
    expect(screen.getByText("6").closest("[data-exceeded]")?.getAttribute("data-exceeded")).toBe("true");
    expect(document.body.textContent).toContain("3 rows in 38.2\u2009ms from hops (6,038 rows)");
  });

  test("of the address is run when the page opens", async () => {
    const { asked } = await open(answered, "?v=1&sql=SELECT+7");
    expect(asked).toEqual(["SELECT 7"]);
    expect(rows()).toHaveLength(4);
  });

  test("says before it runs what it may take", async () => {
    await open(answered);
    expect(document.body.textContent?.replaceAll("\u2009", " ")).toContain(
      "Read only. At most 10 s, 1.0 GB, 100,000 rows. No files, no network.",
    );
  });

  test("that is wrong says why, and keeps the rows of before", async () => {
    const wrong = new ProblemError("sql-wrong", 422, "No such column.", { at: 7 });
    await open((sql) => (sql === READY[0]?.sql ? answered() : Promise.reject(wrong)));
    await click("Log writes");
    await click("Findings");
    expect(screen.getByText("No such column.")).toBeDefined();
    expect(rows()).toHaveLength(4);
  });

  test("that was stopped by a limit says which, how far it came, and what would be smaller", async () => {
    await open(() => Promise.resolve({ ...RESULT, rows: 61_204, stopped: "time" }));
    await click("Log writes");
    expect(screen.getByText(/^Stopped/u).textContent).toMatch(
      /^Stopped at 10 s, 61,204 rows so far\. A shorter/u,
    );
  });

  test("that runs is stopped by Esc, and its answer is not waited for", async () => {
    const signals: AbortSignal[] = [];
    await open((_, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    await click("Log writes");
    expect(screen.getByRole("button", { name: /^Stop/u })).toBeDefined();
    await press("Escape");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(screen.queryByRole("button", { name: /^Stop/u })).toBeNull();
  });

  test("is laid out by Format, and not run by it", async () => {
    const { asked } = await open(answered, `?sql=${encodeURIComponent("select p50 from hops")}`);
    const text = () => screen.getByRole("textbox", { name: "Query" }).textContent;
    await waitFor(() => expect(text()).toBe("select p50 from hops"));
    await click("Format");
    await waitFor(() => expect(text()).toBe("SELECT  p50FROM  hops"));
    expect(asked).toEqual(["select p50 from hops"]);
    expect(sqlOfAddress()).toBe("select p50 from hops");
    expect(screen.getByText(/text changed since/u)).toBeTruthy();
  });

  test("that cannot be laid out says so, until it is changed", async () => {
    await open(answered, `?sql=${encodeURIComponent("SELECT 'open")}`);
    await click("Format");
    const sentence = "The query cannot be laid out: it cannot be read from line 1, column 8 on.";
    await waitFor(() => expect(screen.getByText(sentence)).toBeTruthy());
    await click("Findings");
    expect(screen.queryByText(sentence)).toBeNull();
  });

  test("that failed and cannot be laid out says both", async () => {
    const wrong = new ProblemError("sql-wrong", 422, "Unterminated text.", { at: 7 });
    await open(() => Promise.reject(wrong), `?sql=${encodeURIComponent("SELECT 'open")}`);
    await click("Format");
    await waitFor(() => expect(screen.getByText(/^Unterminated text\. The query cannot/u)).toBeTruthy());
  });

  test("of one's own is kept in this browser until it is forgotten", async () => {
    await open(answered, "?v=1&sql=SELECT+7");
    await click("Save");
    expect(screen.getByRole("button", { name: "SELECT 7" })).toBeDefined();
    await click("Forget SELECT 7");
    expect(screen.queryByRole("button", { name: "SELECT 7" })).toBeNull();
  });
});

describe("a row", () => {
  test("is chosen by keys, is in the address, and opens what it is of", async () => {
    const { onOpen, onStatus } = await open(answered, "?v=1&sql=SELECT+7");
    await press("j");
    await press("j");
    expect(window.location.search).toContain("row=1");
    expect(onStatus).toHaveBeenLastCalledWith("Row 2 selected");
    expect(screen.getByRole("row", { selected: true }).textContent).toContain("07:51:37");
    await press("Enter");
    expect(onOpen).toHaveBeenCalledExactlyOnceWith({
      capture: null,
      block: null,
      stretch: { from: AT + 5e6, lengthUs: 5e6 },
    });
  });
});

describe("the result", () => {
  test("is shown as table, picture or both, as the address says", async () => {
    await open(answered, "?v=1&sql=SELECT+7");
    expect(screen.getByRole("img").getAttribute("aria-label")).toContain("p50 over at");
    await click("Table");
    expect(screen.queryByRole("img")).toBeNull();
    expect(window.location.search).toContain("show=table");
    await click("Chart");
    expect(screen.queryByRole("grid")).toBeNull();
  });

  test("has the picture of the columns that are chosen", async () => {
    await open(answered, "?v=1&sql=SELECT+7");
    await settled(() => fireEvent.click(screen.getByRole("checkbox", { name: "over_50_ms" })));
    expect(new URLSearchParams(window.location.search).getAll("py")).toEqual(["p50", "over_50_ms"]);
    expect(screen.getByRole("img").getAttribute("aria-label")).toContain("p50, over_50_ms over at");
  });

  test("goes along as a link", async () => {
    const { onCopyLink } = await open(answered, "?v=1&sql=SELECT+7");
    await click("Copy link");
    expect(onCopyLink).toHaveBeenCalledOnce();
  });
});

test("a table opens to its columns with type, unit and meaning", async () => {
  await open(answered);
  await click("hops 6,038");
  expect(screen.getByText("DOUBLE, µs, the replica's log write")).toBeDefined();
});
