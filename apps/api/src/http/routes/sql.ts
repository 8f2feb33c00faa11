/**
 * Queries in SQL: over one capture, over all that the person of the request may see, and over the capture of a link.
 */
import type { Request, Response } from "express";
import { SqlRequest, SqlResult, SqlTables, type SqlFormat } from "@aglens/contract";
import { problem, ProblemError } from "@aglens/engine/problems";
import type { Library } from "../../captures/life/library.ts";
import type { Records } from "../../captures/records/records.ts";
import type { SqlFileTable, SqlTable } from "../../sql/question.ts";
import type { SqlProcesses } from "../../sql/sql-processes.ts";
import { groupNames } from "../../captures/kept/group-name.ts";
import { capturesTable, expectTables, tablesOf, type TablesAtRest } from "../../sql/tables-at-rest.ts";
import { gone } from "../gone.ts";
import { personOf } from "../guard.ts";
import { readerOf } from "./library.ts";
import type { LinkDoor } from "./link-door.ts";
import { PARQUET } from "../media.ts";
import type { Need } from "../../access/rules.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

export interface SqlParts {
  readonly sql: SqlProcesses;
  readonly atRest: TablesAtRest;
  readonly records: Records;
  readonly library: Library;
  readonly links: LinkDoor;
}

/** The table as a link shows it: by the link's id, and without statements. */
const asLinkShows = (table: SqlFileTable, shownId: string): SqlFileTable => ({
  ...table,
  capture: shownId,
  ...(table.name === "commits" && { emptied: ["statement"] }),
});

const MEDIA_TYPES: Readonly<Record<SqlFormat, string>> = { json: "json", csv: "text/csv", parquet: PARQUET };

/** Address of the queries, the captures with their tables, and the tables that a query may read. */
interface SqlDoor {
  readonly path: "/captures/:id" | "/links/:id" | "";
  readonly needs: Need;
  readonly action?: string;
  /** In a sentence. */
  readonly of: string;
  readonly tables: (request: Request<{ id: string }>, response: Response) => Promise<readonly SqlTable[]>;
}

export function sqlRoutes(parts: SqlParts): Route[] {
  const { atRest, records, library, links } = parts;
  const ofCapture = async (id: string, shownId = id): Promise<readonly SqlTable[]> => {
    await records.get(id);
    await atRest.whenWritten(id);
    const tables = tablesOf(atRest, [id]);
    return expectTables(shownId === id ? tables : tables.map((table) => asLinkShows(table, shownId)));
  };
  const doors: readonly SqlDoor[] = [
    {
      path: "/captures/:id",
      needs: "see",
      // A query's text may contain private names, so the audit log only shows that there was a query.
      action: "ran SQL on",
      of: "a capture",
      tables: ({ params: { id } }) => ofCapture(id),
    },
    {
      path: "/links/:id",
      needs: "anyone",
      of: "a link's capture",
      tables: async (request, response) => {
        const { captureId, shownId } = await links.open(request, response);
        const { replacesNames = false } = await links.find(request.params.id);
        // SQL can split and join texts, so names in its result cannot be replaced.
        if (replacesNames)
          throw problem("sql-unavailable", "This link replaces names, and SQL would show them.");
        return ofCapture(captureId, shownId);
      },
    },
    {
      path: "",
      needs: "viewer",
      action: "ran SQL on all captures",
      of: "all captures that one may see",
      tables: async (_, response) => {
        const seen = await library.lines(readerOf(response));
        const lines = seen.filter(({ state, trashed }) => state === "ready" && trashed === null);
        const tables = tablesOf(
          atRest,
          lines.map(({ id }) => id),
        );
        const names = groupNames(lines);
        const named = lines.map((line) => ({ ...line, groupName: names.get(line.group ?? "") ?? null }));
        return [capturesTable(named), ...expectTables(tables)];
      },
    },
  ];
  return doors.flatMap((door) => doorRoutes(door, parts));
}

function doorRoutes(
  { path, needs, action, of, tables: tablesFor }: SqlDoor,
  { sql, atRest }: SqlParts,
): Route[] {
  const answered = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
    asked.catch(async (error: unknown) => {
      // Tables may be missing or cut off: the next query is to find them as they should be.
      if (error instanceof ProblemError && error.problem.code === "sql-failed") await atRest.lookAgain();
      throw error;
    });
  return [
    route({
      method: "post",
      path: `${path}/sql`,
      says: `Run a query over the tables of ${of}: rows as JSON, or as \`format\` says as CSV or Parquet. Where a limit stopped it, the rows that were there and the header AGLens-Stopped`,
      needs,
      ...(action === undefined ? {} : { action }),
      body: SqlRequest,
      answer: SqlResult,
      handle: async ({ body: { sql: text, format }, request, response }) => {
        sql.expectThere();
        const tables = await tablesFor(request, response);
        const asking = { whose: whoAsks(request, response), signal: gone(response) };
        const { bytes, stopped } = await answered(sql.file({ sql: text, tables }, format, asking));
        if (stopped !== null) response.set("AGLens-Stopped", stopped);
        if (format !== "json") response.attachment(`query.${format}`);
        response.type(MEDIA_TYPES[format]).send(Buffer.from(bytes));
      },
    }),
    route({
      method: "get",
      path: `${path}/sql/tables`,
      says: `Tables of ${of} with their columns, and what a query may take`,
      needs,
      answer: SqlTables,
      handle: async ({ request, response }) => {
        sql.expectThere();
        const tables = await tablesFor(request, response);
        const asking = { whose: whoAsks(request, response), signal: gone(response) };
        const { seconds, rows, memoryBytes } = sql.limits;
        const found = await answered(sql.tables(tables, asking));
        return { tables: [...found], limits: { seconds, rows, memoryBytes } };
      },
    }),
  ];
}

const whoAsks = (request: Request<{ id: string }>, response: Response): string =>
  personOf(response)?.id ?? request.ip ?? "";
