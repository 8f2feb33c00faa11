/** A part of the timeline, inside the timeline members that it reads. */
import type { ReactNode } from "react";
import {
  DataContext,
  SelectionContext,
  type TimelineData,
  type TimelineSelection,
  type TimelineView,
  ViewContext,
} from "../src/screens/timeline/timeline-context.ts";

/** Members of a timeline that a part reads; the others are missing. */
export type TimelineParts = {
  readonly [K in keyof (TimelineData & TimelineView & TimelineSelection)]?: unknown;
};

export function InTimeline({
  parts,
  children,
}: {
  readonly parts: TimelineParts;
  readonly children: ReactNode;
}): ReactNode {
  const value = parts as never;
  return (
    <DataContext value={value}>
      <ViewContext value={value}>
        <SelectionContext value={value}>{children}</SelectionContext>
      </ViewContext>
    </DataContext>
  );
}
