import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readEvents } from "@aglens/ag-model/events";
import { piecesOf } from "./blob-file.ts";
import { CaptureWork, type FileOfCapture } from "./capture-work.ts";

const CAPTURE = new URL("../../../../fixtures/captures/two-secondaries/", import.meta.url);
const PRIMARY = "primary/AlwaysOn_Data_Movement_Tracing_SQL1_0_131532631476045530.xel";

test("files of one server that overlap are analyzed alike, whether or not their events are known", async () => {
  const blob = new Blob([readFileSync(new URL(PRIMARY, CAPTURE))]);
  const file = async (name: string, isKnown: boolean): Promise<FileOfCapture> => ({
    id: name,
    name,
    size: blob.size,
    role: "primary",
    replica: "SQL1",
    from: null,
    blob,
    prepared: null,
    columns: isKnown ? await readEvents(piecesOf(blob), name) : null,
  });
  const [known, unknown] = await Promise.all(
    [true, false].map(async (isKnown) => {
      const files = [await file("a.xel", isKnown), await file("b.xel", isKnown)];
      const { work } = await CaptureWork.analyse(
        { files, topologies: [] },
        () => {},
        () => {},
      );
      return work.tables;
    }),
  );
  expect(known).toEqual(unknown);
});
