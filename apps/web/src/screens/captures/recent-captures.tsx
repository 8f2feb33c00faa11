import { mayContribute } from "../../data/access-client.ts";
import { useAccount } from "../../state/account.ts";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import type { CaptureBrief } from "@aglens/contract";
import { deleteCapture, newestCaptures, newestDrafts, restoreCapture } from "../../data/captures-client.ts";
import { usePlace } from "../../data/place.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { Problem } from "../../frame/problem.tsx";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { Button } from "../../ui/controls.tsx";
import { formatCount } from "../../ui/words.ts";
import { ago } from "./ago.ts";
import { draftText } from "./draft-text.ts";
import { withDeleted } from "./recent-list.ts";
import { VerdictLine } from "./verdict-line.tsx";
import styles from "./verdict-line.module.css";
import { verdictText } from "./verdict-text.ts";

/** Captures that are listed here; the library has all. */
const SHOWN = 8;

/** Interval between requests for captures that are being analyzed, ms. */
const ANALYZING_MS = 2_000;

/** Earlier captures, newest first, then one's drafts. */
export function RecentCaptures(): ReactNode {
  const { place } = usePlace();
  const { value, error, retry } = useAnswer(newestCaptures(SHOWN, place));
  const drafts = useAnswer(place === "server" ? newestDrafts(SHOWN) : null);
  const isAnalyzing = (value?.captures ?? []).some(({ state }) => state === "analysing");
  useEffect(() => {
    if (!isAnalyzing) return undefined;
    const timer = setInterval(retry, ANALYZING_MS);
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
    drafts.retry();
  });
  const [deletedDrafts, deletedCaptures] = [true, false].map((isDraft) =>
    deleted.filter((capture) => (capture.isDraft ?? false) === isDraft),
  );
  const recent = withDeleted(value?.captures ?? [], deletedCaptures ?? []);
  const shown = [...recent, ...withDeleted(drafts.value?.captures ?? [], deletedDrafts ?? [])];
  const count = value?.total ?? 0;
  if (error !== null) return <Problem sentence={error} onRetry={retry} />;
  if (shown.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="recent-captures">
      <h2 id="recent-captures">{place === "server" ? texts.recentOnThisServer : texts.recentOnThisPage}</h2>
      <Problem sentence={remove.error ?? restore.error} />
      <ul className="over-line space-8">
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
      {recent.length < count && place === "server" ? (
        <TextLink href="/captures">{texts.allCapturesLabel(formatCount(count))}</TextLink>
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
  const { id, name, owner, created, p95Us } = capture;
  const person = useAccount()?.person ?? null;
  const isOwn = person === null || owner === person.name;
  // The server decides by more than a name; this hides what it would refuse.
  const mayDelete = isOwn ? mayContribute(person) : person.role === "admin";
  return (
    <VerdictLine
      name={isDeleted ? <s>{name}</s> : <Link href={`/captures/${id}`}>{name}</Link>}
      note={isOwn ? ago(created) : `${owner ?? "nobody’s"}, ${ago(created)}`}
      words={isDeleted ? texts.deletedItCan : recentText(capture)}
      p95Us={p95Us}
    >
      {/* One button, so that the focus stays. */}
      {mayDelete ? (
        <Button
          kind="quiet"
          aria-label={isDeleted ? texts.undoRestore(name) : texts.delete(name)}
          onClick={isDeleted ? onRestore : onDelete}
        >
          {isDeleted ? texts.undo : texts.deleteLabel}
        </Button>
      ) : null}
    </VerdictLine>
  );
}

function recentText(capture: CaptureBrief): string {
  if (capture.state !== "receiving") return verdictText(capture);
  const files = texts.file(capture.files);
  return capture.isDraft === true ? `${draftText(capture)} ${files}.` : texts.notAnalyzedYet(files);
}
