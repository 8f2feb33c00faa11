import { type ReactNode, useEffect } from "react";
import { serverStatus } from "../../data/service-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { capturesTexts as texts } from "../../messages/captures.ts";
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
  const files = texts.filesWait(own.waiting);
  const turn = own.before === 0 ? "" : texts.nextAfterOfOther(formatCount(own.before));
  return <output className="quiet">{texts.toBeRecognized(files, turn)}</output>;
}
