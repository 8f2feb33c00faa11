import type { ReactNode } from "react";
import type { RangeStatistics, Sequence, Summary } from "@aglens/contract";
import { REMOTE_STAGE_IDS, type StageId } from "@aglens/ag-model/replication";
import { BlockBar } from "../../charts/block-bar.tsx";
import { placeToken, stageToken, stageWords } from "../../lanes/palette.ts";
import { Button, Kbd, Swatch, Value } from "../../ui/controls.tsx";
import {
  durationText,
  formatCount,
  formatDuration,
  formatOffset,
  formatPercent,
  formatUtc,
  rankText,
  uncertaintyBeside,
  unbroken,
} from "../../ui/words.ts";
import { releaseOf } from "../release.ts";
import { classWord } from "./block-tip.tsx";
import { largestPart, type Regime, type RegimePair } from "./regimes.ts";

const TABLE_STAGES: readonly StageId[] = ["commitQueue", "localFlush", ...REMOTE_STAGE_IDS, "commitWakeUp"];

/** Stage name in the tables of the pane: the place first, then what. */
function tableWords(id: StageId, names: { primary: string; secondary: string }): string {
  if (id === "localFlush") return `Log write, ${names.primary}`;
  if (id === "secondaryFlush") return `Log write, ${names.secondary}`;
  if (id === "send") return "Capture and send";
  const words = stageWords(id, names).replace(`${names.primary} `, "").replace(`${names.secondary} `, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Readout({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className="tl-readout">
      <span>{label}</span>
      {children}
    </div>
  );
}

interface RangePaneProps {
  readonly statistics: RangeStatistics;
  readonly summary: Summary;
  readonly secondary: number;
  readonly names: { readonly primary: string; readonly secondary: string };
  readonly regimes: RegimePair | null;
  readonly isSelection: boolean;
  readonly onSlowest: () => void;
  readonly onZoom: (() => void) | null;
}

function regimeWords(r: Regime, names: { primary: string; secondary: string }): string {
  const part = largestPart(r);
  if (part.place === "network") return `the network takes ${formatPercent(part.share)} of remote harden`;
  if (part.place === "secondary" && part.flushShare > 0.5)
    return `${names.secondary}'s log write takes ${formatPercent(part.flushShare)}`;
  return `${part.place === "secondary" ? names.secondary : names.primary} takes ${formatPercent(part.share)}`;
}

interface RegimesProps {
  readonly regimes: RegimePair;
  readonly summary: Summary;
  readonly names: { readonly primary: string; readonly secondary: string };
}

function Regimes({ regimes: { kind, pair }, summary, names }: RegimesProps): ReactNode {
  const scale = Math.max(...pair.map((r) => r.total));
  const clock = (us: number) => formatUtc(summary.originTicks, us, 0);
  const inside = kind === "inside";
  const when = inside ? `From ${clock(pair[0].from)} to ${clock(pair[0].to)}` : `Until ${clock(pair[0].to)}`;
  const offsets = inside
    ? `${formatOffset(pair[0].from, 100_000)} to ${formatOffset(pair[0].to, 100_000)}`
    : `Until ${formatOffset(pair[0].to, 100_000)}`;
  return (
    <>
      <p className="tl-note bad">
        <b>Two regimes.</b> {when} {unbroken(regimeWords(pair[0], names))};{" "}
        {inside ? "otherwise" : "after it"} {unbroken(regimeWords(pair[1], names))}.
      </p>
      {pair.map((r, i) => (
        <div key={i === 0 ? "first" : "second"} className="tl-regime">
          <div>
            <span>
              {i === 0 ? offsets : inside ? "Otherwise" : "After"}, {formatCount(r.blocks)} blocks
            </span>
            <Value figure={formatDuration(r.total)} strong />
          </div>
          <BlockBar
            stages={r.stages}
            scaleUs={scale}
            height={12}
            label={`Mean remote harden ${durationText(r.total)}`}
          />
        </div>
      ))}
    </>
  );
}

/** Over less than this a rate would be made of a handful of blocks and of where the view happens to begin. */
const LEAST_RATE_US = 1_000_000;

/** "100"; where an episode's edge parts the view, both rates: "6 then 90". */
function blocksPerSecond(s: RangeStatistics, regimes: RegimePair | null): string {
  const rate = (blocks: number, us: number) => formatCount(Math.round((blocks / Math.max(1, us)) * 1e6));
  if (regimes?.kind !== "edge") return rate(s.blocks, s.to - s.from);
  return regimes.pair.map((r) => rate(r.blocks, r.to - r.from)).join(" then ");
}

/** Percentiles, regimes and stages of what is in view or of a dragged range. */
export function RangePane(props: RangePaneProps): ReactNode {
  const { statistics: s } = props;
  return (
    <>
      <h2>
        {durationText(s.to - s.from)} {props.isSelection ? "selected" : "in view"}
      </h2>
      <p className="tl-sub">
        {formatCount(s.blocks)} {s.blocks === 1 ? "block" : "blocks"}, {formatCount(s.commits)}{" "}
        {s.commits === 1 ? "commit" : "commits"}
      </p>
      {s.blocks === 0 ? (
        <p className="tl-sub">
          Percentiles need blocks. The values of the whole capture stay in the overview.
        </p>
      ) : (
        <Figures {...props} />
      )}
    </>
  );
}

function Figures(props: RangePaneProps): ReactNode {
  const { statistics: s, summary, secondary, names } = props;
  const stages = s.stages[secondary] ?? {};
  return (
    <>
      <div className="tl-readouts">
        {(["p50", "p95", "p99", "max"] as const).map((k) => (
          <Readout key={k} label={k}>
            <Value figure={formatDuration(s.commitLatency[k])} strong />
          </Readout>
        ))}
      </div>
      {props.regimes ? <Regimes regimes={props.regimes} summary={summary} names={names} /> : null}
      <table className="tl-table">
        <thead>
          <tr>
            <th scope="col">Stage in view</th>
            <th scope="col">p50</th>
            <th scope="col">p95</th>
            <th scope="col">max</th>
          </tr>
        </thead>
        <tbody>
          {TABLE_STAGES.filter((id) => (stages[id]?.n ?? 0) > 0).map((id) => (
            <tr key={id}>
              <th scope="row">
                <Swatch color={`var(${stageToken(id)})`} /> {tableWords(id, names)}
              </th>
              {(["p50", "p95", "max"] as const).map((k) => (
                <td key={k}>
                  <Value figure={formatDuration(stages[id][k])} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="tl-facts">
        {s.gates.map((n, i) =>
          n > 0 ? (
            <div key={i}>
              <dt>
                {i === 0
                  ? "Released by local log write"
                  : `Released by ${summary.replicas[i]?.name ?? "a secondary"}'s ack`}
              </dt>
              <dd>
                {formatCount(n)} {n === 1 ? "commit" : "commits"}
              </dd>
            </div>
          ) : null,
        )}
        {s.to - s.from < LEAST_RATE_US ? null : (
          <div>
            <dt>Log blocks per second</dt>
            <dd>{blocksPerSecond(s, props.regimes)}</dd>
          </div>
        )}
      </dl>
      <div className="tl-actions">
        <Button kind="primary" onClick={props.onSlowest}>
          Slowest in view <Kbd>n</Kbd>
        </Button>
        {props.onZoom ? <Button onClick={props.onZoom}>Zoom to it</Button> : null}
      </div>
    </>
  );
}

interface BlockPaneProps {
  /** Null while it is read. */
  readonly sequence: Sequence | Error | null;
  readonly summary: Summary;
  readonly secondary: number;
  readonly names: { readonly primary: string; readonly secondary: string };
  readonly onOpen: () => void;
  readonly onSelect: (row: number) => void;
}

/** "Released by ..." with how much earlier the others were done (design.md section 12). */
function releaseWords(sequence: Sequence, summary: Summary): { lead: string; rest: string; token: string } {
  const { gate, name, afterLocal, other, withoutUs } = releaseOf(sequence, summary);
  if (gate === 0)
    return { lead: "No commit in this capture waited for this block.", rest: "", token: "--line-2" };
  const acknowledged =
    other === null ? null : `${other.name} had acknowledged ${durationText(other.earlierUs)} earlier`;
  if (gate === 1)
    return {
      lead: "Released by the local log write.",
      rest: [acknowledged === null ? null : `${acknowledged}.`, writeWords(sequence)]
        .filter((part) => part !== null)
        .join(" "),
      token: placeToken("primary"),
    };
  const without =
    withoutUs === null ? "" : `; without ${name} this commit takes about ${durationText(withoutUs)}`;
  const local =
    afterLocal === null ? "" : `The local log write had ended ${durationText(afterLocal)} earlier.`;
  return {
    lead: `Released by ${name}'s ack.`,
    rest: acknowledged === null ? local : `${acknowledged}${without}.`,
    token: placeToken("secondary"),
  };
}

/** How long the write that let the commit go took, with its class unless that is good. */
function writeWords({ local }: Sequence): string | null {
  const { localFlushStart, localFlushEnd } = local;
  if (localFlushStart == null || localFlushEnd == null) return null;
  const us = localFlushEnd - localFlushStart;
  const word = classWord(us, 0, true);
  return `The write took ${durationText(us)}${word === "good" ? "" : ` (${word})`}.`;
}

function Waterfall({ sequence, hop }: { sequence: Sequence; hop: Sequence["hops"][number] }): ReactNode {
  const timed = hop.stages.filter((s) => TABLE_STAGES.includes(s.id) && s.from !== null && s.to !== null);
  if (timed.length === 0) return null;
  const from = Math.min(
    sequence.local["commitStart"] ?? Number.POSITIVE_INFINITY,
    ...timed.map((s) => s.from!),
  );
  const to = Math.max(...timed.map((s) => s.to!), ...sequence.commits.map((c) => c.end));
  const percent = (t: number) => `${((t - from) / (to - from)) * 100}%`;
  return (
    <figure className="tl-waterfall">
      {timed.map((s) => (
        <div key={s.id}>
          <i
            style={{
              left: percent(s.from!),
              width: `max(1px, ${((s.to! - s.from!) / (to - from)) * 100}%)`,
              background: `var(${stageToken(s.id)})`,
            }}
          />
        </div>
      ))}
      <figcaption>
        <span>{sequence.commits.length > 0 ? "commit begins" : "block begins"}</span>
        <span>{durationText(to - from)}</span>
      </figcaption>
    </figure>
  );
}

/** One block: what released it, its stages with how they were obtained, and the way on. */
export function BlockPane({
  sequence,
  summary,
  secondary,
  names,
  onOpen,
  onSelect,
}: BlockPaneProps): ReactNode {
  if (sequence === null) return <p className="tl-sub">Reading block …</p>;
  if (sequence instanceof Error) return <p className="tl-note bad">{sequence.message}</p>;
  const hop = sequence.hops.find((h) => h.secondary === secondary) ?? sequence.hops[0];
  const release = releaseWords(sequence, summary);
  const longest = sequence.commits.reduce<Sequence["commits"][number] | null>(
    (a, c) => (a === null || c.end - c.start > a.end - a.start ? c : a),
    null,
  );
  const roundTrip = hop?.stages.find((s) => s.id === "networkRoundTrip");
  const rows = hop?.stages.filter((s) => TABLE_STAGES.includes(s.id) && s.duration !== null) ?? [];
  return (
    <>
      <div className="tl-block-head">
        <h2>
          Block <code>{sequence.lsn}</code>
        </h2>
        <Button
          kind="quiet"
          aria-label="Previous block in time"
          disabled={sequence.previousInTime === null}
          onClick={() => onSelect(sequence.previousInTime!)}
        >
          ‹
        </Button>
        <Button
          kind="quiet"
          aria-label="Next block in time"
          disabled={sequence.nextInTime === null}
          onClick={() => onSelect(sequence.nextInTime!)}
        >
          ›
        </Button>
      </div>
      <p className="tl-sub">
        {sequence.size === null ? "size unknown" : `${formatCount(sequence.size)} B`},{" "}
        {formatCount(sequence.commits.length)} {sequence.commits.length === 1 ? "commit" : "commits"},{" "}
        {formatUtc(summary.originTicks, sequence.time, 6)}
      </p>
      <div className="tl-readouts three">
        <Readout label="Commit">
          <Value figure={formatDuration(longest ? longest.end - longest.start : null)} strong />
        </Readout>
        <Readout label="Remote harden">
          <Value figure={formatDuration(hop?.remoteHarden)} strong />
        </Readout>
        <Readout label={longest ? "Rank in capture" : "Harden rank"}>
          <span className="value">
            <b>{rankText(longest?.rank ?? hop?.remoteHardenRank ?? null)}</b>
          </span>
        </Readout>
      </div>
      <p className="tl-note" style={{ borderColor: `var(${release.token})` }}>
        <b>{release.lead}</b> {unbroken(release.rest)}
      </p>
      {hop ? <Waterfall sequence={sequence} hop={hop} /> : null}
      <table className="tl-table">
        <thead>
          <tr>
            <th scope="col">Stage</th>
            <th scope="col">Duration</th>
            <th scope="col">Rank</th>
            <th scope="col">How</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((s) => (
            <tr key={s.id}>
              <th scope="row">
                <Swatch color={`var(${stageToken(s.id)})`} /> {tableWords(s.id, names)}
              </th>
              <td>
                <Value figure={formatDuration(s.duration)} strong={(s.share ?? 0) > 0.25} />
              </td>
              <td>{rankText(s.rank)}</td>
              <td>
                {s.uncertaintyUs === null ? s.obtained : uncertaintyBeside(s.uncertaintyUs, s.duration)}
              </td>
            </tr>
          ))}
          {roundTrip?.duration != null ? (
            <tr className="total">
              <th scope="row">Network, sum</th>
              <td>
                <Value figure={formatDuration(roundTrip.duration)} strong />
              </td>
              <td />
              <td>exact</td>
            </tr>
          ) : null}
        </tbody>
      </table>
      <div className="tl-actions">
        <Button kind="primary" onClick={onOpen}>
          Open sequence <Kbd>Enter</Kbd>
        </Button>
      </div>
    </>
  );
}
