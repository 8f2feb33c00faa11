import { type ReactNode, useCallback, useEffect, useState } from "react";
import { frameTexts as texts } from "../messages/frame.ts";
import { Button } from "../ui/controls.tsx";
import styles from "./copy-code.module.css";

/** Copies a text; false where the browser refuses: without https (other than on this computer) it has no clipboard. */
export async function copyText(text: string): Promise<boolean> {
  if (!window.isSecureContext) return false;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

const SHOWN_MS = 4_000;

/**
 * Copies a text and confirms it for a moment. Returns the current message ("" without one), the copy function, and a
 * function for another message in the same place. `otherwise` is added to the message where the browser refuses.
 */
export function useCopy(): [
  notice: string,
  copy: (text: string, notice: string, otherwise?: string) => void,
  show: (notice: string) => void,
] {
  const [notice, setNotice] = useState("");
  useEffect(() => {
    if (notice === "") return undefined;
    const timer = setTimeout(() => setNotice(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const copy = useCallback((text: string, copied: string, otherwise?: string) => {
    const refused =
      otherwise === undefined ? texts.browserDoesNotAllow : `${texts.browserDoesNotAllow}; ${otherwise}`;
    void copyText(text).then((isCopied) => setNotice(isCopied ? copied : refused));
  }, []);
  return [notice, copy, setNotice];
}

/** Copies a text; absent where the browser has no clipboard. `label` names the copied text. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const [result, setResult] = useState<"none" | "copied" | "refused">("none");
  if (!window.isSecureContext) return null;
  const copy = async (): Promise<void> => setResult((await copyText(text)) ? "copied" : "refused");
  return (
    <Button aria-label={texts.copy(label)} onClick={() => void copy()}>
      {result === "copied" ? texts.copied : result === "refused" ? texts.copyingRefused : texts.copyLabel}
    </Button>
  );
}

/** A statement to run elsewhere, with a button that copies it where the browser allows that. */
export function CopyCode({ code, label }: { readonly code: string; readonly label: string }): ReactNode {
  return (
    <div className={styles.code}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key */}
      <pre tabIndex={0} aria-label={label}>
        {code}
      </pre>
      <CopyButton text={code} label={label} />
    </div>
  );
}
