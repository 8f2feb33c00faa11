import type { ReactNode } from "react";
import type { FailoverCause, HappenedEvent, Summary } from "@aglens/contract";
import { eventLabel } from "../../../charts/evidence/happened-lanes.ts";
import { happenedTexts } from "../../../messages/happened.ts";
import { reportTexts as texts } from "../../../messages/report.ts";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { formatDate, formatTime, passesMidnight, unbroken, zoneName } from "../../../ui/words.ts";
import { placeText, plusMinusText, shortFileName } from "../../capture-view/source-names.ts";
import { failoverText } from "../../capture-view/use-evidence.ts";
import type { ReportData } from "./report-data.ts";
import { Section } from "./section.tsx";

/** Rows of events; those of failovers in the range come first where there are more. */
const MOST_EVENTS = 60;
/** Failovers that are listed; those in the range are first, because a log has those of weeks before. */
const MOST_FAILOVERS = 5;
/** Rules that are listed; contradictions are first. */
const MOST_RULES = 12;
/** Files that are named for each event. */
const MOST_SOURCES = 3;

/** Causes of failovers, events by time with their sources, and what agrees; shows nothing without evidence. */
export function HappenedPart({
  data: { summary, evidence, choice },
}: {
  readonly data: ReportData;
}): ReactNode {
  if (evidence === null) return null;
  const { agreement, eventsLeftOut } = evidence;
  const { shown, others } = reportedEvents(evidence, choice.range);
  const failovers = inRangeFirst(evidence.failovers, choice.range);
  const rules = agreement.slice(0, MOST_RULES);
  return (
    <>
      <Section id="happened" title={happenedTexts.whatHappened} note={texts.fromEvidenceFiles}>
        {failovers.slice(0, MOST_FAILOVERS).map((failover) => (
          <p key={`${failover.at} ${failover.group}`}>{datedText(summary, failover)}</p>
        ))}
        {failovers.length > MOST_FAILOVERS ? (
          <p>{happenedTexts.moreFailovers(failovers.length - MOST_FAILOVERS)}</p>
        ) : null}
        {shown.length === 0 ? null : (
          <FigureTable<HappenedEvent>
            rows={shown}
            columns={[
              { id: zoneName(summary), cell: ({ at }) => datedTime(summary, at) },
              { id: "±", className: "number", cell: plusMinusText },
              { id: happenedTexts.event, className: "words", cell: eventLabel },
              { id: happenedTexts.sourcesHead, className: "words", cell: sourcesOf },
            ]}
          />
        )}
        {others + eventsLeftOut === 0 ? null : (
          <p className="quiet">{happenedTexts.eventsLeftOut(others + eventsLeftOut)}</p>
        )}
      </Section>
      {rules.length === 0 ? null : (
        <Section id="agreement" title={happenedTexts.doTheSourcesAgree}>
          <ul>
            {rules.map(({ rule, server, from, agrees, text }) => (
              <li key={`${rule} ${server} ${from}`}>
                <b>{happenedTexts.agreesText(agrees)}</b> {unbroken(text)}
              </li>
            ))}
          </ul>
          {agreement.length > rules.length ? (
            <p className="quiet">{texts.moreRules(agreement.length - rules.length)}</p>
          ) : null}
        </Section>
      )}
    </>
  );
}

type Range = ReportData["choice"]["range"];

const isIn = ({ at, until }: FailoverCause, { from, to }: Range): boolean =>
  (until ?? at) >= from && at <= to;

const inRangeFirst = (failovers: readonly FailoverCause[], range: Range): FailoverCause[] =>
  failovers.toSorted((a, b) => Number(isIn(b, range)) - Number(isIn(a, range)));

const isOutside = ({ durationUs }: Summary, at: number): boolean => at < 0 || at > durationUs;

function datedText(summary: Summary, failover: FailoverCause): string {
  const sentence = failoverText(summary, failover);
  const { at } = failover;
  return isOutside(summary, at) ? happenedTexts.onDay(formatDate(summary, at), sentence) : sentence;
}

/** Times of a capture that passes midnight have their day already. */
function datedTime(summary: Summary, at: number): string {
  const time = formatTime(summary, at, 1);
  return isOutside(summary, at) && !passesMidnight(summary) ? `${formatDate(summary, at)} ${time}` : time;
}

/** Events of failovers and those in the range, without health checks that found nothing, by time. */
function reportedEvents(
  { events, failovers }: NonNullable<ReportData["evidence"]>,
  range: Range,
): { readonly shown: readonly HappenedEvent[]; readonly others: number } {
  const eventsOf = (own: readonly FailoverCause[]) => new Set(own.flatMap((failover) => failover.events));
  const inRange = eventsOf(failovers.filter((failover) => isIn(failover, range)));
  const ofFailovers = eventsOf(failovers);
  const isReported = ({ at, from, kind, states }: HappenedEvent): boolean =>
    at >= range.from && (from ?? at) <= range.to && !(kind === "health" && states?.[1] === "CLEAN");
  const wanted = [...events.entries()].flatMap(([index, event]) => {
    if (inRange.has(index)) return [{ event, rank: 0 }];
    if (isReported(event)) return [{ event, rank: 1 }];
    return ofFailovers.has(index) ? [{ event, rank: 2 }] : [];
  });
  const shown = wanted
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST_EVENTS)
    .map(({ event }) => event)
    .toSorted((a, b) => a.at - b.at);
  return { shown, others: wanted.length - shown.length };
}

function sourcesOf({ sources }: HappenedEvent): string {
  const named = sources
    .slice(0, MOST_SOURCES)
    .map((source) => `${shortFileName(source.file)} ${placeText(source)}`);
  const more = sources.length - named.length;
  return [...named, ...(more > 0 ? [texts.moreSources(more)] : [])].join("; ");
}
