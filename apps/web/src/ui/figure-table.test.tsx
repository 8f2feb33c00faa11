import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { FigureTable } from "./figure-table.tsx";

interface Stage {
  readonly name: string;
  readonly us: number | null;
}

const ROWS: readonly Stage[] = [
  { name: "Send", us: 120 },
  { name: "Append", us: null },
];
const durationOf = ({ us }: Stage) => ({
  value: us === null ? "–" : String(us),
  unit: us === null ? "" : "µs",
});

test("the first column names the rows, heads name the columns, and a figure has its unit", () => {
  render(
    <FigureTable<Stage>
      caption="Stages"
      rows={ROWS}
      rowKey={({ name }) => name}
      columns={[
        { id: "Stage", isHeadHidden: true, cell: ({ name }) => name },
        { id: "Duration", sort: "descending", cell: durationOf },
        { id: "Place", align: "left", cell: (_, index) => index + 1 },
      ]}
    />,
  );
  const table = screen.getByRole("table", { name: "Stages" });
  const heads = within(table).getAllByRole("columnheader");
  expect(heads.map(({ textContent }) => textContent)).toEqual(["Stage", "Duration", "Place"]);
  expect(heads[1]?.getAttribute("aria-sort")).toBe("descending");
  const send = within(within(table).getByRole("rowheader", { name: "Send" }).closest("tr")!);
  expect(send.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(["120\u2009µs", "1"]);
});

test("a column that is false is absent, and rows stand above, below and under others", () => {
  render(
    <FigureTable<Stage>
      rows={ROWS}
      rowProps={({ us }) => ({ "data-known": us !== null })}
      columns={[{ id: "Stage", cell: ({ name }) => name }, false]}
      first={
        <tr>
          <th scope="row">first</th>
        </tr>
      }
      cellsBelow={({ name, us }) =>
        us === null ? (
          <tr>
            <td>{name} is not known</td>
          </tr>
        ) : null
      }
      last={
        <tr>
          <th scope="row">last</th>
        </tr>
      }
    />,
  );
  const rows = screen.getAllByRole("row");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "Stage",
    "first",
    "Send",
    "Append",
    "Append is not known",
    "last",
  ]);
  expect(rows[2]?.dataset["known"]).toBe("true");
});
