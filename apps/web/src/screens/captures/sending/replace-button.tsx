import { type ChangeEvent, type ReactNode, useRef } from "react";
import type { CaptureFile } from "@aglens/contract";
import { sendingTexts as texts } from "../../../messages/sending.ts";
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
        {texts.replaceThisFile}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".xel,.zip"
        aria-label={texts.betterCopyOf(file.name)}
        onChange={choose}
      />
    </>
  );
}
