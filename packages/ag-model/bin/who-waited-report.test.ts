import { expect, test } from "vitest";
import { modelOf } from "../test/model.ts";
import { clientFigures, clientWaits, clientWaitsText } from "./who-waited-report.ts";

const base = modelOf([{ at: 0 }, { at: 10_000 }]);
/** Commits of two sessions of SQL1; the first application sends a command that clears the terminal. */
const model = {
  ...base,
  replicas: base.replicas.map((replica, i) => ({ ...replica, name: `SQL${i + 1}` })),
  commits: {
    ...base.commits,
    session: Uint16Array.from([57, 58]),
    application: Uint16Array.from([1, 2]),
  },
  clients: {
    applications: ["", "\u001B[2JOrder\u202EEntry\nAll", "SQLAgent"],
    statements: [""],
    dropped: [],
  },
};

test("names are on their line without commands of a terminal, and an empty line is before each table", () => {
  const lines = clientWaitsText(model, clientWaits(model, false)).split("\n");
  expect(lines.map((line) => line.split(/ {2}|,/u)[0])).toEqual([
    "",
    "",
    "Sessions",
    "Session 57 on SQL1",
    "Session 58 on SQL1",
    "All",
    "",
    "Applications",
    "[2JOrderEntryAll",
    "SQLAgent",
    "All",
  ]);
});

test("JSON has replicas by their names", () => {
  const { session, application, statement } = clientFigures(model, clientWaits(model, false));
  expect(session?.rows.map(({ value, replica }) => [value, replica])).toEqual([
    [57, "SQL1"],
    [58, "SQL1"],
  ]);
  expect(application?.rows.map(({ replica }) => replica)).toEqual([null, null]);
  expect(statement).toBeNull();
});
