import { type ReactNode, useState } from "react";
import { useSearch } from "wouter";
import { navigate } from "../../state/navigate.ts";
import { auditPage, auditTableAddress } from "../../data/access-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { Button, Card } from "../../ui/controls.tsx";
import { useReaderZone } from "../../frame/use-reader-zone.ts";
import { statusTexts as texts } from "../../messages/status.ts";
import { clockName, dayInstantText, localIso, UTC } from "../../ui/zone.ts";
import { FigureTable } from "../../ui/figure-table.tsx";
import styles from "./status-screen.module.css";

/** Pause in the user's typing before the search begins, ms. */
const PAUSE_MS = 200;

/** The audit log: users and their actions, newest first, a page at a time. */
export function AuditCard(): ReactNode {
  const words = new URLSearchParams(useSearch()).get("audit") ?? "";
  const search = (next: string): void => {
    const query = new URLSearchParams(next === "" ? {} : { audit: next }).toString();
    navigate(query === "" ? "/status" : `/status?${query}`, { replace: true });
  };
  return (
    <Card
      title={texts.auditLog}
      aside={
        <a href={auditTableAddress(words)} download>
          CSV
        </a>
      }
    >
      <input
        type="search"
        className={styles.search}
        aria-label={texts.searchTheAuditLog}
        placeholder={texts.whoWhatCapture}
        value={words}
        onChange={({ target }) => search(target.value)}
      />
      <AuditEntries key={words} words={words} />
    </Card>
  );
}

function AuditEntries({ words }: { readonly words: string }): ReactNode {
  /** Where each page begins; the newest one is the first. */
  const [starts, setStarts] = useState<readonly (number | null)[]>([null]);
  const { value, error, retry } = useAnswer(auditPage(starts.at(-1) ?? null, words), {
    pauseMs: words === "" ? 0 : PAUSE_MS,
  });
  const next = value?.next ?? null;
  const zone = useReaderZone();
  return (
    <>
      <Problem sentence={error} onRetry={retry} />
      <FigureTable
        className={`${styles.table} ${styles.audit}`}
        isHeadHidden
        rows={value?.entries ?? []}
        columns={[
          {
            id: `Time, ${clockName(zone)}`,
            className: "quiet",
            cell: ({ at }) => localIso(zone, at).slice(5, 16).replace("T", " "),
            cellProps: ({ at }) => ({ title: dayInstantText(UTC, at, 19) }),
          },
          {
            id: "Who",
            align: "left",
            cell: ({ person }) => (person === "" ? texts.notSignedIn : person),
            cellProps: ({ person }) => ({ title: person }),
          },
          {
            id: "Did",
            align: "left",
            cell: ({ action }) => action,
            cellProps: ({ action }) => ({ "data-bad": action.includes("refused") }),
          },
          { id: "What", align: "left", cell: ({ what }) => what, cellProps: ({ what }) => ({ title: what }) },
        ]}
      />
      {value?.entries.length === 0 ? (
        <p className="quiet">{words === "" ? texts.noEntryYet : texts.noEntryHas(words)}</p>
      ) : null}
      <div className="flex-box gap-8 space-8">
        <Button disabled={starts.length === 1} onClick={() => setStarts((all) => all.slice(0, -1))}>
          {texts.newer}
        </Button>
        <Button disabled={next === null} onClick={() => setStarts((all) => [...all, next])}>
          {texts.older}
        </Button>
      </div>
    </>
  );
}
