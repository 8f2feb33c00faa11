import { type ReactNode, useState } from "react";
import type { HappenedEvent } from "@aglens/contract";
import { eventLabel } from "../../charts/evidence/happened-lanes.ts";
import { readHealth } from "../../data/live-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { Check } from "../../frame/field.tsx";
import { Problem } from "../../frame/problem.tsx";
import { happenedTexts } from "../../messages/happened.ts";
import { liveTexts as texts } from "../../messages/live.ts";
import { FigureTable } from "../../ui/figure-table.tsx";
import { durationText, formatTime, timesInZone, utcTip, zoneName } from "../../ui/words.ts";
import { failoverText } from "../capture-view/use-evidence.ts";
import { controlOf } from "./control.ts";
import { useLiveRun } from "./live-run-context.ts";
import { Trouble } from "./trouble.tsx";
import laneFrame from "../lane-view/lane-frame.module.css";
import styles from "./what-happened.module.css";

const SHOWN = 12;

/** Events of the servers in the last minutes with the cause of a failover, and the switch for AlwaysOn_health. */
export function WhatHappened(): ReactNode {
  const { state, clock, canControl, isRunning } = useLiveRun();
  const { happened, failovers, readsHealth } = state;
  const canSwitch = canControl && isRunning;
  if (happened.length === 0 && !readsHealth && !canSwitch) return null;
  const newest = happened.toReversed();
  const failover = failovers.at(-1);
  const rest = newest.length - SHOWN;
  return (
    <section aria-label={happenedTexts.whatHappened}>
      <h2>
        {happenedTexts.whatHappened} <span className="quiet text-small">{texts.last5MinOfEvents}</span>
      </h2>
      {failover === undefined ? null : <p className={styles.cause}>{failoverText(clock, failover)}</p>}
      {newest.length === 0 ? (
        <p className={laneFrame.sub}>{texts.nothingHappened}</p>
      ) : (
        <FigureTable<HappenedEvent>
          className={styles.events}
          caption={happenedTexts.whatHappened}
          rows={newest.slice(0, SHOWN)}
          columns={[
            {
              id: "Time",
              head: texts.timeIn(zoneName(clock)),
              cell: ({ at, plusMinusUs }) => (
                <span title={`${utcTip(clock, at, 3)} ±${durationText(plusMinusUs)}`}>
                  {formatTime(clock, at, 1)}
                </span>
              ),
            },
            {
              id: "Event",
              align: "left",
              cell: (event) => <span title={timesInZone(clock, event.text)}>{eventLabel(event)}</span>,
            },
            {
              id: "Source",
              cell: ({ sources }) => (
                <span title={sources.map(({ file }) => file).join(", ")}>{sourceText(sources)}</span>
              ),
              cellProps: () => ({ "data-quiet": true }),
            },
          ]}
        />
      )}
      {rest > 0 ? <p className={laneFrame.sub}>{texts.earlierEvents(rest)}</p> : null}
      {canSwitch ? <HealthSwitch /> : null}
      {state.replicas.map(({ index, name, health }) =>
        health.problem === null ? (
          health.isCut && <p key={index}>{texts.eventsMissingOf(name)}</p>
        ) : (
          <Trouble key={index} problem={health.problem} />
        ),
      )}
    </section>
  );
}

/** The only source, or their number. */
function sourceText(sources: HappenedEvent["sources"]): string {
  const [first] = sources;
  if (first === undefined || sources.length > 1) return texts.sources(sources.length);
  return first.file.startsWith("AlwaysOn_health") ? "AlwaysOn_health" : texts.polls;
}

function HealthSwitch(): ReactNode {
  const { id, state } = useLiveRun();
  // The picture has the answer up to a second later. From then on its state counts, also where another user changes it.
  const [asked, setAsked] = useState<boolean | null>(null);
  if (asked === state.readsHealth) setAsked(null);
  const health = useCommand(async (isOn: boolean) => {
    const control = controlOf(id);
    if (control === null) return;
    setAsked(isOn);
    try {
      await readHealth(id, control, isOn);
    } catch (error) {
      setAsked(null);
      throw error;
    }
  });
  return (
    <>
      <Check checked={asked ?? state.readsHealth} onChange={health.run}>
        {texts.readAlwaysOnHealth}
      </Check>
      <p className={laneFrame.sub}>{texts.readAlwaysOnHealthCost}</p>
      <Problem sentence={health.error} />
    </>
  );
}
