import type { ReactNode } from "react";
import type { ClientGroup } from "@aglens/contract";
import { whoWaitedTexts as texts } from "../../messages/waiting.ts";
import { Segmented } from "../../ui/controls.tsx";
import { useCapture } from "../capture-view/capture-context.ts";

type Rows = ClientGroup | "queues";

const OPTIONS: readonly { readonly value: Rows; readonly label: string }[] = [
  { value: "session", label: texts.sessions },
  { value: "application", label: texts.applications },
  { value: "statement", label: texts.statements },
  { value: "queues", label: texts.queues },
];

/** Choice of the rows of Waiting: clients of commits, or log writers and networks. */
export function RowsChoice({ by }: { readonly by: Rows }): ReactNode {
  const { setView } = useCapture();
  return (
    <Segmented
      label={texts.rowsOf}
      value={by}
      options={OPTIONS}
      onChange={(waitingBy) => setView({ waitingBy })}
    />
  );
}

/** Switches to the next rows, after the last to the first. */
export function useNextRows(by: Rows): () => void {
  const { setView } = useCapture();
  const at = OPTIONS.findIndex(({ value }) => value === by);
  return () => setView({ waitingBy: OPTIONS[(at + 1) % OPTIONS.length]?.value ?? by });
}
