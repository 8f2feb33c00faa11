import { useEffect, useState } from "react";
import type { Sequence } from "@aglens/contract";
import type { Answer } from "../../../data/use-answer.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { durationText } from "../../../ui/words.ts";

const ANNOUNCE_EVERY_MS = 500;

/** "Block 00000022:00000167 selected, commit 659 ms, remote harden 658 ms". */
export function selectedText({ value: sequence, error }: Answer<Sequence>, secondary: number): string {
  if (sequence === null) return error ?? "";
  const harden = sequence.hops.find((hop) => hop.secondary === secondary)?.remoteHarden ?? null;
  const commit = sequence.commits.map(({ start, end }) => end - start);
  return [
    texts.blockSelected(sequence.lsn),
    commit.length === 0 ? null : texts.commit(durationText(Math.max(...commit))),
    harden === null ? null : texts.remoteHarden(durationText(harden)),
  ]
    .filter((part) => part !== null)
    .join(", ");
}

/** Announces a sentence to screen readers, at most twice a second. */
export function useAnnouncement(sentence: string): string {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSaid(sentence), ANNOUNCE_EVERY_MS);
    return () => clearTimeout(timer);
  }, [sentence]);
  return said;
}
