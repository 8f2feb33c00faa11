import { createReadStream } from "node:fs";
import { diagnose, type Verdict } from "@aglens/ag-model/diagnosis";
import { readEvents } from "@aglens/ag-model/events";
import { buildModel } from "@aglens/ag-model/replication";

/** Where the commits of a capture wait, from one file of the primary and one of a secondary. */
export async function verdictOf(primary: string, secondary: string): Promise<Verdict> {
  const inputs = [
    { role: "primary", columns: await readEvents(createReadStream(primary), primary) },
    { role: "secondary", columns: await readEvents(createReadStream(secondary), secondary) },
  ] as const;
  return diagnose(buildModel(inputs));
}
