import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { newestCaptures } from "../../data/captures-client.ts";
import {
  forgetAllKept,
  forgetKept,
  keptCaptures,
  openKept,
  type KeptBrief,
  type KeptList,
} from "../../data/kept-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { Problem } from "../../frame/problem.tsx";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { navigate } from "../../state/navigate.ts";
import { Button } from "../../ui/controls.tsx";
import { formatBytes, formatCount } from "../../ui/words.ts";
import { ago } from "./ago.ts";
import { useDraft } from "./sending/draft.ts";
import { pickedOf } from "./sending/picked-files.ts";
import { VerdictLine } from "./verdict-line.tsx";
import styles from "./verdict-line.module.css";

/** Number of captures that are listed before the user loads the rest. */
const SHOWN = 8;

/** Captures of earlier visits, whose results this browser keeps, without those that are open on this page. */
export function KeptCaptures(): ReactNode {
  const { value, error, retry } = useAnswer(keptCaptures);
  const open = useAnswer(newestCaptures(50, "browser"));
  const [isComplete, setWhole] = useState(false);
  const [isSure, setSure] = useState(false);
  const openAgain = useCommand(async ({ digest }: KeptBrief) => {
    const { id, files } = await openKept(digest);
    navigate(`/captures/${id}`);
    if (files.length === 0) return;
    await useDraft.getState().open(id);
    await useDraft.getState().add(pickedOf(files));
  });
  const forget = useCommand(async (digest: string | null) => {
    await (digest === null ? forgetAllKept() : forgetKept(digest));
    setSure(false);
    retry();
  });
  if (error !== null) return <Problem sentence={error} onRetry={retry} />;
  if (value === null) return null;
  if (value.isRefused) return <p className="quiet text">{texts.thisBrowserKeepsNothing}</p>;
  const ids = new Set((open.value?.captures ?? []).map(({ id }) => id));
  const kept = value.captures.filter(({ id }) => !ids.has(id));
  if (value.captures.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="kept-captures">
      <h2 id="kept-captures">{texts.recentInThisBrowser}</h2>
      <Problem sentence={openAgain.error ?? forget.error} />
      <ul className="over-line space-8">
        {kept.slice(0, isComplete ? kept.length : SHOWN).map((capture) => (
          <KeptRow
            key={capture.digest}
            capture={capture}
            onOpen={() => openAgain.run(capture)}
            onForget={() => forget.run(capture.digest)}
          />
        ))}
      </ul>
      {kept.length > SHOWN && !isComplete ? (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          {texts.showAll(formatCount(kept.length))}
        </Button>
      ) : null}
      <p className="quiet text">
        {roomText(value)} {/* One button, so that the focus stays; these captures can't be restored. */}
        <Button
          kind={isSure ? "plain" : "quiet"}
          onClick={isSure ? () => forget.run(null) : () => setSure(true)}
        >
          {isSure ? texts.removeAllPermanently : texts.forgetAll}
        </Button>
      </p>
    </section>
  );
}

interface RowProps {
  readonly capture: KeptBrief;
  readonly onOpen: () => void;
  readonly onForget: () => void;
}

function KeptRow({ capture, onOpen, onForget }: RowProps): ReactNode {
  const { id, name, used } = capture;
  return (
    <VerdictLine
      name={<Link href={`/captures/${id}`}>{name}</Link>}
      note={ago(used)}
      words={keptText(capture)}
      p95Us={null}
    >
      <Button kind="quiet" aria-label={texts.openAgain(name)} onClick={onOpen}>
        {texts.openAgainLabel}
      </Button>
      <Button kind="quiet" aria-label={texts.forget(name)} onClick={onForget}>
        {texts.forgetLabel}
      </Button>
    </VerdictLine>
  );
}

/** The verdict, the number and size of the files, and whether they must be read or chosen again to open the capture. */
export function keptText({
  files,
  size,
  verdict,
  hasTables,
  hasHandles,
}: Pick<KeptBrief, "files" | "size" | "verdict" | "hasTables" | "hasHandles">): string {
  const what = `${texts.file(files)}, ${formatBytes(size)}`;
  if (hasTables) return `${what}. ${verdict}`;
  return texts.toBeAgain(what, hasHandles, verdict);
}

function roomText({ captures, bytes, mostBytes }: KeptList): string {
  const what = texts.capture(captures.length);
  return texts.resultsAndNotes(what, formatBytes(bytes), formatBytes(mostBytes));
}
