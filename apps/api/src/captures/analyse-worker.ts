/** A thread that does one task, decoding or analysis, reports, and ends. */
import type { Progress } from "@aglens/contract";
import type { WorkerReport, WorkerTask } from "./job.ts";
import { checkpoint, endAsked, endFlag, tell as send, threadData } from "../threads/inside.ts";
import { AnalysisError } from "./analysis-error.ts";

const task = threadData as WorkerTask;

function tell(report: WorkerReport, transfer: ArrayBuffer[] = []): void {
  send(report, transfer);
}

/** Each task loads only what it needs: most threads recognise one small file. */
async function work(): Promise<void> {
  if (task.task === "recognise") {
    const { recogniseFile } = await import("./recognise.ts");
    tell({ report: "recognised", recognised: await recogniseFile(task.file) });
    return;
  }
  const [{ analyseCapture }, { decodePool }] = await Promise.all([
    import("./analyse.ts"),
    import("./decode-pool.ts"),
  ]);
  const report = (progress: Progress): void => {
    checkpoint();
    tell({ report: "progress", progress });
  };
  const showFirst = (preview: Uint8Array): void =>
    tell({ report: "preview", preview }, [preview.buffer as ArrayBuffer]);
  const result = await analyseCapture(
    task.request,
    report,
    decodePool(undefined, undefined, endFlag),
    showFirst,
  );
  tell(
    { report: "analysed", result },
    Object.values(result.files).map((bytes) => bytes.buffer as ArrayBuffer),
  );
}

try {
  await work();
} catch (error) {
  if (error instanceof AnalysisError) tell({ report: "failed", code: error.code, message: error.message });
  else if (!endAsked()) throw error;
}
