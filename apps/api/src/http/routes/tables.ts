/** Downloads of a capture's complete tables. */
import { MODEL_FILES } from "@aglens/contract";
import { TABLES_AT_REST } from "@aglens/ag-model/tables";
import { problem } from "@aglens/engine/problems";
import type { Answers } from "../../captures/answers/answers.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { ARROW, PARQUET } from "../media.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/** Complete tables, for the owner's own programs; a link shows no more than its screens need. */
export const tableRoutes = (answers: Answers, dataset: Dataset): Route[] => [
  route({
    method: "get",
    path: "/captures/:id/tables/:name",
    says: "A whole table to download: `blocks.arrow`, `commits.arrow`, `markers.arrow`; `blocks`, `hops`, `commits`, `stages`, `clocks`, `findings`, `evidence_events` and `evidence_samples` as `.parquet` (docs/reference/tables.md)",
    needs: "see",
    answer: "arrow",
    handle: async ({ params: { id, name }, response }) => {
      const atRest = TABLES_AT_REST.find((table) => name === `${table}.parquet`);
      if (atRest === undefined && !ARROW_TABLES.includes(name)) {
        throw problem(
          "table-not-found",
          `There is no table of that name; there are ${TABLE_NAMES.join(", ")}.`,
        );
      }
      const path =
        atRest === undefined
          ? await answers.tablePath(id, name)
          : await expectWritten(dataset.pathWhenWritten(id, atRest));
      // Stored files are served unchanged. The extension of the name has no media type that a client would know.
      response.attachment(name).type(atRest === undefined ? ARROW : PARQUET);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      response.sendFile(path, { dotfiles: "allow", lastModified: false }, (error) =>
        error ? reject(error) : resolve(),
      );
      await promise;
    },
  }),
];

async function expectWritten(path: Promise<string | null>): Promise<string> {
  const written = await path;
  if (written !== null) return written;
  throw problem(
    "table-not-found",
    "The capture has no tables as Parquet files: it is not analyzed, its stored analysis is damaged, the disk is full, or AGLENS_TABLES is off. The server's log says which.",
  );
}

/**
 * Complete tables by the names of their downloads. The table of events is packed; `xel tables` writes a readable one.
 */
const ARROW_TABLES: readonly string[] = MODEL_FILES.filter(
  (name) => name.endsWith(".arrow") && name !== "events.arrow",
);

const TABLE_NAMES = [...ARROW_TABLES, ...TABLES_AT_REST.map((table) => `${table}.parquet`)];
