/** A thread that does one task, unpacking, saving, opening or analysis, reports, and ends. */
import { checkpoint, endAsked, endFlag, starter, workInBackground } from "../../threads/inside.ts";
import { ProblemError } from "@aglens/engine/problems";
import { AnalysisError } from "@aglens/engine/analysis";
import type { AnalysisRequest } from "./analyze.ts";
import type { AnalysisTask, Task, TaskMessages } from "./analyzer.ts";

const { data: kind, send, onMessages } = starter<TaskMessages>();

/** Each kind of task loads only the modules that it needs, before the task arrives. */
const loadUnpacking = () => import("../reading/unpack.ts");
const loadAnalysis = () =>
  Promise.all([import("./analyze.ts"), import("../reading/decode-pool.ts"), import("../reading/decode.ts")]);

/** The checksums of files that are not read again are not checked: their events were read from sound files. The download of a file checks its own. */
function withoutSources({ request, decoded }: AnalysisTask): AnalysisRequest {
  const paths = new Set([...decoded.map(({ path }) => path), ...Object.keys(request.coming ?? {})]);
  return { ...request, sources: (request.sources ?? []).filter(({ path }) => !paths.has(path)) };
}

async function work(task: Task): Promise<void> {
  const written = (): void => {
    checkpoint();
    send({ kind: "written" });
  };
  if (task.kind === "save") {
    const { saveAglensFile } = await import("./aglens-files.ts");
    await saveAglensFile(task.request, written);
    return send({ kind: "saved" });
  }
  if (task.kind === "open") {
    const { openAglensFile } = await import("./aglens-files.ts");
    return send({ kind: "opened", opened: await openAglensFile(task.request, written) });
  }
  if (task.kind === "unpack") {
    const { unpackZip } = await loadUnpacking();
    send({ kind: "unpacked", files: await unpackZip(task.request, written) });
    return;
  }
  await analyse(task);
}

async function analyse(task: AnalysisTask): Promise<void> {
  const [{ analyzeCapture }, { decodePool }, { withDecoded }] = await loadAnalysis();
  const { decoded } = task;
  const { first = [] } = await analyzeCapture(
    withoutSources(task),
    (progress) => {
      checkpoint();
      send({ kind: "progress", progress });
    },
    {
      decode: withDecoded(decoded, decodePool(undefined, undefined, endFlag)),
      preparedAt: new Map(
        decoded.flatMap(({ path, prepared }) => (prepared === null ? [] : [[path, prepared]])),
      ),
      onPreview: (preview) => send({ kind: "preview", preview }, [preview.buffer as ArrayBuffer]),
      onKept: (kept) =>
        send(
          { kind: "kept", kept },
          Object.values(kept.files).map((bytes) => bytes.buffer as ArrayBuffer),
        ),
    },
  );
  send(
    { kind: "analysed", first },
    first.map(({ bytes }) => bytes.buffer as ArrayBuffer),
  );
}

export function run(): void {
  workInBackground();
  if (kind === "analyse") void loadAnalysis();
  // An error that the files did not cause ends the thread, with its reason.
  onMessages(
    (task) =>
      void work(task).catch((error: unknown) => {
        if (error instanceof AnalysisError)
          send({ kind: "failed", code: error.code, message: error.message });
        else if (error instanceof ProblemError) send({ kind: "refused", problem: error.problem });
        else if (!endAsked()) throw error;
      }),
  );
}
