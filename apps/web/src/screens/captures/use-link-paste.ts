import { useEffect } from "react";
import { addressOfLocalLink } from "../../data/local-link.ts";
import { navigate } from "../../state/navigate.ts";

/** Opens a link to files that lie on a computer when it is pasted on the page: its address may be of another computer's disk. */
export function useLinkPaste(): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      if (event.target instanceof HTMLInputElement) return;
      const address = addressOfLocalLink(event.clipboardData?.getData("text") ?? "");
      if (address === null) return;
      event.preventDefault();
      navigate(address);
    };
    window.addEventListener("paste", paste);
    return () => window.removeEventListener("paste", paste);
  }, []);
}
