/** Bars of the secondary for one block, with the soft edges of its clock. */
import type { ReactNode } from "react";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { durationText } from "../../ui/words.ts";
import { BAR, LEFT, RIGHT, isKnown, type Frame } from "./frame.ts";
import { headerWrite } from "./header-write.ts";
import { HeaderWrite, TimeBar } from "./time-bar.tsx";
import styles from "./picture.module.css";
import { termProps } from "../../ui/term.tsx";

const HEIGHT = 20;

/** Receive and append, the log write with the write of a VLF's header before it, the acknowledgment. */
export function SecondaryBars(frame: Frame): ReactNode {
  const { hop, x } = frame;
  const { received, secondaryFlushStart, secondaryFlushEnd, ackSent } = hop?.anchors ?? {};
  const bar = { x, y: BAR.secondary, height: HEIGHT };
  return (
    <>
      <TimeBar {...bar} from={received} to={secondaryFlushStart} fill="var(--s-work)" />
      <HeaderWrite {...bar} write={headerWrite(frame.sequence, frame.secondary + 1)} fill="var(--s-disk)" />
      <SecondaryFlush {...frame} />
      <TimeBar {...bar} from={secondaryFlushEnd} to={ackSent} fill="var(--s-work)" />
      {frame.asynchronous ? <Cuts {...frame} /> : null}
      <FlushLabel {...frame} />
    </>
  );
}

/** Fade of the secondary's log write to either side, px; a fade under 1 px is invisible. */
function fadeOf({ x, uncertaintyUs, range, even }: Frame): number {
  const fade = even || uncertaintyUs === null ? 0 : x(range[0] + uncertaintyUs) - x(range[0]);
  return fade >= 1 ? fade : 0;
}

function SecondaryFlush(frame: Frame): ReactNode {
  const { hop, x, width } = frame;
  const { secondaryFlushStart: from, secondaryFlushEnd: to } = hop?.anchors ?? {};
  if (!isKnown(from) || !isKnown(to)) return null;
  const [x1, x2] = [x(from), x(to)];
  const fade = fadeOf(frame);
  // Full strength from one fade inside the bar; a bar shorter than both fades is densest in its middle.
  const full = Math.min(0.5, (2 * fade) / Math.max(1, x2 - x1 + 2 * fade));
  return (
    <g>
      <clipPath id="secondary-plot">
        <rect x={LEFT - 4} y={0} width={Math.max(0, width - RIGHT + 4 - LEFT + 4)} height={BAR.axis} />
      </clipPath>
      {fade > 0 ? (
        <linearGradient id="secondary-flush">
          <stop offset={0} stopColor="var(--s-disk)" stopOpacity={0} />
          <stop offset={full} stopColor="var(--s-disk)" />
          <stop offset={1 - full} stopColor="var(--s-disk)" />
          <stop offset={1} stopColor="var(--s-disk)" stopOpacity={0} />
        </linearGradient>
      ) : null}
      <rect
        x={x1 - fade}
        y={BAR.secondary}
        width={Math.max(1.5, x2 - x1 + 2 * fade)}
        height={HEIGHT}
        fill={fade > 0 ? "url(#secondary-flush)" : "var(--s-disk)"}
        clipPath="url(#secondary-plot)"
      />
    </g>
  );
}

/**
 * 45 degree cuts over the bars of an asynchronous secondary, because no commit waits for it (docs/contribute/design.md
 * 6).
 */
function Cuts(frame: Frame): ReactNode {
  const { hop, x, width } = frame;
  const { received, secondaryFlushStart, secondaryFlushEnd, ackSent } = hop?.anchors ?? {};
  const [from, to] = [received ?? secondaryFlushStart, ackSent ?? secondaryFlushEnd];
  if (!isKnown(from) || !isKnown(to)) return null;
  const left = Math.max(LEFT - 4, x(from) - fadeOf(frame));
  const right = Math.min(width - RIGHT + 4, x(to) + fadeOf(frame));
  return (
    <>
      <pattern id="cuts" width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={1.5} height={6} fill="var(--surface)" />
      </pattern>
      <rect x={left} y={BAR.secondary} width={Math.max(0, right - left)} height={HEIGHT} fill="url(#cuts)" />
    </>
  );
}

/** Width of "log write 5.73 ms", px. */
const FLUSH_LABEL = 120;

/**
 * Duration of the secondary's log write: in its bar, otherwise next to the other bars of the secondary, otherwise right
 * before the write.
 */
function FlushLabel(frame: Frame): ReactNode {
  const { hop, x, width } = frame;
  const { received, secondaryFlushStart: from, secondaryFlushEnd: to, ackSent } = hop?.anchors ?? {};
  if (!isKnown(from) || !isKnown(to)) return null;
  const inside = x(to) - x(from) > FLUSH_LABEL;
  const after = Math.max(x(to) + fadeOf(frame), x(ackSent ?? to)) + 14;
  const before = Math.min(x(from) - fadeOf(frame), x(received ?? from)) - 14;
  const fits = after + FLUSH_LABEL <= width - RIGHT;
  const end = before - FLUSH_LABEL >= LEFT ? before : x(from) - fadeOf(frame) - 8;
  return (
    <text
      className={`${styles.barLabel} ${inside && !frame.asynchronous ? styles.onStrong : styles.halo}`}
      x={inside ? (x(from) + x(to)) / 2 : fits ? after : Math.max(LEFT + FLUSH_LABEL, end)}
      y={BAR.secondary + 14}
      textAnchor={inside ? "middle" : fits ? "start" : "end"}
      fill="var(--s-ink)"
      {...termProps("secondaryFlush")}
    >
      {texts.logWriteTo(durationText(to - from))}
    </text>
  );
}
