/** A capture without data-movement events has tables, a summary and answers like any other, all of them empty. */
import { expect, test } from "vitest";
import { diagnose } from "@aglens/ag-model/diagnosis";
import { captureInBins, summarise } from "@aglens/ag-model/query";
import { modelWithoutBlocks } from "@aglens/ag-model/replication";
import { TABLES_AT_REST, tableParts } from "@aglens/ag-model/tables";
import { Summary, decodeModel, encodeModel, encodeWindow } from "./index.ts";

const ORIGIN = 134_232_000_000_000_000n;

test.each([1, 2, 3])("a capture of %i servers without blocks", (count) => {
  const servers = Array.from({ length: count }, (_, i) => ({ id: `id-${i}`, name: `SQL${i + 1}` }));
  const model = modelWithoutBlocks({
    servers,
    databases: [{ id: "db", name: "Orders" }],
    originTicks: ORIGIN,
    durationUs: 180e6,
  });
  const read = decodeModel(encodeModel(model));
  expect(read).toEqual(model);
  const verdict = diagnose(read);
  const summary = Summary.parse(JSON.parse(JSON.stringify(summarise(read, "id", "name", verdict))));
  expect(summary).toMatchObject({ originTicks: String(ORIGIN), durationUs: 180e6 });
  expect(summary.blocks.total).toBe(0);
  expect(summary.replicas.map(({ name, hasCapture }) => [name, hasCapture])).toEqual(
    servers.map(({ name }) => [name, false]),
  );
  expect(encodeWindow(captureInBins(read, 400)).length).toBeGreaterThan(0);
});

test("without a database each table ends, and has no row", () => {
  const model = modelWithoutBlocks({
    servers: [{ id: "id", name: "SQL1" }],
    databases: [],
    originTicks: ORIGIN,
    durationUs: 180e6,
  });
  const rows = TABLES_AT_REST.map((name) =>
    [...tableParts(model, diagnose(model), name, 1000)].reduce((sum, { length }) => sum + length, 0),
  );
  expect(rows.slice(0, 4)).toEqual([0, 0, 0, 0]);
});
