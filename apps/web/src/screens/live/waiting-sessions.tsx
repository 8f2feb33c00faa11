import { type ReactNode, useState } from "react";
import type { LivePoll, LiveWaitingSession } from "@aglens/contract";
import { readLastStatement } from "../../data/live-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { Problem } from "../../frame/problem.tsx";
import { Button } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatCount, formatInstant, utcTip } from "../../ui/words.ts";
import { controlOf } from "./control.ts";
import { CopyCode } from "../../frame/copy.tsx";
import { liveTexts as texts } from "../../messages/live.ts";
import { useLiveRun } from "./live-run-context.ts";
import laneFrame from "../lane-view/lane-frame.module.css";
import styles from "./waiting-sessions.module.css";

const SHOWN = 8;
/** Maximum number of sessions that the API lists. */
const MOST = 50;

/** Sessions that wait for their commit at the instant of the primary's newest poll, longest first. */
export function WaitingSessions({ id }: { readonly id: string }): ReactNode {
  const { state, clock, canControl } = useLiveRun();
  const primary = state.replicas.find(({ role }) => role === "primary");
  const newest = newestWaiting(state.polls, primary?.index);
  if (primary === undefined || newest === null) return null;
  const { waiting, at } = newest;
  return (
    <section aria-label={texts.sessionsWaitingNow}>
      <h2>
        {texts.sessionsWaitingNow}{" "}
        <span className="quiet text-small" title={utcTip(clock, at, 0)}>
          {texts.at(countText(waiting.length), formatInstant(clock, at, 0))}
        </span>
      </h2>
      {waiting.length === 0 ? (
        <p className={laneFrame.sub}>{texts.noSessionWaits}</p>
      ) : (
        <WaitingTable id={id} replica={primary.index} waiting={waiting} canControl={canControl} />
      )}
    </section>
  );
}

const countText = (count: number): string => (count >= MOST ? texts.orMore(MOST) : formatCount(count));

function newestWaiting(
  polls: readonly LivePoll[],
  replica: number | undefined,
): { readonly at: number; readonly waiting: readonly LiveWaitingSession[] } | null {
  const found = polls
    .filter((poll) => poll.replica === replica)
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
  return found?.waiting == null ? null : { at: found.at, waiting: found.waiting };
}

interface TableProps {
  readonly id: string;
  readonly replica: number;
  readonly waiting: readonly LiveWaitingSession[];
  readonly canControl: boolean;
}

interface Statement {
  readonly session: number;
  /** Null: the session has no request now. */
  readonly text: string | null;
}

function WaitingTable({ id, replica, waiting, canControl }: TableProps): ReactNode {
  const [statement, setStatement] = useState<Statement | null>(null);
  const ask = useCommand(async (session: number) => {
    const control = controlOf(id);
    if (control === null) return;
    setStatement(null);
    setStatement({ session, text: await readLastStatement(id, control, replica, session) });
  });
  const rest = waiting.slice(SHOWN);
  return (
    <>
      <FigureTable<LiveWaitingSession>
        className={styles.waiting}
        rows={waiting.slice(0, SHOWN)}
        columns={[
          { id: "Session", cell: ({ session }) => session },
          { id: "Database", align: "left", className: styles.database, cell: ({ database }) => database },
          {
            id: "Wait",
            align: "left",
            cell: ({ wait }) => wait,
            cellProps: () => ({ className: styles.type }),
          },
          { id: "For", cell: ({ waitMs }) => millisecondsText(waitMs) },
          canControl && {
            id: "Statement",
            isHeadHidden: true,
            cell: ({ session }) => (
              <Button kind="quiet" aria-label={texts.sqlOfSession(session)} onClick={() => ask.run(session)}>
                SQL
              </Button>
            ),
          },
        ]}
      />
      {rest.length === 0 ? null : (
        <p className={laneFrame.sub}>
          {texts.moreEachUpTo(formatCount(rest.length), millisecondsText(rest[0]?.waitMs ?? 0))}
        </p>
      )}
      <Problem sentence={ask.error} />
      {statement === null ? null : <LastStatement statement={statement} onClose={() => setStatement(null)} />}
    </>
  );
}

/** The server counts in whole milliseconds. */
const millisecondsText = (ms: number): string => (ms === 0 ? "< 1\u2009ms" : `${formatCount(ms)}\u2009ms`);

function LastStatement({
  statement: { session, text },
  onClose,
}: {
  readonly statement: Statement;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <div className={styles.statement} aria-live="polite">
      <p>
        {text === null ? texts.sessionNoLongerRuns(session) : texts.requestOfSessionNot(session)}{" "}
        <Button kind="quiet" onClick={onClose}>
          {texts.close}
        </Button>
      </p>
      {text === null ? null : <CopyCode code={text} label={texts.statementOfSession(session)} />}
    </div>
  );
}
