/** An analyzed capture, narrowed by the view to a database and to a period between changes of roles. */
import { useMemo, useState } from "react";
import { type FoundBlocks, releasingSecondary, type Summary } from "@aglens/contract";
import { withFirstQuestions } from "../data/ask-ahead.ts";
import type { CaptureAddress } from "../data/capture-address.ts";
import type { CaptureSource } from "../data/capture-source.ts";
import { httpSource } from "../data/http-source.ts";
import { useAnswer } from "../data/use-answer.ts";
import { databaseIndex } from "../screens/capture-view/databases.ts";
import { phaseIndex } from "../screens/capture-view/phases.ts";
import { inZone, type ZonedSummary, zoneOf } from "../screens/capture-view/zones.ts";
import { useRememberedTime } from "../state/time-choice.ts";
import type { LinkedView, NamedBlock, View } from "../state/view.ts";

/** Answers, summary and view that belong together. */
interface Shown {
  readonly page: string;
  readonly source: CaptureSource;
  readonly summary: ZonedSummary;
  readonly view: View;
  /** The block that the link names and the capture does not have; null without such a block. */
  readonly missingBlock: NamedBlock | null;
}

interface ScopedCapture {
  /**
   * Data of the view; data of the previous view while the summary of another database or phase is pending. Null before
   * the first.
   */
  readonly shown: Shown | null;
  /** Whether `shown` is of the view before. */
  readonly isBusy: boolean;
  readonly error: string | null;
  readonly retry: () => void;
}

/**
 * All questions are limited to the view's database and its period between changes of roles, and so are verdict and
 * statistics of the summary. Replicas, clocks, coverage and counts of blocks cover the entire capture.
 * @param isOverview whether the overview opens, whose first questions need the summary alone
 */
export function useScopedCapture(
  address: CaptureAddress,
  view: LinkedView,
  isOverview: boolean,
): ScopedCapture {
  const { page } = address;
  const whole = useMemo(() => httpSource(address), [address]);
  const question = whole.summary();
  const asked = useAnswer(isOverview ? withFirstQuestions(question, address) : question, {
    keepsValue: false,
  });
  const { value } = asked;
  const database = value && databaseIndex(value, view.database);
  const phase = value && phaseIndex(value, view.phase);
  const source = useMemo(() => whole.scoped({ database, phase }), [whole, database, phase]);
  const isScoped = database !== null || phase !== null;
  const scope = useAnswer(isScoped ? source.scopeSummary() : null, { keepsValue: false });
  const named = useNamedBlock(whole, value, view.block);
  const { row, missing } = named;
  const remembered = useRememberedTime();
  const time = view.time ?? remembered;
  const summary = useMemo(() => {
    const scoped = value === null || !isScoped ? value : scope.value && { ...value, ...scope.value };
    return scoped && inZone(scoped, zoneOf(time, scoped));
  }, [value, isScoped, scope.value, time]);
  const current = useMemo(
    (): Shown | null =>
      summary === null || row === undefined
        ? null
        : { page, source, summary, view: viewOfLink(view, summary, row), missingBlock: missing },
    [page, source, summary, view, row, missing],
  );
  const [last, setLast] = useState<Shown | null>(null);
  if (current !== null && current !== last) setLast(current);
  const error = asked.error ?? scope.error ?? named.error;
  const before = error === null && last?.page === page ? last : null;
  return {
    shown: current ?? before,
    isBusy: current === null && before !== null,
    error,
    retry: () => {
      asked.retry();
      scope.retry();
      named.retry();
    },
  };
}

interface FoundRow {
  /** Null for no block; undefined until it is known. */
  readonly row: number | null | undefined;
  /** The name in the address, where no block has it. */
  readonly missing: NamedBlock | null;
  readonly error: string | null;
  readonly retry: () => void;
}

/** The row of the block in an address. An address with a block that the capture does not have selects none. */
function useNamedBlock(source: CaptureSource, summary: Summary | null, block: LinkedView["block"]): FoundRow {
  const named = typeof block === "object" ? block : null;
  const { value, error, retry } = useAnswer(named && source.findLsn(named.lsn), { keepsValue: false });
  if (typeof block !== "object" || block === null) return { row: block, missing: null, error: null, retry };
  const row = value && summary ? rowNamed(block, value, summary) : undefined;
  return { row, missing: row === null ? block : null, error, retry };
}

/** Whether it is the one database of the capture, which needs no name. */
const isAlone = (database: string, { databases }: Summary): boolean =>
  databases.length < 2 && databases.every(({ name, id }) => name === database || id === database);

function rowNamed({ database, lsn }: NamedBlock, { rows }: FoundBlocks, summary: Summary): number | null {
  const index = databaseIndex(summary, database);
  if (index === null && database !== null && !isAlone(database, summary)) return null;
  // A text of digits alone is looked up as decimal too.
  const equal = rows.filter((each) => each.lsn === lsn && (index === null || each.database === index));
  return equal[0]?.row ?? null;
}

type Capture = Pick<Summary, "replicas" | "commits">;

/**
 * The view of a link: where it names no secondary, the one that commits waited for most. @param block row of its block
 */
export const viewOfLink = (view: LinkedView, summary: Capture, block: number | null): View => ({
  ...view,
  block,
  secondary: view.secondary ?? releasingSecondary(summary),
});
