import type { ReactNode } from "react";
import { SlowestCommits } from "../slowest/slowest-commits.tsx";
import { SlowestTable } from "../slowest/slowest-table.tsx";
import { useOverview } from "./overview-context.ts";
import { SlowestKindChoice } from "./slowest-kind-choice.tsx";
import { useSlowestKind } from "./slowest-kind.ts";

/** The slowest blocks or the slowest commits of what is in view. */
export function SlowestCard(): ReactNode {
  const { slowest, slowCommits, setPointed } = useOverview();
  const props = { choice: <SlowestKindChoice />, onPoint: setPointed };
  return useSlowestKind() === "commits" ? (
    <SlowestCommits list={slowCommits} {...props} />
  ) : (
    <SlowestTable list={slowest} {...props} />
  );
}
