/** Texts of the fleet page. */
import { plural } from "@aglens/ag-model/words";
import type { Fleet, FleetColumn, FleetLane, FleetSide } from "@aglens/contract";
import { fleetSideName, type FleetSideOf, largerWay } from "@aglens/ag-model/fleet";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import { formatCount, formatShortDay } from "../../ui/words.ts";
import { localIso, type Zone } from "../../ui/zone.ts";
import { haveSameCaptures } from "./fleet-figures.ts";

const THIN = "\u2009";

/** `× 2.80`, `÷ 1.78`: with the precision of tables; en dash without a factor. */
export function factorText(factor: number | null): string {
  if (factor === null || !Number.isFinite(factor)) return "–";
  const larger = largerWay(factor);
  const figure = larger < 10 ? larger.toFixed(2) : larger.toFixed(0);
  return `${factor < 1 && figure !== "1.00" ? "÷" : "×"}${THIN}${figure}`;
}

/** A change by less has no color of its own. */
const MOVED = 1.1;
export const hasMoved = (factor: number): boolean => largerWay(factor) >= MOVED;

/** Stages that are alike on both sides, in one sentence. */
export const foldedText = (count: number): string => texts.otherStagesDiffer(formatCount(count));

/** Text in front of a bracket: `since 3 Nov, p95 × 2.8`. */
export function changeText(change: NonNullable<FleetLane["change"]>, days: readonly string[]): string {
  const larger = largerWay(change.factor);
  const sign = change.factor < 1 ? "÷" : "×";
  return texts.sinceP95(
    formatShortDay(days[change.from] ?? ""),
    sign,
    THIN,
    larger < 10 ? larger.toFixed(1) : larger.toFixed(0),
  );
}

/** Name of the server that is the primary in all captures; the role where there are several. */
export function primaryName({ lanes }: Pick<FleetSide, "lanes">): string {
  const [first, ...others] = lanes.filter(({ stage }) => stage === "localFlush");
  return first === undefined || others.length > 0 ? "Primary" : first.replica;
}

/**
 * Group of the captures in a row, without the replica; next to another row of the same group it is the tag that
 * distinguishes the two.
 */
export function capturesName({ group, groupName, tag }: FleetSideOf, other: FleetSideOf | null): string {
  if (other === null || other.group !== group || other.tag === tag)
    return fleetSideName({ groupName, tag, replica: null });
  return tag ?? texts.allCapturesPart;
}

/** Heading above a lane's name in the gutter: the server and its role. */
export function laneHeading({ stage, replica, isAsynchronous }: FleetLane, side: FleetSide): string {
  switch (stage) {
    case "commit":
      return fleetSideName({ ...side, replica: null });
    case "localFlush":
      return `${replica}, primary`;
    case "networkRoundTrip":
      return texts.toAndBack(primaryName(side), replica);
    case "remoteHarden":
      return texts.withoutItsFile(replica);
    default:
      return `${replica}, ${isAsynchronous ? "async" : "sync"}`;
  }
}

/** `23 of 86 stand out`. */
export const outText = (out: number, all: number): string =>
  texts.ofOut(formatCount(out), formatCount(all), out);

/** `night`, `nights`, `1 week`. */
export const unitText = (count: number, unit: Fleet["unit"]): string => plural(count, `# ${unit}`);

/**
 * `171 captures shown, 9 nights without one`: counts captures and empty columns of both sides; captures that both sides
 * have count once.
 */
export function shownText({ a, b, days, unit }: Fleet): string {
  const sides = [a, a !== null && b !== null && haveSameCaptures(a, b) ? null : b].filter(
    (side) => side !== null,
  );
  const captures = sides.reduce((sum, side) => sum + side.captures, 0);
  const without = sides.reduce((sum, side) => sum + days.length - side.columns.length, 0);
  const shown = texts.capturesShown(captures);
  return without === 0 ? shown : texts.withoutOne(shown, unitText(without, unit));
}

/** `3 Nov 02:00`, by a zone's clock. */
export function instantWords({ from }: Pick<FleetColumn, "from">, zone: Zone): string {
  const local = localIso(zone, from);
  return `${formatShortDay(local.slice(0, 10))} ${local.slice(11, 16)}`;
}

/** `24 Aug to 21 Nov 2026`. */
export function rangeText(days: readonly string[], last: string): string {
  const [first] = days;
  return first === undefined ? "" : `${formatShortDay(first)} to ${formatShortDay(last)} ${last.slice(0, 4)}`;
}

/** The verdict of a capture, and the cause of its failover. */
export const verdictText = ({ verdict, failover }: Pick<FleetColumn, "verdict" | "failover">): string =>
  [verdict, failover === undefined ? null : texts.failover(failover)]
    .filter((text) => text !== null)
    .join(" ");
