/** Marks of time that no file covers, and of a secondary without a file. */
import type { ReactNode } from "react";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { durationText } from "../../ui/words.ts";
import { LEFT, NETWORK_BOTTOM, NETWORK_TOP, RIGHT, isKnown, type Frame } from "./frame.ts";
import { isUnsent } from "./unsent.ts";
import styles from "./picture.module.css";
import { termProps } from "../../ui/term.tsx";

/** Reason why the way there and back is unknown: the part of it that the capture lacks. */
export function pathMissing({ hop, names, sequence }: Pick<Frame, "hop" | "names" | "sequence">): string {
  if (isUnsent(sequence, hop)) return texts.noEvent(names.secondary);
  if (!isKnown(hop?.anchors.sendStart)) return texts.fileOfPrimaryDoesNotHold(names.primary);
  return texts.noAcknowledgment(names.secondary);
}

/** Hatches time that no file covers: missing is not idle. */
export function Uncovered({
  top,
  bottom,
  width,
}: {
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
}): ReactNode {
  const id = `no-file-${top}`;
  return (
    <>
      <pattern id={id} width={8} height={8} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={2} height={8} fill="var(--hatch)" />
      </pattern>
      <rect
        x={LEFT - 4}
        y={top}
        width={Math.max(0, width - RIGHT - LEFT + 8)}
        height={bottom - top}
        fill={`url(#${id})`}
      />
    </>
  );
}

/** One gray bar where the secondary has no file. */
export function RemoteUnknown({ hop, x, names, width, missing, sequence }: Frame): ReactNode {
  const { sendEnd, ackReceived } = hop?.anchors ?? {};
  const seen = isKnown(sendEnd) && isKnown(ackReceived);
  const [left, right] = seen ? [x(sendEnd), Math.max(x(sendEnd) + 2, x(ackReceived))] : [LEFT, LEFT];
  const inside = right - left > UNKNOWN_LABEL;
  const beside = right + 10 + UNKNOWN_LABEL <= width - RIGHT;
  return (
    <g>
      <Uncovered top={NETWORK_BOTTOM} bottom={NETWORK_BOTTOM + 24} width={width} />
      {seen ? (
        <rect
          x={left}
          y={NETWORK_TOP + 20}
          width={right - left}
          height={44}
          fill="var(--wait)"
          opacity={0.35}
          rx={1}
        />
      ) : null}
      <text
        className={inside ? styles.barLabel : `${styles.barLabel} ${styles.halo}`}
        x={inside || !seen ? (inside ? (left + right) / 2 : width / 2) : beside ? right + 10 : left - 10}
        y={NETWORK_TOP + 46}
        textAnchor={inside || !seen ? "middle" : beside ? "start" : "end"}
        {...termProps("unseen")}
      >
        {seen
          ? texts.networkAnd(names.secondary, durationText(ackReceived - sendEnd))
          : pathMissing({ hop, names, sequence })}
      </text>
      <text
        className={styles.halo}
        x={(LEFT + width - RIGHT) / 2}
        y={NETWORK_BOTTOM + 16}
        textAnchor="middle"
      >
        {isUnsent(sequence, hop) ? missing : texts.itsNetwork(missing)}
      </text>
    </g>
  );
}

/** Width of "network and SQL2, 3.41 ms", px. */
const UNKNOWN_LABEL = 210;
