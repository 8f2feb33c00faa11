/** The primary's bars: sessions that wait, its own log write, its handling of the block. */
import type { ReactNode } from "react";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { durationText } from "../../ui/words.ts";
import { BAR, RIGHT, isKnown, type Frame, type HopAnchors } from "./frame.ts";
import { headerWrite } from "./header-write.ts";
import { HeaderWrite, TimeBar } from "./time-bar.tsx";
import styles from "./picture.module.css";
import { termProps } from "../../ui/term.tsx";

const SHOWN_COMMITS = 8;
/** Width of a figure after a local log write, and of the sentence after it, px. */
const FIGURE = 66;
const SENTENCE = 350;

/** Sentence about the remaining wait of the commit; it does not name another replica that released the commit. */
const waitSentence = (us: number, { sequence, secondary, names }: Frame): string =>
  texts.localWriteDoneCommit(
    durationText(us),
    sequence.gate === secondary + 2 ? texts.for(names.secondary) : "",
  );
/** Distance between a bar and the words next to it, px. */
const BESIDE = 8;
/** Estimated largest width of words in the picture, px. */
const textRoom = (words: string): number => words.length * 5.6;

/** Up to eight commits as separate bars. */
export function Commits({ sequence, x, width }: Frame): ReactNode {
  const shown = sequence.commits.slice(0, SHOWN_COMMITS);
  const height = Math.max(2, Math.min(18, Math.floor(18 / Math.max(1, shown.length))));
  const hidden = sequence.commits.length - shown.length;
  const words = waitedText(sequence, hidden);
  const [first] = shown;
  const place = first ? placeBeside(x(first.start), x(first.end), textRoom(words), width - RIGHT) : null;
  return (
    <g>
      {shown.map((commit, i) => (
        <rect
          key={i}
          x={x(commit.start)}
          y={BAR.commits + i * height}
          width={Math.max(1, x(commit.end) - x(commit.start))}
          height={Math.max(1, height - (shown.length > 1 ? 0.5 : 0))}
          fill="var(--wait)"
          opacity={0.4}
          rx={1}
        />
      ))}
      {place === null ? null : (
        <text
          className={place.textAnchor === "middle" ? styles.barLabel : `${styles.barLabel} ${styles.halo}`}
          y={BAR.commits + 13}
          {...place}
          {...termProps("commit")}
        >
          {words}
        </text>
      )}
    </g>
  );
}

/** Number of commits that waited, and the longest wait. */
function waitedText({ commits }: Frame["sequence"], hidden: number): string {
  const who = commits.length === 1 ? texts.commitWaited : texts.commitsLongestWaited(commits.length);
  const longest = durationText(Math.max(...commits.map((commit) => commit.end - commit.start)));
  return `${who} ${longest}${hidden > 0 ? texts.more(hidden) : ""}`;
}

/** In the middle of a bar that has room for it, otherwise after the bar, otherwise before it; px. */
function placeBeside(
  from: number,
  to: number,
  room: number,
  right: number,
): { readonly x: number; readonly textAnchor: "start" | "middle" | "end" } {
  if (to - from >= room) return { x: (from + to) / 2, textAnchor: "middle" };
  if (to + BESIDE + room <= right) return { x: to + BESIDE, textAnchor: "start" };
  return { x: from - BESIDE, textAnchor: "end" };
}

/** The local log write, and the remaining wait of the commit after it. */
export function LocalFlush(frame: Frame): ReactNode {
  const { sequence, x, width: picture } = frame;
  const { localFlushStart: from, localFlushEnd: to, commitEnd } = sequence.local;
  if (!isKnown(from) || !isKnown(to)) return null;
  const width = Math.max(1, x(to) - x(from));
  const waits = isKnown(commitEnd) && x(commitEnd) - x(to) > 4;
  const inside = width > 70;
  const saysSo = waits && !inside && x(to) + FIGURE + SENTENCE < picture;
  // The line begins after the words, so that it crosses none of them.
  const words = inside ? 0 : saysSo ? FIGURE + textRoom(waitSentence(commitEnd - to, frame)) : FIGURE;
  return (
    <g>
      <HeaderWrite write={headerWrite(sequence, 0)} x={x} y={BAR.flush} height={18} fill="var(--p-disk)" />
      <rect x={x(from)} y={BAR.flush} width={width} height={18} fill="var(--p-disk)" rx={1} />
      {waits ? (
        <line
          x1={Math.min(x(commitEnd), x(to) + words)}
          x2={x(commitEnd)}
          y1={BAR.flush + 9}
          y2={BAR.flush + 9}
          stroke="var(--ink-3)"
          strokeDasharray="2 3"
        />
      ) : null}
      <text
        className={`${styles.barLabel} ${inside ? styles.onStrong : styles.halo}`}
        x={x(inside ? from : to) + 8}
        y={BAR.flush + 13}
        {...termProps("localFlush")}
      >
        {durationText(to - from)}
      </text>
      {saysSo ? (
        <text className={styles.halo} x={x(to) + FIGURE} y={BAR.flush + 13} {...termProps("localFlush")}>
          {waitSentence(commitEnd - to, frame)}
        </text>
      ) : null}
    </g>
  );
}

/**
 * Send, acknowledgment and wake-up; a commit that another replica or the local write released is waiting, not waking
 * up.
 */
export function Handling({ hop, sequence, secondary, x }: Frame): ReactNode {
  const at: HopAnchors = hop?.anchors ?? {};
  const { commitEnd } = sequence.local;
  const released = sequence.gate === secondary + 2;
  return (
    <g>
      <TimeBar from={at.sendStart} to={at.sendEnd} x={x} y={BAR.handling} height={20} fill="var(--p-work)" />
      <TimeBar
        from={at.ackReceived}
        to={at.ackProcessed}
        x={x}
        y={BAR.handling}
        height={20}
        fill="var(--p-work)"
      />
      {released ? (
        <TimeBar
          from={at.ackProcessed}
          to={commitEnd}
          x={x}
          y={BAR.handling}
          height={20}
          fill="var(--wait)"
        />
      ) : null}
      {!released && isKnown(at.ackProcessed) && isKnown(commitEnd) && commitEnd > at.ackProcessed ? (
        <line
          x1={x(at.ackProcessed)}
          x2={x(commitEnd)}
          y1={BAR.handling + 10}
          y2={BAR.handling + 10}
          stroke="var(--ink-3)"
          strokeDasharray="2 3"
        />
      ) : null}
    </g>
  );
}
