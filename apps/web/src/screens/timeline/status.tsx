import type { ReactNode } from "react";
import type { Summary } from "@aglens/contract";
import type { Level } from "../../charts/timeline/layout.ts";
import type { Measuring } from "./use-rulers.ts";
import { KeyHint } from "../../frame/key-hint.tsx";
import type { View } from "../../state/view.ts";
import { durationText, formatCount } from "../../ui/words.ts";

const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  0: "median and maximum per pixel",
  1: "every block drawn, tallest on top",
  2: "one bar per block, right end: what released the commit",
  3: "one bar per block with its events",
};

/** The range in view, and the four most important keys there; `?` shows all. */
export function StatusLeft({
  span,
  blocks,
  level,
  gates,
  measuring,
  others,
  hasSwitch,
}: {
  span: number;
  blocks: number | null;
  /** null before the lanes are drawn. */
  level: Level | null;
  gates: boolean;
  measuring: Measuring | null;
  /** Effect of the filter on other blocks; null without a filter. */
  others: View["others"] | null;
  /** A server took over from another one. */
  hasSwitch: boolean;
}): ReactNode {
  if (measuring !== null)
    return (
      <>
        {measuringWords(measuring)}
        <KeyHint keys={["Alt"]}>off the edges of bars</KeyHint>
        <KeyHint keys={["Esc"]}>end</KeyHint>
      </>
    );
  // Pending figures would move the key hints.
  if (blocks === null || level === null) return `${durationText(span)} in view`;
  if (others !== null)
    return (
      <>
        {durationText(span)} in view, {formatCount(blocks)} {blocks === 1 ? "hit" : "hits"},{" "}
        {others === "dim" ? "others dimmed" : "others hidden"}
        <KeyHint keys={["n", "p"]}>next, previous hit</KeyHint>
        <KeyHint keys={["Enter"]}>sequence</KeyHint>
        <KeyHint keys={["f"]}>fit hits</KeyHint>
        <KeyHint keys={["/"]}>filter</KeyHint>
      </>
    );
  return (
    <>
      {durationText(span)} in view, {formatCount(blocks)} {blocks === 1 ? "block" : "blocks"},{" "}
      {gates ? "commits colored by what released them" : LEVEL_WORDS[level]}
      <KeyHint keys={["W", "S"]}>zoom</KeyHint>
      <KeyHint keys={["A", "D"]}>pan</KeyHint>
      <KeyHint keys={["n", "p"]}>next, previous slow block</KeyHint>
      {hasSwitch ? <KeyHint keys={["."]}>change of roles</KeyHint> : <KeyHint keys={["f"]}>fit</KeyHint>}
    </>
  );
}

/** The next end that the user places for a ruler. */
export const measuringWords = ({ first }: Measuring): string =>
  first === null ? "Ruler: choose where it begins" : "Ruler: choose where it ends";

/** The clock of the lanes, and the figures that do not change while a secondary is moved by its uncertainty. */
export function clockWords(
  clock: "aligned" | "raw",
  preview: ReadonlyMap<number, number>,
  summary: Summary,
): string {
  if (clock === "raw")
    return "Raw UTC: secondary instants as their own clock wrote them; figures stay aligned";
  const [moved] = preview;
  if (moved === undefined) return alignedWords(summary);
  const [secondary, us] = moved;
  const name = summary.replicas[secondary + 1]?.name ?? "The secondary";
  return `${name} ${durationText(Math.abs(us))} ${us < 0 ? "earlier" : "later"}, as its clock allows; round trips and sums stay`;
}

/** Bars of a server whose clock cannot be aligned are at their UTC, which shows no order of events. */
function alignedWords(summary: Summary): string {
  const clock = `${referenceName(summary)}'s clock`;
  const astray = summary.clocks
    .filter(({ status }) => status === "cannotAlign")
    .map(({ secondary }) => summary.replicas[secondary + 1]?.name ?? "a secondary");
  return astray.length === 0 ? `Times on ${clock}` : `${astray.join(", ")} not on ${clock}: placed by UTC`;
}

/** "The primary" is only one server while roles do not change. */
const referenceName = ({ phases, replicas }: Summary): string =>
  (phases.length > 1 && replicas[0]?.name) || "the primary";
