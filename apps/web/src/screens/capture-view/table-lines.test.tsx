import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatBytes, formatDuration, formatPercent } from "../../ui/words.ts";
import { csvOfTable, tableLines, textOfTable } from "./table-lines.ts";

interface Row {
  readonly name: string;
  readonly us: number | null;
  readonly share: number;
  readonly size: number;
  readonly mixed: string;
}

const ROWS: readonly Row[] = [
  { name: "=SQL1, primary", us: 608, share: 0.366, size: 512, mixed: "1,079" },
  { name: 'SQL2 "b"', us: 8_020, share: 0.001, size: 12_300, mixed: "8.02\u2009ms" },
  { name: "SQL3", us: 125e6, share: 1, size: 5_400_000, mixed: "× 2.1" },
  { name: "SQL4", us: null, share: 0, size: 0, mixed: "–" },
];

const shown = () => {
  render(
    <FigureTable<Row>
      rows={ROWS}
      columns={[
        { id: "Replica", cell: ({ name }) => <button type="button">{name}</button> },
        {
          id: "Log write",
          head: (
            <>
              Log write
              <select>
                <option>Commit</option>
              </select>
            </>
          ),
          cell: ({ us }) => formatDuration(us),
        },
        { id: "Bar", cell: () => <i aria-hidden="true">drawn</i> },
        { id: "Share", cell: ({ share }) => formatPercent(share, 1) },
        { id: "Sent", cell: ({ size }) => formatBytes(size) },
        { id: "A or B", cell: ({ mixed }) => mixed },
      ]}
      last={
        <tr aria-hidden="true">
          <td colSpan={6}>axis</td>
        </tr>
      }
    />,
  );
  return tableLines(screen.getByRole("table"));
};

test("has a column in one unit, which its head ends with, and none of pictures", () => {
  const { head, rows } = shown();
  expect(head).toEqual([
    { name: "replica", unit: "" },
    { name: "log_write", unit: "µs" },
    { name: "share", unit: "percent" },
    { name: "sent", unit: "bytes" },
    { name: "a_or_b", unit: "" },
  ]);
  // 2 min 05 s are 125 s.
  expect(rows).toEqual([
    ["=SQL1, primary", 608, 36.6, 512, "1,079"],
    ['SQL2 "b"', 8_020, 0.1, 12_300, "8.02 ms"],
    ["SQL3", 125_000_000, 100, 5_400_000, "× 2.1"],
    ["SQL4", null, 0, 0, null],
  ]);
});

test("is a file that Excel opens, with heads as in other files, and a text for the clipboard", () => {
  const lines = shown();
  const [head, first, , , last] = new TextDecoder("utf-8", { ignoreBOM: true })
    .decode(csvOfTable(lines))
    .split("\r\n");
  expect(head).toBe('\uFEFF"replica","log_write_us","share_percent","sent_bytes","a_or_b"');
  expect(first).toBe('"\'=SQL1, primary",608,36.6,512,"1,079"');
  expect(last).toBe('"SQL4",,0,0,');
  expect(textOfTable(lines).split("\n").slice(0, 2)).toEqual([
    "replica\tlog_write_us\tshare_percent\tsent_bytes\ta_or_b",
    "=SQL1, primary\t608\t36.6\t512\t1,079",
  ]);
});
