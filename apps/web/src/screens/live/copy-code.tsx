import { type ReactNode, useState } from "react";
import { Button } from "../../ui/controls.tsx";

/** A statement to run elsewhere, with a button that copies it where the browser allows that. */
export function CopyCode({ code, label }: { readonly code: string; readonly label: string }): ReactNode {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(code).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div className="lv-code">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key */}
      <pre tabIndex={0} aria-label={label}>
        {code}
      </pre>
      {window.isSecureContext ? (
        <Button aria-label={`Copy: ${label}`} onClick={copy}>
          {copied ? "Copied" : "Copy"}
        </Button>
      ) : null}
    </div>
  );
}
