import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import type { CaptureBrief } from "@aglens/contract";
import { capturesOfServer, deleteCapture } from "../../data/captures-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { Problem } from "../../frame/problem.tsx";
import { Button } from "../../ui/controls.tsx";
import { formatCount } from "../../ui/words.ts";
import { instantWords } from "./files-words.ts";
import styles from "./recent-captures.module.css";

/** Captures that are listed before all are asked for. */
const SHOWN = 8;

/** How often captures that are being analysed are asked for, ms. */
const ANALYSING_MS = 2_000;

/** Captures of before, newest first, without the one that is put together now. */
export function RecentCaptures({ draftId }: { draftId: string | null }): ReactNode {
  const [all, setAll] = useState(false);
  // One more than is shown: the draft may be among them.
  const { value, error, retry } = useAnswer(capturesOfServer(all ? null : SHOWN + 1));
  const isAnalysing = (value?.captures ?? []).some(({ state }) => state === "analysing");
  useEffect(() => {
    if (!isAnalysing) return undefined;
    const timer = setInterval(retry, ANALYSING_MS);
    return () => clearInterval(timer);
  });
  const remove = useCommand(async (id: string) => {
    await deleteCapture(id);
    retry();
  });
  const listed = value?.captures ?? [];
  const recent = listed.filter(({ id }) => id !== draftId);
  const count = (value?.total ?? 0) - (listed.length - recent.length);
  const shown = all ? recent : recent.slice(0, SHOWN);
  if (error !== null) return <Problem sentence={error} onRetry={retry} />;
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="recent-captures">
      <h2 id="recent-captures">Recent on this server</h2>
      <Problem sentence={remove.error} />
      <ul className={styles.recent}>
        {shown.map((capture) => (
          <RecentRow key={capture.id} capture={capture} onDelete={() => remove.run(capture.id)} />
        ))}
      </ul>
      {!all && shown.length < count ? (
        <Button kind="quiet" onClick={() => setAll(true)}>
          Show all {formatCount(count)}
        </Button>
      ) : null}
    </section>
  );
}

function RecentRow({ capture, onDelete }: { capture: CaptureBrief; onDelete: () => void }): ReactNode {
  const [asked, setAsked] = useState(false);
  return (
    <li data-place={placeOf(capture)}>
      <div className={styles.head}>
        <Link href={`/captures/${capture.id}`}>{capture.name}</Link>
        <span className="quiet">{instantWords(capture.from, 16)}</span>
        <span className={`quiet ${styles.ago}`}>{ago(capture.created)}</span>
      </div>
      <div className={styles.words}>
        <p title={recentWords(capture)}>{recentWords(capture)}</p>
        {asked ? (
          <Button onClick={onDelete}>Delete for good</Button>
        ) : (
          <Button kind="quiet" aria-label={`Delete ${capture.name}`} onClick={() => setAsked(true)}>
            Delete
          </Button>
        )}
      </div>
    </li>
  );
}

/** The mark beside a capture has the colour of the place that took the time; grey when none stands out. */
function placeOf({ severity, place }: CaptureBrief): string {
  return severity === null || severity === "none" ? "none" : (place ?? "none");
}

function recentWords(capture: CaptureBrief): string {
  if (capture.state === "ready") return capture.verdict ?? "Analysed.";
  if (capture.state === "analysing") return "Being analysed.";
  if (capture.state === "failed") return capture.problem?.detail ?? "The analysis failed.";
  return `${capture.files === 1 ? "1 file" : `${formatCount(capture.files)} files`}, not analysed yet.`;
}

function ago(iso: string): string {
  const minutes = Math.round((Date.now() - Date.parse(iso)) / 60_000);
  if (minutes < 2) return "just now";
  if (minutes < 90) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 36) return `${hours} h ago`;
  return `${Math.round(hours / 24)} days ago`;
}
