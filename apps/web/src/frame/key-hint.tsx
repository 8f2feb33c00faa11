import type { ReactNode } from "react";
import { Kbd } from "../ui/controls.tsx";

/** Keys and their actions, in the status bar. */
export function KeyHint({
  keys,
  children,
}: {
  readonly keys: readonly string[];
  readonly children: ReactNode;
}): ReactNode {
  return (
    <span className="gap-4 inline-row">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}{" "}
      {children}
    </span>
  );
}
