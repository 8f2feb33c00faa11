/** Names and counts of expectations on the page "How this was read". */
import type { Expectation } from "@aglens/contract";
import { EXPECTATION_GROUPS } from "@aglens/ag-model/check";
import { howReadTexts as texts } from "../../messages/how-read.ts";
import { formatCount } from "../../ui/words.ts";

export const STATE_WORDS: Readonly<Record<Expectation["state"], string>> = {
  met: "Met",
  part: texts.metInPartLabel,
  not: texts.notMetLabel,
  absent: texts.notInTheseFilesLabel,
};

interface ExpectationGroup {
  readonly name: string;
  readonly rows: readonly Expectation[];
}

const GROUP_NAMES: Readonly<Record<Expectation["group"], string>> = {
  columns: "Columns",
  values: "Values",
  time: "Time",
  completeness: "Completeness",
};

/** Expectations under the names of their groups, without empty groups. */
export const inGroups = (expectations: readonly Expectation[]): readonly ExpectationGroup[] =>
  EXPECTATION_GROUPS.map((id) => ({
    name: GROUP_NAMES[id],
    rows: expectations.filter(({ group }) => group === id),
  })).filter(({ rows }) => rows.length > 0);

/** `5,902 met, 12 not met, in events`; an expectation that these files can't be checked on has no counts. */
export const countText = ({ state, met, notMet, unit }: Expectation): string =>
  state === "absent" ? STATE_WORDS.absent : texts.metNotMetIn(formatCount(met), formatCount(notMet), unit);
