import type { ReactNode } from "react";
import { SlowestCommits } from "./slowest-commits.tsx";
import { useSlowestKind } from "./slowest-kind.ts";
import { SlowestTable } from "./slowest-table.tsx";

/** The slowest blocks or the slowest commits of what is in view. */
export const SlowestCard = (): ReactNode =>
  useSlowestKind() === "commits" ? <SlowestCommits /> : <SlowestTable />;
