import type { ReactNode } from "react";

/** One of the large figures at the head of the pane. */
export function Readout({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className="tl-readout">
      <span>{label}</span>
      {children}
    </div>
  );
}
