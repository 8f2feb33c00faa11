import type { ReactNode } from "react";
import type { ReplicaSummary, Summary } from "@aglens/contract";
import { Popover } from "../frame/popover.tsx";
import { aheadText } from "../screens/capture-view/names.ts";
import { useCapture } from "../screens/capture-view/capture-context.ts";
import { Chip } from "../ui/controls.tsx";
import { MiddleEllipsis } from "../ui/middle-ellipsis.tsx";
import { formatCount, formatUncertainty } from "../ui/words.ts";
import { ClockChip, ClockText } from "./strip-clocks.tsx";
import { Term } from "../ui/term.tsx";
import styles from "../frame/strip.module.css";
import { pagesTexts as texts } from "../messages/pages.ts";

/** Replicas of one role, as one chip of the strip. */
export interface RoleGroup {
  readonly words: string;
  readonly hasCapture: boolean;
  readonly isPrimary: boolean;
  /** Indices of replicas, in their order. */
  readonly members: readonly number[];
}

const MODE_WORDS = { sync: "Sync", async: "Async", undetermined: texts.syncOrUndetermined } as const;

const wordsOf = ({ role, commitMode, hasCapture }: ReplicaSummary): string =>
  `${role === "primary" ? "Primary" : MODE_WORDS[commitMode]}${hasCapture ? "" : texts.noFile}`;

/** The primary, then synchronous, undetermined and asynchronous secondaries; replicas without a file are separate. */
export function roleGroups({ replicas }: Pick<Summary, "replicas">): RoleGroup[] {
  const order = ["primary", "sync", "undetermined", "async"];
  const kindOf = ({ role, commitMode }: ReplicaSummary): string => (role === "primary" ? role : commitMode);
  const sorted = replicas
    .map((replica, index) => ({ replica, index }))
    .toSorted((a, b) => order.indexOf(kindOf(a.replica)) - order.indexOf(kindOf(b.replica)));
  const groups = new Map<string, typeof sorted>();
  for (const member of sorted) {
    const words = wordsOf(member.replica);
    groups.set(words, [...(groups.get(words) ?? []), member]);
  }
  return [...groups].map(([words, members]) => ({
    words,
    hasCapture: members.every(({ replica }) => replica.hasCapture),
    isPrimary: members.every(({ replica }) => replica.role === "primary"),
    members: members.map(({ index }) => index),
  }));
}

/** One chip per role with the names of its replicas; where they have no room, their number. */
export function RoleItems(): ReactNode {
  const { summary } = useCapture();
  return roleGroups(summary).map((group) => (
    <div key={group.words} className={styles.item}>
      <Chip
        place={!group.hasCapture ? "none" : group.isPrimary ? "primary" : "secondary"}
        dashed={!group.hasCapture}
      >
        {group.words}
      </Chip>
      <span className={group.isPrimary ? styles.name : styles.names}>
        {group.members.map((index) => (
          <ReplicaName key={index} index={index} />
        ))}
      </span>
      {!group.isPrimary && (
        <Popover className={styles.count} label={formatCount(group.members.length)}>
          <ul>
            {group.members.map((index) => (
              <li key={index}>
                <ReplicaName index={index} /> {detailsOf(summary, index)}
              </li>
            ))}
          </ul>
        </Popover>
      )}
    </div>
  ));
}

/** A server's name; of a secondary with the uncertainty of its clock. */
export function ReplicaName({ index }: { readonly index: number }): ReactNode {
  const { summary, view } = useCapture();
  const clock = summary.clocks.find(({ secondary }) => secondary === index - 1);
  return (
    <span className={styles.replica} title={detailsOf(summary, index)}>
      <b>
        <MiddleEllipsis text={summary.replicas[index]?.name ?? ""} title={detailsOf(summary, index)} />
      </b>
      {clock?.status === "aligned" && view.clock === "aligned" && (
        <span className={styles.uncertainty}>
          <Term id="uncertainty">{formatUncertainty(clock.strictUncertaintyUs)}</Term>
        </span>
      )}
    </span>
  );
}

/** `27,029 events, clock 238 ms ahead` */
export function detailsOf({ replicas, clocks }: Pick<Summary, "replicas" | "clocks">, index: number): string {
  const replica = replicas[index];
  const clock = clocks.find(({ secondary }) => secondary === index - 1);
  const ahead = clock === undefined ? null : aheadText(clock);
  return [
    replica?.hasCapture === true ? texts.events(formatCount(replica.events)) : texts.noFilePart,
    ahead === null ? null : texts.clock(ahead),
  ]
    .filter((words) => words !== null)
    .join(", ");
}

/** All clocks as one chip; each has a line of its popover, and its uncertainty is also next to its name. */
export function ClocksItem(): ReactNode {
  const { summary, view } = useCapture();
  const { clocks } = summary;
  if (clocks.length === 0) return null;
  const apart = clocks.filter(({ status }) => status === "cannotAlign").length;
  const state =
    view.clock === "raw"
      ? texts.rawUtc
      : apart === 0
        ? texts.clocksAligned(
            formatUncertainty(Math.max(...clocks.map((clock) => clock.strictUncertaintyUs ?? 0))),
          )
        : texts.ofClocksAligned(clocks.length - apart, clocks.length);
  return (
    <div className={styles.item}>
      <Popover className={styles.chip} label={state}>
        <ul>
          {clocks.map((entry) => (
            <li key={`${entry.against} ${entry.secondary}`}>
              <ClockText
                clock={entry}
                raw={view.clock === "raw"}
                name={summary.replicas[entry.secondary + 1]?.name ?? texts.secondaryLabel}
              />
              <ClockChip entry={entry} />
            </li>
          ))}
        </ul>
      </Popover>
    </div>
  );
}
