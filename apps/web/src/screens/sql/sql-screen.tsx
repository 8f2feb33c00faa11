import { type ReactNode, useCallback } from "react";
import { Link } from "wouter";
import { filetimeOfUnixUs } from "xel-parser/format";
import { ticksToMicroseconds } from "@aglens/ag-model/replication";
import { CAPTURE_QUERIES } from "@aglens/contract/ready-queries";
import { Message } from "../../frame/page.tsx";
import { useCopy } from "../../frame/copy.tsx";
import { sqlTexts as texts } from "../../messages/sql.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { Console } from "./console.tsx";
import type { OpenedRow } from "./opened-row.ts";
import { StatusKeys } from "./status-keys.tsx";

/** Queries in SQL over the tables of the open capture. */
export function SqlScreen(): ReactNode {
  const { source, summary, canChange, open, setStatus } = useCapture();
  const [notice, copy] = useCopy();
  const onStatus = useCallback(
    (words: string) => setStatus(<StatusKeys words={words} />, texts.query),
    [setStatus],
  );
  if (source.sql === null) {
    return <Message title={texts.sqlNeedsAgLens} detail={texts.thisCaptureWasRead} />;
  }
  const openBlocks = ({ block, stretch: period }: OpenedRow): void => {
    if (block !== null) return open("sequence", { block });
    if (period === null) return;
    const ticks = filetimeOfUnixUs(BigInt(Math.round(period.from))) - BigInt(summary.originTicks);
    const from = ticksToMicroseconds(ticks);
    open("timeline", { range: [from, from + period.lengthUs] });
  };
  return (
    <>
      <h1 className="sr-only">SQL</h1>
      <output className="sr-only">{notice}</output>
      <Console
        source={source.sql}
        ready={CAPTURE_QUERIES}
        runsFirst
        onOpen={openBlocks}
        onCopyLink={() => copy(window.location.href, texts.linkToThisQuery)}
        onStatus={onStatus}
        aside={canChange ? <Link href="/sql">{texts.allCaptures}</Link> : null}
      />
    </>
  );
}
