/** A thread that does one task, decoding or analysis, reports, and ends. */
import { parentPort, workerData } from "node:worker_threads";
import { analyseCapture, recogniseFile } from "./analyse.ts";
import type { WorkerReport, WorkerTask } from "./job.ts";
import { AnalysisError } from "./job.ts";

const task = workerData as WorkerTask;

function tell(report: WorkerReport, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(report, transfer);
}

async function work(): Promise<void> {
  if (task.task === "recognise") {
    tell({ report: "recognised", recognised: await recogniseFile(task.file) });
    return;
  }
  const result = await analyseCapture(task.request, (progress) => tell({ report: "progress", progress }));
  tell(
    { report: "analysed", result },
    Object.values(result.model).map((bytes) => bytes.buffer as ArrayBuffer),
  );
}

try {
  await work();
} catch (error) {
  if (!(error instanceof AnalysisError)) throw error;
  tell({ report: "failed", code: error.code, message: error.message });
}
