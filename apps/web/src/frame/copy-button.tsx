import { type ReactNode, useState } from "react";
import { Button } from "../ui/controls.tsx";
import { copyText } from "./copy-text.ts";

/** Copies a text; absent where the browser has no clipboard. `label` says what is copied. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const [result, setResult] = useState<"none" | "copied" | "refused">("none");
  if (!window.isSecureContext) return null;
  const copy = async (): Promise<void> => setResult((await copyText(text)) ? "copied" : "refused");
  return (
    <Button aria-label={`Copy: ${label}`} onClick={() => void copy()}>
      {result === "copied" ? "Copied" : result === "refused" ? "Copying refused" : "Copy"}
    </Button>
  );
}
