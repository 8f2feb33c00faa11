/** A thread that writes the tables of one capture, or some of them, as Parquet files, and ends. */
import { ProblemError } from "@aglens/engine/problems";
import { checkpoint, endAsked, endFlag, starter, workInBackground } from "../threads/inside.ts";
import { writeCaptureTables, writeShare } from "./capture-tables.ts";
import { type TablesMessages, writeInThread } from "./write-tables.ts";

export async function run(): Promise<void> {
  const { data, send } = starter<TablesMessages>();
  workInBackground();
  try {
    const result = await ("files" in data
      ? writeShare(data, checkpoint)
      : writeCaptureTables(data, checkpoint, (share) => writeInThread(share, endFlag)));
    send({ kind: "written", result });
  } catch (error) {
    if (error instanceof ProblemError) send({ kind: "refused", problem: error.problem });
    else if (!endAsked()) throw error;
  }
}
