import { type ReactNode, useEffect } from "react";
import { serverStatus } from "../../data/service-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { formatCount } from "../../ui/words.ts";

const EVERY_MS = 2_000;
/** Delay of the first request, ms: most files are recognized sooner, and until then the request would only add load. */
const PATIENCE_MS = 1_000;

/** Why files on the server are not in the list yet: they wait for recognition, after those of other captures. */
export function RecognitionPlace({ captureId }: { readonly captureId: string }): ReactNode {
  const { value, retry } = useAnswer(serverStatus, { pauseMs: PATIENCE_MS });
  useEffect(() => {
    const timer = setInterval(retry, EVERY_MS);
    return () => clearInterval(timer);
  });
  const own = value?.recognitions.find((each) => each.captureId === captureId);
  if (own === undefined || own.waiting === 0) return null;
  const files = own.waiting === 1 ? "1 file waits" : `${formatCount(own.waiting)} files wait`;
  const turn = own.before === 0 ? "" : `, the next after ${formatCount(own.before)} of other captures`;
  return (
    <output className="quiet">
      {files} to be recognized{turn}.
    </output>
  );
}
