/** A thread that does one task, unpacking or analysis, reports, and ends. */
import type { Progress } from "@aglens/contract";
import { checkpoint, endAsked, endFlag, starter, workInBackground } from "../threads/inside.ts";
import { ProblemError } from "@aglens/engine/problems";
import { AnalysisError } from "@aglens/engine/analysis";
import type { AnalysisRequest } from "./analyse.ts";
import type { Task, TaskMessages } from "./analyser.ts";

const { data: task, send } = starter<TaskMessages>();
workInBackground();

/** Files that are not read again need no look at their checksums: what was read was sound. */
function withoutSources({ request, decoded }: Extract<Task, { kind: "analyse" }>): AnalysisRequest {
  const paths = new Set(decoded.map(({ path }) => path));
  return { ...request, sources: (request.sources ?? []).filter(({ path }) => !paths.has(path)) };
}

/** Each task loads only what it needs. */
async function work(): Promise<void> {
  if (task.kind === "unpack") {
    const { unpackZip } = await import("./unpack.ts");
    const written = (): void => {
      checkpoint();
      send({ kind: "written" });
    };
    send({ kind: "unpacked", files: await unpackZip(task.request, written) });
    return;
  }
  const [{ analyseCapture }, { decodePool }, { withDecoded }] = await Promise.all([
    import("./analyse.ts"),
    import("./decode-pool.ts"),
    import("./decode.ts"),
  ]);
  const report = (progress: Progress): void => {
    checkpoint();
    send({ kind: "progress", progress });
  };
  const showFirst = (preview: Uint8Array): void =>
    send({ kind: "preview", preview }, [preview.buffer as ArrayBuffer]);
  const result = await analyseCapture(
    withoutSources(task),
    report,
    withDecoded(task.decoded, decodePool(undefined, undefined, endFlag)),
    showFirst,
    new Map(task.decoded.flatMap(({ path, prepared }) => (prepared === null ? [] : [[path, prepared]]))),
  );
  send(
    { kind: "analysed", result },
    [...Object.values(result.files), ...(result.first ?? []).map(({ bytes }) => bytes)].map(
      (bytes) => bytes.buffer as ArrayBuffer,
    ),
  );
}

try {
  await work();
} catch (error) {
  if (error instanceof AnalysisError) send({ kind: "failed", code: error.code, message: error.message });
  else if (error instanceof ProblemError) send({ kind: "refused", problem: error.problem });
  else if (!endAsked()) throw error;
}
