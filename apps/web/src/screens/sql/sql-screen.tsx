import { type ReactNode, useCallback } from "react";
import { Link } from "wouter";
import { filetimeOfUnixUs } from "xel-parser/format";
import { ticksToMicroseconds } from "@aglens/ag-model/replication";
import { CAPTURE_QUERIES } from "@aglens/contract/ready-queries";
import { Message } from "../../frame/page.tsx";
import { useCopy } from "../../frame/copy.tsx";
import { useCapture } from "../capture-view/capture-context.ts";
import { Console } from "./console.tsx";
import type { OpenedRow } from "./opened-row.ts";
import { StatusKeys } from "./status-keys.tsx";

/** Queries in SQL over the tables of the open capture. */
export function SqlScreen(): ReactNode {
  const { source, summary, canChange, open, setStatus } = useCapture();
  const [notice, copy] = useCopy();
  const onStatus = useCallback(
    (words: string) => setStatus(<StatusKeys words={words} />, "The query is in the link; the result is not"),
    [setStatus],
  );
  if (source.sql === null) {
    return (
      <Message
        title="SQL needs AG Lens on a server."
        detail="This capture was read in this browser. Add its files on the server to ask it in SQL."
      />
    );
  }
  const openBlocks = ({ block, stretch }: OpenedRow): void => {
    if (block !== null) return open("sequence", { block });
    if (stretch === null) return;
    const ticks = filetimeOfUnixUs(BigInt(Math.round(stretch.from))) - BigInt(summary.originTicks);
    const from = ticksToMicroseconds(ticks);
    open("timeline", { range: [from, from + stretch.lengthUs] });
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
        onCopyLink={() => copy(window.location.href, "Link to this query copied")}
        onStatus={onStatus}
        aside={canChange ? <Link href="/sql">all captures</Link> : null}
      />
    </>
  );
}
