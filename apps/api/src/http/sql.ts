/** Queries in SQL: over one capture, over all that whoever asks may see, and over what a link opens. */
import type { Request, Response, Router } from "express";
import { SqlRequest, type SqlFormat, type SqlTables } from "@aglens/contract";
import { problem, ProblemError } from "@aglens/engine/problems";
import type { Library } from "../captures/life/library.ts";
import type { Records } from "../captures/records/records.ts";
import type { SqlTable } from "../sql/question.ts";
import type { SqlProcesses } from "../sql/sql-processes.ts";
import { capturesTable, expectTables, tablesOf, type TablesAtRest } from "../sql/tables-at-rest.ts";
import { gone } from "./gone.ts";
import { personOf } from "./guard.ts";
import { readerOf } from "./library.ts";
import type { LinkDoor } from "./links.ts";
import { PARQUET } from "./media.ts";

export interface SqlParts {
  readonly sql: SqlProcesses;
  readonly atRest: TablesAtRest;
  readonly records: Records;
  readonly library: Library;
  readonly links: LinkDoor;
}

const MEDIA_TYPES: Readonly<Record<SqlFormat, string>> = { json: "json", csv: "text/csv", parquet: PARQUET };

/** What a query may read. */
type TablesFor = (request: Request<{ id: string }>, response: Response) => Promise<readonly SqlTable[]>;

export function addSqlRoutes(router: Router, { sql, atRest, records, library, links }: SqlParts): void {
  const answered = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
    asked.catch(async (error: unknown) => {
      // Tables may be missing or cut off: the next query is to find them as they should be.
      if (error instanceof ProblemError && error.problem.code === "sql-failed") await atRest.lookAgain();
      throw error;
    });

  const addRoutes = (path: string, tablesFor: TablesFor): void => {
    router.post(`${path}/sql`, async (request: Request<{ id: string }>, response) => {
      const { sql: text, format } = SqlRequest.parse(request.body);
      sql.expectThere();
      const tables = await tablesFor(request, response);
      const asking = { whose: whoAsks(request, response), signal: gone(response) };
      const { bytes, stopped } = await answered(sql.file({ sql: text, tables }, format, asking));
      if (stopped !== null) response.set("AGLens-Stopped", stopped);
      if (format !== "json") response.attachment(`query.${format}`);
      response.type(MEDIA_TYPES[format]).send(Buffer.from(bytes));
    });

    router.get(`${path}/sql/tables`, async (request: Request<{ id: string }>, response) => {
      sql.expectThere();
      const tables = await tablesFor(request, response);
      const asking = { whose: whoAsks(request, response), signal: gone(response) };
      const { seconds, rows, memoryBytes } = sql.limits;
      const found = await answered(sql.tables(tables, asking));
      response.json({ tables: [...found], limits: { seconds, rows, memoryBytes } } satisfies SqlTables);
    });
  };

  const ofCapture = async (id: string, shownId = id): Promise<readonly SqlTable[]> => {
    await records.get(id);
    await atRest.whenWritten(id);
    const tables = tablesOf(atRest, [id]);
    return expectTables(shownId === id ? tables : tables.map((table) => ({ ...table, capture: shownId })));
  };

  addRoutes("/captures/:id", ({ params: { id } }) => ofCapture(id));

  addRoutes("/links/:id", async (request, response) => {
    const { captureId, shownId } = await links.open(request, response);
    const { replacesNames = false } = await links.find(request.params.id);
    // Texts can be taken apart and put together by SQL: they cannot be replaced in what comes out of it.
    if (replacesNames) throw problem("sql-unavailable", "This link replaces names, and SQL would show them.");
    return ofCapture(captureId, shownId);
  });

  addRoutes("", async (_, response) => {
    const seen = await library.lines(readerOf(personOf(response)));
    const lines = seen.filter(({ state, trashed }) => state === "ready" && trashed === null);
    const tables = tablesOf(
      atRest,
      lines.map(({ id }) => id),
    );
    return [capturesTable(lines), ...expectTables(tables)];
  });
}

const whoAsks = (request: Request<{ id: string }>, response: Response): string =>
  personOf(response)?.id ?? request.ip ?? "";
