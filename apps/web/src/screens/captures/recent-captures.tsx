import { mayContribute } from "../../data/access-client.ts";
import { useAccount } from "../../state/account.ts";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import type { CaptureBrief } from "@aglens/contract";
import { newestCaptures, deleteCapture, restoreCapture } from "../../data/captures-client.ts";
import { usePlace } from "../../data/place.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { Problem } from "../../frame/problem.tsx";
import { Button } from "../../ui/controls.tsx";
import { formatCount } from "../../ui/words.ts";
import { ago } from "./ago.ts";
import { instantWords } from "./files-words.ts";
import { withDeleted } from "./recent-list.ts";
import styles from "./recent-captures.module.css";

/** Captures that are listed here; the library has all. */
const SHOWN = 8;

/** How often captures that are being analysed are asked for, ms. */
const ANALYSING_MS = 2_000;

/** Captures of before, newest first, without the one that is put together now. */
export function RecentCaptures({ draftId }: { draftId: string | null }): ReactNode {
  const { place } = usePlace();
  // One more than is shown: the draft may be among them.
  const { value, error, retry } = useAnswer(newestCaptures(SHOWN + 1, place));
  const isAnalysing = (value?.captures ?? []).some(({ state }) => state === "analysing");
  useEffect(() => {
    if (!isAnalysing) return undefined;
    const timer = setInterval(retry, ANALYSING_MS);
    return () => clearInterval(timer);
  });
  const [deleted, setDeleted] = useState<readonly CaptureBrief[]>([]);
  const remove = useCommand(async (capture: CaptureBrief) => {
    await deleteCapture(capture.id);
    setDeleted((before) => [...before, capture]);
  });
  const restore = useCommand(async (capture: CaptureBrief) => {
    await restoreCapture(capture.id);
    setDeleted((before) => before.filter(({ id }) => id !== capture.id));
    retry();
  });
  const listed = withDeleted(value?.captures ?? [], deleted);
  const recent = listed.filter(({ id }) => id !== draftId);
  const count = (value?.total ?? 0) - (listed.length - recent.length);
  const shown = recent.slice(0, SHOWN);
  if (error !== null) return <Problem sentence={error} onRetry={retry} />;
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="recent-captures">
      <h2 id="recent-captures">{place === "server" ? "Recent on this server" : "Recent on this page"}</h2>
      <Problem sentence={remove.error ?? restore.error} />
      <ul className={styles.recent}>
        {shown.map((capture) => (
          <RecentRow
            key={capture.id}
            capture={capture}
            isDeleted={deleted.includes(capture)}
            onDelete={() => remove.run(capture)}
            onRestore={() => restore.run(capture)}
          />
        ))}
      </ul>
      {shown.length < count && place === "server" ? (
        <TextLink href="/captures">All {formatCount(count)} captures</TextLink>
      ) : null}
    </section>
  );
}

interface RowProps {
  readonly capture: CaptureBrief;
  readonly isDeleted: boolean;
  readonly onDelete: () => void;
  readonly onRestore: () => void;
}

function RecentRow({ capture, isDeleted, onDelete, onRestore }: RowProps): ReactNode {
  const words = isDeleted ? "Deleted. It can be restored for a week." : recentWords(capture);
  const person = useAccount()?.person ?? null;
  const isOwn = person === null || capture.owner === person.name;
  // The server decides by more than a name; this hides what it would refuse.
  const mayDelete = isOwn ? mayContribute(person) : person.role === "admin";
  return (
    <li data-place={isDeleted ? "none" : placeOf(capture)}>
      <div className={styles.head}>
        {isDeleted ? (
          <span className={styles.gone}>{capture.name}</span>
        ) : (
          <Link href={`/captures/${capture.id}`}>{capture.name}</Link>
        )}
        <span className="quiet">{instantWords(capture.from, 16)}</span>
        {isOwn ? null : <span className="quiet">{capture.owner ?? "nobody’s"}</span>}
        <span className={`quiet ${styles.ago}`}>{ago(capture.created)}</span>
      </div>
      <div className={styles.words}>
        <p title={words} aria-live="polite">
          {words}
        </p>
        {/* One button, so that the focus stays. */}
        {mayDelete ? (
          <Button
            kind="quiet"
            aria-label={isDeleted ? `Undo: restore ${capture.name}` : `Delete ${capture.name}`}
            onClick={isDeleted ? onRestore : onDelete}
          >
            {isDeleted ? "Undo" : "Delete"}
          </Button>
        ) : null}
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
