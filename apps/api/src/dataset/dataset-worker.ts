/** A thread that writes the tables of one capture as Parquet files, and ends. */
import { ProblemError } from "@aglens/engine/problems";
import { checkpoint, endAsked, starter, workInBackground } from "../threads/inside.ts";
import { writeCaptureTables } from "./capture-tables.ts";
import type { TablesMessages } from "./write-tables.ts";

const { data, send } = starter<TablesMessages>();
workInBackground();
try {
  send({ kind: "written", files: await writeCaptureTables(data, checkpoint) });
} catch (error) {
  if (error instanceof ProblemError) send({ kind: "refused", problem: error.problem });
  else if (!endAsked()) throw error;
}
