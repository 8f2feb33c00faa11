import { useCallback, useEffect, useState } from "react";
import { copyText } from "./copy-text.ts";

const SHOWN_MS = 4_000;

const REFUSED = "The browser does not allow copying here";

/**
 * Copies a text and says so for a moment: what to say now ("" for nothing), the copying, and another notice in the same place. `otherwise` is what to do
 * where the browser refuses.
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
    const refused = otherwise === undefined ? REFUSED : `${REFUSED}; ${otherwise}`;
    void copyText(text).then((isCopied) => setNotice(isCopied ? copied : refused));
  }, []);
  return [notice, copy, setNotice];
}
