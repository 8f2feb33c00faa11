import { type ChangeEvent, type ReactNode, useRef } from "react";
import type { CaptureFile } from "@aglens/contract";
import { Button } from "../../../ui/controls.tsx";

interface Props {
  readonly file: CaptureFile;
  readonly size?: "small" | "large";
  readonly disabled: boolean;
  readonly onFile: (better: File) => void;
}

/** A button to choose a better copy of a damaged file. */
export function ReplaceButton({ file, size = "small", disabled, onFile }: Props): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const [better] = event.target.files ?? [];
    if (better !== undefined) onFile(better);
    event.target.value = "";
  };
  return (
    <>
      <Button size={size} disabled={disabled} onClick={() => input.current?.click()}>
        Replace this file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".xel,.zip"
        aria-label={`Better copy of ${file.name}`}
        onChange={choose}
      />
    </>
  );
}
