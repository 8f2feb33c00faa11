import { expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import { whoWaited } from "./index.ts";

test("a statement of a high number has its text, an application only what a summary can name", () => {
  const model = modelOf([{ at: 0 }, { at: 10_000 }]);
  const texts = Array.from({ length: 1_501 }, (_, i) => (i === 0 ? "" : `text ${i}`));
  const numbers = Uint16Array.from([999, 1_500]);
  const withClients = {
    ...model,
    commits: { ...model.commits, application: numbers, statement: numbers },
    clients: { applications: texts, statements: texts, dropped: [] },
  };
  const rowsBy = (by: "application" | "statement") =>
    whoWaited(withClients, { by, from: 0, to: Infinity }).rows.map((row) => [row.value, row[by]]);
  expect(rowsBy("statement")).toEqual([
    [999, "text 999"],
    [1_500, "text 1500"],
  ]);
  expect(rowsBy("application")).toEqual([
    [999, "text 999"],
    [1_500, null],
  ]);
});
