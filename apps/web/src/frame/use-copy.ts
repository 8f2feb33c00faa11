import { useCallback, useEffect, useState } from "react";

const SHOWN_MS = 4_000;

const REFUSED = "The browser does not allow copying here";

/**
 * Copies a text and says so for a moment: what to say now ("" for nothing), and the copying. `otherwise` tells what to
 * do where the browser refuses.
 */
export function useCopy(): [string, (text: string, said: string, otherwise?: string) => void] {
  const [notice, setNotice] = useState("");
  useEffect(() => {
    if (notice === "") return undefined;
    const timer = setTimeout(() => setNotice(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const copy = useCallback((text: string, said: string, otherwise?: string) => {
    // Without https (other than on this computer) a browser has no clipboard.
    const written = window.isSecureContext
      ? navigator.clipboard.writeText(text)
      : Promise.reject(new Error("no clipboard"));
    written.then(
      () => setNotice(said),
      () => setNotice(otherwise === undefined ? REFUSED : `${REFUSED}; ${otherwise}`),
    );
  }, []);
  return [notice, copy];
}
